// What is typed into minutes, between what the API has and the fields of the page.

import { LIMITS } from './openapi.js';

/** Returns what is edited, from minutes as the API has them; null: there are none yet. */
export function draftOf(minutes) {
  const items = (minutes?.items ?? []).filter(({ withheld }) => !withheld);
  return {
    attendance: (minutes?.attendance ?? []).map(({ userId, unregisteredUserId = null, name, present }) => ({ userId, unregisteredUserId, name, present })),
    items: items.map(({ agendaItemId, text, decision, resolutionId = null, actionItemIds, audience }) => ({ agendaItemId, text, decision: decision && { ...decision }, resolutionId, actionItemIds, ...(audience ? { audience } : {}) })),
  };
}

/** Returns the items of a version of minutes as they are read: those in camera for the reader with what their seals stand for. */
export function opened(version) {
  const sealed = new Map((version.inCamera ?? []).map(({ item, audience }) => [item.id, { ...item, audience }]));
  return { ...version, items: version.items.map((item) => (item.sealed ? sealed.get(item.id) ?? { id: item.id, withheld: true } : item)) };
}

/** Returns the entry about an item of the agenda, or about everything else (null); it is made where there is none. */
export function entryOf(draft, agendaItemId) {
  const found = draft.items.find((each) => (each.agendaItemId ?? null) === agendaItemId);
  if (found) return found;
  const entry = { agendaItemId, text: '', decision: null, resolutionId: null, actionItemIds: [] };
  draft.items.push(entry);
  return entry;
}

/** Returns the attendance of a member as it is noted; empty where it is not. */
export function presenceOf(draft, userId) {
  return draft.attendance.find((each) => each.userId === userId)?.present ?? '';
}

/** Notes the attendance of a member; an empty value takes the note back. */
export function notePresence(draft, userId, present) {
  const others = draft.attendance.filter((each) => each.userId !== userId);
  draft.attendance = present ? [...others, { userId, unregisteredUserId: null, name: null, present }] : others;
}

/** Notes everybody of these who is not noted yet. */
export function noteAll(draft, userIds, present) {
  for (const userId of userIds) if (!presenceOf(draft, userId)) notePresence(draft, userId, present);
}

/** Notes somebody without an account: by their id, or by a name alone; an empty value takes the note back. */
export function noteOther(draft, { unregisteredUserId = null, name = null }, present) {
  const others = draft.attendance.filter((each) => each.userId || (unregisteredUserId ? each.unregisteredUserId !== unregisteredUserId : each.unregisteredUserId || each.name !== name));
  draft.attendance = present ? [...others, { userId: null, unregisteredUserId, name, present }] : others;
}

/**
 * Returns the body that saves a draft in place of minutes: entries without a word, a decision or an action item say nothing. A resolution
 * is its own decision. An entry stays the item of the minutes that is about the same; one in camera for others stays without being sent.
 */
export function bodyOf(draft, minutes) {
  const before = (minutes?.items ?? []).filter(({ withheld }) => !withheld);
  const items = draft.items.map(({ agendaItemId, text, decision, resolutionId, actionItemIds, audience }) => ({
    ...idOf(before, agendaItemId ?? null),
    ...(agendaItemId ? { agendaItemId } : {}),
    text,
    ...(resolutionId ? { resolutionId } : decision?.text.trim() ? { decision } : {}),
    ...(actionItemIds.length ? { actionItemIds } : {}),
    ...(audience === undefined ? {} : { audience }),
  }));
  return {
    attendance: draft.attendance.map(({ userId, unregisteredUserId, name, present }) => (userId ? { userId, present } : unregisteredUserId ? { unregisteredUserId, present } : { name, present })),
    items: items.filter((each) => each.text.trim() || each.decision || each.resolutionId || each.actionItemIds),
  };
}

/** Takes the first item about an item of the agenda from these, and returns its id as a member; nothing where there is none. */
function idOf(items, agendaItemId) {
  const at = items.findIndex((each) => each.id && (each.agendaItemId ?? null) === agendaItemId);
  return at < 0 ? {} : { id: items.splice(at, 1)[0].id };
}

/**
 * Returns what two people have made of the same minutes: of every entry and attendance that only one of them has changed, that
 * change. `both` are the ids of the entries that both have changed, each otherwise: `mine` has them as they are here, `theirs`
 * as they are there. Of one person's attendance that both have noted, mine stays.
 */
export function merged(base, mine, theirs) {
  const both = [];
  const ids = [...new Set([...theirs.items, ...mine.items].map(({ agendaItemId }) => agendaItemId ?? null))];
  const choose = (id) => {
    const [before, here, there] = [base, mine, theirs].map(({ items }) => items.find((each) => (each.agendaItemId ?? null) === id));
    const [was, is, will] = [before, here, there].map(contentOf);
    if (is !== was && will !== was && is !== will) both.push(id);
    return is === was ? [there, there] : will === was || is === will ? [here, here] : [here, there];
  };
  const items = ids.map(choose);
  const noted = ({ attendance }) => new Map(attendance.map((each) => [each.userId ?? each.unregisteredUserId ?? `name ${each.name}`, each]));
  const [before, here, there] = [base, mine, theirs].map(noted);
  const attendance = [...new Set([...there.keys(), ...here.keys()])]
    .map((who) => (here.get(who)?.present === before.get(who)?.present ? there : here).get(who)).filter(Boolean);
  const draft = (side) => ({ attendance: [...attendance], items: items.map((pair) => pair[side]).filter(Boolean).map((each) => ({ ...each })) });
  return { mine: draft(0), theirs: draft(1), both };
}

function contentOf(entry) {
  const { text = '', decision = null, resolutionId = null, actionItemIds = [], audience } = entry ?? {};
  return JSON.stringify([text, audience?.userIds ?? null, resolutionId ?? (decision?.text ? [decision.text, decision.result] : null), [...actionItemIds].sort()]);
}

/** Returns the ids of the entries that differ between two drafts, null for that about everything else. */
export function differing(mine, theirs) {
  const words = (draft, id) => {
    const found = draft.items.find((each) => (each.agendaItemId ?? null) === id);
    return JSON.stringify([found?.text ?? '', found?.decision?.text ?? '', found?.decision?.text ? found.decision.result : '', found?.resolutionId ?? '']);
  };
  const ids = new Set([...mine.items, ...theirs.items].map((each) => each.agendaItemId ?? null));
  return [...ids].filter((id) => words(mine, id) !== words(theirs, id));
}

/**
 * Returns the draft that keeps both, of every entry their words before mine; null where an entry would have two decisions, or more
 * words than it may.
 */
export function joined(mine, theirs) {
  const items = mine.items.map((here) => joinedEntry(here, entryOf(theirs, here.agendaItemId ?? null)));
  const known = new Set(mine.items.map(({ agendaItemId }) => agendaItemId ?? null));
  const added = theirs.items.filter(({ agendaItemId }) => !known.has(agendaItemId ?? null));
  return items.includes(null) ? null : { attendance: mine.attendance, items: [...items, ...added] };
}

function joinedEntry(here, there) {
  const text = [...new Set([there.text, here.text])].filter((each) => each.trim()).join('\n\n');
  const decided = [there, here].filter(({ resolutionId, decision }) => resolutionId || decision?.text.trim());
  const [one, other = one] = decided.map(({ resolutionId, decision }) => JSON.stringify(resolutionId ? [resolutionId] : [decision.text, decision.result]));
  if (one !== other || [...text].length > LIMITS.putMinutes['items.text']) return null;
  const { decision, resolutionId } = decided[0] ?? here;
  return { ...here, text, decision, resolutionId, actionItemIds: [...new Set([...there.actionItemIds, ...here.actionItemIds])] };
}
