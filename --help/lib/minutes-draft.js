
export function draftOf(minutes) {
  const items = minutes?.items ?? [];
  return {
    attendance: (minutes?.attendance ?? []).map(({ userId, unregisteredUserId = null, name, present }) => ({ userId, unregisteredUserId, name, present })),
    items: items.map(({ agendaItemId, text, decision, resolutionId = null, actionItemIds }) => ({ agendaItemId, text, decision: decision && { ...decision }, resolutionId, actionItemIds })),
  };
}

export function entryOf(draft, agendaItemId) {
  const found = draft.items.find((each) => (each.agendaItemId ?? null) === agendaItemId);
  if (found) return found;
  const entry = { agendaItemId, text: '', decision: null, resolutionId: null, actionItemIds: [] };
  draft.items.push(entry);
  return entry;
}

export function presenceOf(draft, userId) {
  return draft.attendance.find((each) => each.userId === userId)?.present ?? '';
}

export function notePresence(draft, userId, present) {
  const others = draft.attendance.filter((each) => each.userId !== userId);
  draft.attendance = present ? [...others, { userId, unregisteredUserId: null, name: null, present }] : others;
}

export function noteAll(draft, userIds, present) {
  for (const userId of userIds) if (!presenceOf(draft, userId)) notePresence(draft, userId, present);
}

export function noteOther(draft, { unregisteredUserId = null, name = null }, present) {
  const others = draft.attendance.filter((each) => each.userId || (unregisteredUserId ? each.unregisteredUserId !== unregisteredUserId : each.unregisteredUserId || each.name !== name));
  draft.attendance = present ? [...others, { userId: null, unregisteredUserId, name, present }] : others;
}

export function bodyOf(draft) {
  const items = draft.items.map(({ agendaItemId, text, decision, resolutionId, actionItemIds }) => ({
    ...(agendaItemId ? { agendaItemId } : {}),
    text,
    ...(resolutionId ? { resolutionId } : decision?.text.trim() ? { decision } : {}),
    ...(actionItemIds.length ? { actionItemIds } : {}),
  }));
  return {
    attendance: draft.attendance.map(({ userId, unregisteredUserId, name, present }) => (userId ? { userId, present } : unregisteredUserId ? { unregisteredUserId, present } : { name, present })),
    items: items.filter((each) => each.text.trim() || each.decision || each.resolutionId || each.actionItemIds),
  };
}

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
  const { text = '', decision = null, resolutionId = null, actionItemIds = [] } = entry ?? {};
  return JSON.stringify([text, resolutionId ?? (decision?.text ? [decision.text, decision.result] : null), [...actionItemIds].sort()]);
}

export function differing(mine, theirs) {
  const words = (draft, id) => {
    const found = draft.items.find((each) => (each.agendaItemId ?? null) === id);
    return JSON.stringify([found?.text ?? '', found?.decision?.text ?? '', found?.decision?.text ? found.decision.result : '', found?.resolutionId ?? '']);
  };
  const ids = new Set([...mine.items, ...theirs.items].map((each) => each.agendaItemId ?? null));
  return [...ids].filter((id) => words(mine, id) !== words(theirs, id));
}
