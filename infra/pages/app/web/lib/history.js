// The history of a board: audit entries and events of the feed as one list, each with the thing that it is about, in words.

import { calendarDate, dateTime } from './dates.js';
import { has, t } from './texts.js';
import { access, label, position, sentence } from './words.js';

// What an event is about, by the reference that names it: the first that it has, or the one that its type says.
const ORDER = ['resolutionId', 'actionItemId', 'documentId', 'betId', 'planItemId', 'backlogItemId', 'templateId', 'seriesId', 'cycleId', 'reportId', 'meetingId', 'unregisteredUserId', 'committeeId', 'userId', 'tokenId', 'webhookId', 'inviteId'];
const MEETING = ['meeting', 'slot', 'poll', 'agenda', 'minutes', 'guest_link', 'guest', 'board_pack', 'unregistered_rsvp'];
const KINDS = {
  meetings: ['meetingId', 'planItemId', 'backlogItemId', 'templateId', 'seriesId'], resolutions: ['resolutionId'], 'action-items': ['actionItemId'], documents: ['documentId'],
  reports: ['reportId', 'cycleId', 'betId'], members: ['userId', 'unregisteredUserId', 'inviteId', 'committeeId'],
};
// Audit entries of which the feed has no event any more name what they are about in their details.
const PREFIXES = { meeting: 'meetingId', document: 'documentId', action: 'actionItemId', report: 'reportId', dashboard: 'reportId', member: 'userId', ownership: 'userId', user: 'userId', board: 'unregisteredUserId', ws: 'live' };
const NAMED = ['meetingId', 'documentId', 'actionItemId'];
const PERSONS = ['voterId', 'userId', 'unregisteredUserId', 'acceptingUserId'];
const INSTANT = /^\d{4}-\d{2}-\d{2}T/;

/** Returns what happened, newest first: an event and the audit entry of the same id are one row. */
export function rowsOf(entries, events) {
  const rows = new Map(entries.map((entry) => [entry._id, ofEntry(entry)]));
  for (const event of events) rows.set(event.id, ofEvent(event, rows.get(event.id)));
  return [...rows.values()].sort((one, other) => other.at.localeCompare(one.at) || other.id.localeCompare(one.id));
}

function ofEntry(entry) {
  const [prefix] = /^[a-z]+/.exec(entry.action);
  const ref = PREFIXES[prefix] ?? '';
  const refs = NAMED.includes(ref) && entry.details?.id ? { [ref]: entry.details.id } : {};
  const common = { id: entry._id, at: entry.createdAt, actor: entry.actorUser ?? null, via: entry.createdVia, details: entry.details ?? {}, changes: [] };
  return { ...common, action: entry.action, type: null, logged: entry, refs, ref, kind: kindOf(ref) };
}

function ofEvent(event, row) {
  const [subject] = event.type.split('.');
  const ref = MEETING.includes(subject) ? 'meetingId' : ORDER.find((each) => each in event.refs) ?? '';
  const common = { id: event.id, at: event.createdAt, actor: event.actorUserId, via: event.createdVia, details: event.details, changes: event.changes };
  const logged = row?.logged ?? (subject === 'resolution' ? event : null);
  return { ...common, action: row?.action ?? null, type: event.type, logged, refs: event.refs, ref, kind: kindOf(ref) };
}

function kindOf(ref) {
  if (ref === 'live') return 'live';
  return Object.keys(KINDS).find((kind) => KINDS[kind].includes(ref)) ?? 'settings';
}

/** Returns the id of the thing that a row is about; undefined where it is the board. */
export const thingOf = ({ refs, ref }) => refs[ref];

/** Whether a row is about a thing, or about something of it: a meeting's minutes, times and resolutions. */
export const isOf = ({ refs }, id) => Object.values(refs).includes(id);

/** Returns the names that rows say themselves, the newest of each thing: of what is deleted nothing else is known. */
export function namesIn(rows) {
  const names = new Map();
  for (const row of rows) {
    const title = row.changes.find(({ field }) => ['title', 'name'].includes(field))?.to ?? (partOf(row) ? null : row.details.title);
    if (thingOf(row) && title && !names.has(thingOf(row))) names.set(thingOf(row), title);
  }
  return names;
}

/** Returns the title of the part of its thing that a row is about, such as a dashboard of a report; null where it is about the whole. */
export function partOf(row) {
  const { id, title } = row.details;
  return id && title && id !== thingOf(row) ? title : null;
}

/** Returns the ids of the people whom a row names beside who did it and the thing that it is about. */
export function personsOf(row) {
  const ids = PERSONS.map((name) => row.refs[name]).filter((id) => id && id !== row.actor && id !== thingOf(row));
  return [...new Set(ids)];
}

/** Returns what a row says that was done; a membership without changed fields is a new one. */
export function actOf({ type, action, details }) {
  if (type === 'resolution.recused' && details.recused === false) return t('history.countsAgain');
  if (has(`happened.${type}`)) return t(`happened.${type}`);
  if (action === 'memberChange' && !details.fields) return t('audit.joined');
  return has(`audit.${action}`) ? t(`audit.${action}`) : sentence(action ?? type.replaceAll('.', ' '));
}

/** Returns what a row says beside its act and its thing: from what to what, what else changed, an address. `nameOf` names a user. */
export function factsOf({ details, changes }, nameOf) {
  const { from, to, fields = [], memberEmail, positions = [], outcome } = details;
  const shown = changes.map(({ field }) => field);
  const rest = fields.filter((field) => !shown.includes(field)).map(changed);
  const facts = [memberEmail, label(outcome), from && to ? arrow(label(from), label(to)) : ''];
  facts.push(...changes.map((change) => `${changed(change.field)}: ${arrow(valueOf(change.field, change.from, nameOf), valueOf(change.field, change.to, nameOf))}`));
  if (rest.length) facts.push(t('words.changedFields', { fields: [...new Set(rest)].join(', ') }));
  if (!shown.includes('boardPositions')) facts.push(positions.map(position).join(', '));
  return facts.filter(Boolean);
}

const arrow = (from, to) => `${from} → ${to}`;

function changed(field) {
  return has(`changed.${field}`) ? t(`changed.${field}`) : sentence(field).toLowerCase();
}

function valueOf(field, value, nameOf) {
  if (value === null || value === '' || value.length === 0) return '–';
  if (Array.isArray(value)) return value.map(position).join(', ');
  if (field === 'dueOn') return calendarDate(value);
  if (field === 'assigneeUserId') return nameOf(value);
  if (field === 'accessType') return access(value);
  if (field === 'adminRole') return label(value);
  return INSTANT.test(value) ? dateTime(value) : value;
}
