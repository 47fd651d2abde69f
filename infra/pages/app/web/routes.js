// Every address of these pages, with the view and the room that it is in. The first that fits is taken; the last says that there is none.

// Views that are loaded together; `rooms/` says which (ADR pages-scripts).
const ROOMS = {
  root: () => import('./rooms/root.js'),
  'sign-in': () => import('./rooms/sign-in.js'),
  guests: () => import('./rooms/guests.js'),
  home: () => import('./rooms/home.js'),
  meetings: () => import('./rooms/meetings.js'),
  documents: () => import('./rooms/documents.js'),
  resolutions: () => import('./rooms/resolutions.js'),
  planning: () => import('./rooms/planning.js'),
  reports: () => import('./rooms/reports.js'),
  people: () => import('./rooms/people.js'),
  settings: () => import('./rooms/settings.js'),
};

const page = (path, name, room, isPublic = false) => ({ path, name, room, isPublic, load: async () => (await ROOMS[room]())[name] });

export const ROUTES = [
  page('/', 'root', 'root', true),
  page('/app/sign-in', 'signIn', 'sign-in', true),
  page('/app/callback', 'callback', 'sign-in', true),
  page('/guest/:token', 'guest', 'guests', true),
  page('/invite/:inviteCode', 'invite', 'guests', true),
  page('/paper/:paperToken', 'paperSlot', 'guests', true),
  page('/unsubscribe/:token', 'unsubscribe', 'guests', true),
  page('/app/for-you', 'forYou', 'home'),
  page('/app/notifications', 'notifications', 'home'),
  page('/app/action-items', 'myItems', 'home'),
  page('/app/account', 'account', 'settings'),
  page('/boards', 'boards', 'home'),
  page('/boards/:boardId', 'overview', 'home'),
  page('/boards/:boardId/meetings', 'meetings', 'meetings'),
  page('/boards/:boardId/meetings/new', 'meetings', 'meetings'),
  page('/boards/:boardId/meetings/:meetingId', 'meeting', 'meetings'),
  page('/boards/:boardId/meetings/:meetingId/papers', 'papers', 'documents'),
  page('/boards/:boardId/year', 'year', 'planning'),
  page('/boards/:boardId/resolutions', 'resolutions', 'resolutions'),
  page('/boards/:boardId/resolutions/new', 'resolutionNew', 'resolutions'),
  page('/boards/:boardId/resolutions/:resolutionId', 'resolution', 'resolutions'),
  page('/boards/:boardId/action-items', 'items', 'meetings'),
  page('/boards/:boardId/documents', 'documents', 'documents'),
  page('/boards/:boardId/documents/:documentId', 'document', 'documents'),
  page('/boards/:boardId/reports', 'reports', 'reports'),
  page('/boards/:boardId/reports/:reportId', 'report', 'reports'),
  page('/boards/:boardId/cycles', 'cycles', 'reports'),
  page('/boards/:boardId/cycles/:cycleId', 'cycle', 'reports'),
  page('/boards/:boardId/bets', 'bets', 'reports'),
  page('/boards/:boardId/members', 'members', 'people'),
  page('/boards/:boardId/invites', 'invites', 'people'),
  page('/boards/:boardId/tokens', 'tokens', 'settings'),
  page('/boards/:boardId/webhooks', 'webhooks', 'settings'),
  page('/boards/:boardId/webhooks/:webhookId', 'webhook', 'settings'),
  page('/boards/:boardId/history', 'history', 'settings'),
  page('/boards/:boardId/audit', 'history', 'settings'), // its address before 0.5
  page('/boards/:boardId/settings', 'settings', 'settings'),
  page('*', 'absent', 'root', true),
];
