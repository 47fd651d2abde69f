// Every address of these pages. The first that fits is taken; the last says that there is none.

const page = (path, name, load, isPublic = false) => ({ path, name, load, isPublic });

export const ROUTES = [
  page('/', 'root', () => import('./views/root.js'), true),
  page('/app/sign-in', 'sign-in', () => import('./views/sign-in.js'), true),
  page('/app/callback', 'callback', () => import('./views/callback.js'), true),
  page('/guest/:token', 'guest', () => import('./views/guest.js'), true),
  page('/invite/:inviteCode', 'invite', () => import('./views/invite.js'), true),
  page('/unsubscribe/:token', 'unsubscribe', () => import('./views/unsubscribe.js'), true),
  page('/app/for-you', 'for-you', () => import('./views/for-you.js')),
  page('/app/notifications', 'notifications', () => import('./views/notifications.js')),
  page('/app/action-items', 'my-items', () => import('./views/my-items.js')),
  page('/app/account', 'account', () => import('./views/account.js')),
  page('/boards', 'boards', () => import('./views/boards.js')),
  page('/boards/:boardId', 'overview', () => import('./views/overview.js')),
  page('/boards/:boardId/meetings', 'meetings', () => import('./views/meetings.js')),
  page('/boards/:boardId/meetings/:meetingId', 'meeting', () => import('./views/meeting.js')),
  page('/boards/:boardId/action-items', 'items', () => import('./views/items.js')),
  page('/boards/:boardId/documents', 'documents', () => import('./views/documents.js')),
  page('/boards/:boardId/documents/:documentId', 'document', () => import('./views/document.js')),
  page('/boards/:boardId/reports', 'reports', () => import('./views/reports.js')),
  page('/boards/:boardId/reports/:reportId', 'report', () => import('./views/report.js')),
  page('/boards/:boardId/members', 'members', () => import('./views/members.js')),
  page('/boards/:boardId/invites', 'invites', () => import('./views/invites.js')),
  page('/boards/:boardId/tokens', 'tokens', () => import('./views/tokens.js')),
  page('/boards/:boardId/webhooks', 'webhooks', () => import('./views/webhooks.js')),
  page('/boards/:boardId/webhooks/:webhookId', 'webhook', () => import('./views/webhook.js')),
  page('/boards/:boardId/audit', 'audit', () => import('./views/audit.js')),
  page('/boards/:boardId/settings', 'settings', () => import('./views/settings.js')),
  page('*', 'absent', () => import('./views/absent.js'), true),
];
