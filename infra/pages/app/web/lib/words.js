// Names of statuses, types and people, in words.

const LABELS = {
  draft: 'Draft', scheduled: 'Scheduled', in_progress: 'In progress', completed: 'Completed', finalized: 'Finalized',
  cancelled: 'Cancelled', published: 'Published', working: 'In work', ready_for_review: 'Ready for review',
  changes_requested: 'Changes requested', internally_reviewed: 'Reviewed', pending: 'Pending', accepted: 'Accepted',
  declined: 'Declined', retracted: 'Taken back', active: 'Active', expired: 'Expired', revoked: 'Revoked',
  virtual: 'Online', in_person: 'In person', hybrid: 'In person and online',
  owner: 'Owner', admin: 'Admin', member: 'Member', guest: 'Guest (reads)', collaborator: 'Collaborator', manager: 'Manager',
  read_only: 'Read only', full_access: 'Full access', read_write: 'Read and write',
  ok: 'Yes', challenging: 'If need be', cant: 'No', didNotVote: 'No answer',
  uniform: 'Figures', historicalFundraising: 'Fundraising history',
  TRIAL_ACTIVE: 'Trial', PAID_ACTIVE: 'Active', PAST_DUE_GRACE: 'Payment overdue', TRIAL_EXPIRED: 'Trial ended',
  PAST_DUE_RESTRICTED: 'Payment overdue', CANCELLED: 'Cancelled',
  section_status: 'Dashboards', validation_flag: 'Validation', package_status: 'Reports', post_meeting: 'Minutes',
  action_item: 'Action items', bet_reminder: 'Bets', section_overdue: 'Overdue sections', email: 'E-mail', in_app: 'In the app',
};

/** Returns the words for a value of the API; an unknown value is shown as it is, with spaces. */
export function label(value) {
  if (value === null || value === undefined || value === '') return '';
  return Object.hasOwn(LABELS, value) ? LABELS[value] : sentence(value);
}

/** Returns "board_pack" or "meetingCreate" as "Board pack", "Meeting create". */
export function sentence(value) {
  const words = String(value).replaceAll('_', ' ').replace(/([a-z])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns a board position in words: "cfo" is "CFO", "board chair" is "Board chair". */
export function position(value) {
  return value.length <= 3 ? value.toUpperCase() : sentence(value).replace(/^It /, 'IT ');
}

/** Returns a person's name; the address where no name is known. */
export function personName(person) {
  const name = [person?.firstName, person?.lastName].filter(Boolean).join(' ').trim();
  return name || person?.email || 'A former member';
}

/** Returns one or two initials of a name. */
export function initials(name) {
  const words = name.split(/[\s.@_-]+/u).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const picked = words.length > 1 && !name.includes('@') ? [words[0], words.at(-1)] : words.slice(0, 1);
  return picked.map((word) => [...word][0].toLocaleUpperCase('en')).join('') || '?';
}

/** Returns one of `count` hues for a name, the same each time. */
export function hue(name, count = 8) {
  let sum = 0;
  for (const sign of name) sum = (sum * 31 + sign.codePointAt(0)) % 1_000_003;
  return sum % count;
}

export function plural(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}

const ENTITIES = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'", '&#39;': "'" };

/** Returns the text of an invite's message, which the API keeps HTML-escaped. */
export function unescaped(text) {
  return text.replace(/&(amp|lt|gt|quot|#x27|#39);/g, (entity) => ENTITIES[entity]);
}

const AUDIT = {
  ownershipTransfer: 'transferred the ownership', memberDelete: 'removed a member', memberLeft: 'left the board',
  memberChange: 'changed a member', documentVersionDelete: 'dropped a version of a document', documentDelete: 'deleted a document',
  documentView: 'opened a document', meetingCreate: 'created a meeting', meetingUpdate: 'changed a meeting',
  meetingStatusChange: 'changed the status of a meeting', meetingDelete: 'deleted a meeting',
  meetingGuestSlotsViewed: 'opened the guest page', meetingGuestVoteCast: 'voted as a guest',
  actionItemCreate: 'created an action item', actionItemUpdate: 'changed an action item',
  actionItemStatusChange: 'changed the status of an action item', actionItemDelete: 'deleted an action item',
  reportStatusChange: 'changed the status of a report', dashboardReviewStatusChange: 'changed the review status of a dashboard',
  billingPlanOverride: 'changed the billing state', userHardPurge: 'removed the personal data of a user',
};

export function auditAction(action) {
  return AUDIT[action] ?? sentence(action);
}

/** Returns what an audit entry says beside its action: a title, "draft → scheduled", changed fields, an address. */
export function auditDetails(details) {
  const { title, from, to, fields, memberEmail, positions } = details ?? {};
  const parts = [title, memberEmail, from && to ? `${label(from)} → ${label(to)}` : ''];
  if (Array.isArray(fields) && fields.length) parts.push(`changed: ${fields.join(', ')}`);
  if (Array.isArray(positions) && positions.length) parts.push(positions.join(', '));
  return parts.filter(Boolean).join(' · ');
}
