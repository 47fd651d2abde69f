// What the page offers: the rules of the API on roles, access types and scopes. The API decides; this only hides
// buttons that would be refused.

const TIERS = ['guest', 'collaborator', 'manager'];
const RESTRICTED = ['TRIAL_EXPIRED', 'PAST_DUE_RESTRICTED', 'CANCELLED'];

// scope: of an access token; tier: the least access type; role: the least administrative role; own: the creator may
// too; kinds: of credentials; billing: false where a restricted board allows it.
const RULES = {
  'board.create': { scope: 'boards:write', kinds: 'user' },
  'board.edit': { scope: 'boards:write', role: 'admin', kinds: 'user' },
  'board.delete': { role: 'owner', kinds: 'session', billing: false },
  'board.transfer': { role: 'owner', kinds: 'session' },
  'meeting.create': { scope: 'meetings:write', tier: 'collaborator' },
  'meeting.edit': { scope: 'meetings:write', tier: 'collaborator' },
  'meeting.delete': { scope: 'meetings:write', role: 'admin', own: true, kinds: 'user' },
  'slot.propose': { scope: 'meetings:write', tier: 'collaborator' },
  'slot.book': { scope: 'meetings:write', tier: 'collaborator' },
  'slot.delete': { scope: 'meetings:write', tier: 'collaborator' },
  'slot.vote': { scope: 'meetings:write', tier: 'collaborator', kinds: 'user' },
  'guestLink.open': { scope: 'meetings:write', tier: 'collaborator' },
  'item.write': { scope: 'boards:write', tier: 'collaborator' },
  'document.create': { scope: 'documents:write', tier: 'collaborator' },
  'document.edit': { scope: 'documents:write', tier: 'manager', own: true },
  'report.write': { scope: 'reports:write', tier: 'manager' },
  'member.edit': { scope: 'boards:write', role: 'admin', kinds: 'user' },
  'member.leave': { scope: 'boards:write', kinds: 'user', billing: false },
  'committee.write': { scope: 'boards:write', role: 'admin', kinds: 'user' },
  'invite.list': { scope: 'invites:read', kinds: 'user', billing: false },
  'invite.create': { scope: 'invites:write', tier: 'collaborator', kinds: 'user' },
  'invite.retract': { scope: 'invites:write', role: 'admin', own: true, kinds: 'user', billing: false },
  'invite.send': { role: 'admin', own: true, kinds: 'session' },
  'invite.test': { scope: 'invites:write', kinds: 'user' },
  'invite.answer': { scope: 'invites:write', kinds: 'user', billing: false },
  'invite.join': { kinds: 'session' },
  'token.list': { kinds: 'session', billing: false },
  'token.create': { role: 'admin', kinds: 'session' },
  'token.revoke': { role: 'admin', kinds: 'session', billing: false },
  'myToken.manage': { kinds: 'session', billing: false },
  'audit.read': { scope: 'audit:read', role: 'admin', boardToken: true, billing: false },
  'notification.read': { scope: 'notifications:read', kinds: 'user', billing: false },
  'notification.write': { scope: 'notifications:write', kinds: 'user', billing: false },
  'notification.delete': { kinds: 'session', billing: false },
  'profile.edit': { fullAccess: true, kinds: 'user', billing: false },
};

/** Returns what is known of the caller: the kind of credential, its scopes, and role and access type on a board. */
export function viewer(whoami, board = null, member = null) {
  return {
    kind: whoami?.authType ?? null,
    userId: whoami?.userId ?? null,
    scopes: whoami?.scopes ?? null,
    role: board?.myRole ?? null,
    accessType: member?.accessType ?? null,
    isRestricted: RESTRICTED.includes(board?.billingState),
  };
}

/** Whether an action is offered; `creatorId` is the user who created what it is done to. */
export function may(who, action, creatorId = null) {
  const rule = RULES[action];
  if (!rule) throw new TypeError(`No such action: ${action}`);
  if (!who.kind || !isOfKind(who.kind, rule) || !hasScope(who, rule)) return false;
  if (rule.billing !== false && who.isRestricted) return false;
  if (rule.boardToken && who.kind === 'board_token') return true;
  if (rule.own && creatorId && creatorId === who.userId) return !rule.tier || hasTier(who, { tier: 'collaborator' });
  return hasRole(who, rule) && hasTier(who, rule);
}

function isOfKind(kind, rule) {
  if (rule.kinds === 'session') return kind === 'jwt';
  return rule.kinds !== 'user' || kind !== 'board_token';
}

function hasScope(who, rule) {
  if (who.kind === 'jwt') return true;
  if (rule.fullAccess) return who.scopes?.every((scope) => !scope.endsWith(':read') || scope.startsWith('audit') || scope.startsWith('functions') || scope.startsWith('portfolio') || who.scopes.includes(scope.replace(':read', ':write')));
  return !rule.scope || Boolean(who.scopes?.includes(rule.scope));
}

function hasRole(who, rule) {
  if (!rule.role) return true;
  return who.role === 'owner' || (rule.role === 'admin' && who.role === 'admin');
}

function hasTier(who, rule) {
  return !rule.tier || TIERS.indexOf(tier(who, rule)) >= TIERS.indexOf(rule.tier);
}

function tier(who, rule) {
  if (who.kind === 'board_token') return /^(documents|reports):write$/.test(rule.scope) ? 'manager' : 'collaborator';
  return who.role === 'owner' || who.role === 'admin' ? 'manager' : (who.accessType ?? 'guest');
}
