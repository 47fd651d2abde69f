// What is typed into minutes, between what the API has and the fields of the page.

/** Returns what is edited, from minutes as the API has them; null: there are none yet. */
export function draftOf(minutes) {
  const items = minutes?.items ?? [];
  return {
    attendance: (minutes?.attendance ?? []).map(({ userId, name, present }) => ({ userId, name, present })),
    items: items.map(({ agendaItemId, text, decision, resolutionId = null, actionItemIds }) => ({ agendaItemId, text, decision: decision && { ...decision }, resolutionId, actionItemIds })),
  };
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
  draft.attendance = present ? [...others, { userId, name: null, present }] : others;
}

/** Notes everybody of these who is not noted yet. */
export function noteAll(draft, userIds, present) {
  for (const userId of userIds) if (!presenceOf(draft, userId)) notePresence(draft, userId, present);
}

/** Notes somebody without an account, by name; an empty value takes the note back. */
export function noteName(draft, name, present) {
  const others = draft.attendance.filter((each) => each.userId || each.name !== name);
  draft.attendance = present ? [...others, { userId: null, name, present }] : others;
}

/** Returns the body that saves a draft: entries without a word, a decision or an action item say nothing. A resolution is its own decision. */
export function bodyOf(draft) {
  const items = draft.items.map(({ agendaItemId, text, decision, resolutionId, actionItemIds }) => ({
    ...(agendaItemId ? { agendaItemId } : {}),
    text,
    ...(resolutionId ? { resolutionId } : decision?.text.trim() ? { decision } : {}),
    ...(actionItemIds.length ? { actionItemIds } : {}),
  }));
  return {
    attendance: draft.attendance.map(({ userId, name, present }) => (userId ? { userId, present } : { name, present })),
    items: items.filter((each) => each.text.trim() || each.decision || each.resolutionId || each.actionItemIds),
  };
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
