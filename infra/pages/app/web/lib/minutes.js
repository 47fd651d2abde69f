// Minutes as they are typed: a value that is never changed in place, and what of it is sent.

/** Returns what is typed into for the minutes that are stored (null: none yet) and the agenda: an entry for each of its items. */
export function typedMinutes(minutes, agenda) {
  const written = minutes?.items ?? [];
  const of = new Map(written.filter(({ agendaItemId }) => agendaItemId).map((item) => [item.agendaItemId, item]));
  const planned = agenda.map(({ id }) => of.get(id) ?? { agendaItemId: id });
  const known = new Set(agenda.map(({ id }) => id));
  const others = written.filter(({ agendaItemId }) => !known.has(agendaItemId));
  return { attendance: minutes?.attendance ?? [], items: [...planned, ...others].map(entry) };
}

function entry({ agendaItemId = null, text = '', decision = null, actionItemIds = [] }) {
  return { agendaItemId, text, decision: decision?.text ?? '', result: decision?.result ?? 'carried', actionItemIds };
}

/** An entry for something that is not on the agenda. */
export const newEntry = () => entry({});

/** Returns the typed minutes with a change to one entry. */
export function withEntry(typed, at, change) {
  return { ...typed, items: typed.items.map((item, index) => (index === at ? { ...item, ...change } : item)) };
}

/** Returns the typed minutes with somebody's attendance; `present` "" takes the entry away. `who` is `{userId}` or `{name}`. */
export function withAttendance(typed, who, present) {
  const others = typed.attendance.filter(({ userId, name }) => (who.userId ? userId !== who.userId : name !== who.name));
  return { ...typed, attendance: present ? [...others, { ...who, present }] : others };
}

/** Returns the body of the request: without what nothing was written about. */
export function minutesBody({ attendance, items }) {
  return {
    attendance: attendance.map(({ userId, name, present }) => (userId ? { userId, present } : { name, present })),
    items: items.filter(({ text, decision, actionItemIds }) => text.trim() || decision.trim() || actionItemIds.length)
      .map(({ agendaItemId, text, decision, result, actionItemIds }) => ({
        agendaItemId, text, actionItemIds, decision: decision.trim() ? { text: decision, result } : null,
      })),
  };
}

/** Returns the entries that two versions say differently: `{at, mine, theirs}`; one that a version lacks is undefined. */
export function differences(mine, theirs) {
  const count = Math.max(mine.items.length, theirs.items.length);
  return Array.from({ length: count }, (_, at) => ({ at, mine: mine.items[at], theirs: theirs.items[at] }))
    .filter((each) => JSON.stringify(each.mine) !== JSON.stringify(each.theirs));
}
