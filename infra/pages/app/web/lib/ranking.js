// The voting grid: who said what, and which time suits best.

export const VOTES = ['ok', 'challenging', 'cant'];

/** Returns the counts of a slot's votes: `{ok, challenging, cant, didNotVote}`. */
export function tally(slot) {
  if (!slot.feedbacks) return { ok: slot.ok, challenging: slot.challenging, cant: slot.cant, didNotVote: 0 };
  const counts = { ok: 0, challenging: 0, cant: 0, didNotVote: 0 };
  for (const { vote } of slot.feedbacks) counts[vote] += 1;
  return counts;
}

/** Returns the ids of the best slots: most "ok", then fewest "cant"; none before somebody can come, past ones never. */
export function best(slots, now = Date.now()) {
  const open = slots.filter((slot) => Date.parse(slot.startTime) > now).map((slot) => [slot.id, tally(slot)]);
  const [, top] = open.reduce((one, other) => (compare(one[1], other[1]) <= 0 ? one : other), ['', { ok: 0, cant: 0 }]);
  return top.ok === 0 ? [] : open.filter(([, counts]) => compare(counts, top) === 0).map(([id]) => id);
}

function compare(one, other) {
  return other.ok - one.ok || one.cant - other.cant;
}

/** Returns the slot that the meeting is booked for, or undefined. */
export function booked(meeting, slots) {
  if (!meeting.startTime) return undefined;
  return slots.find((slot) => Date.parse(slot.startTime) === Date.parse(meeting.startTime));
}

/** Whether members may vote: an unbooked draft or scheduled meeting. */
export function collectsVotes(meeting, slots) {
  return ['draft', 'scheduled'].includes(meeting.status) && !booked(meeting, slots);
}

/** Returns the grid's rows: one per member in the order of the votes, then one per guest's address. */
export function rows(slots) {
  const found = new Map();
  for (const slot of slots) {
    for (const { userId, email, isGuest, vote, comment } of slot.feedbacks) {
      const key = isGuest ? `guest ${email}` : `member ${userId}`;
      if (!found.has(key)) found.set(key, { key, userId, email, isGuest, votes: {} });
      found.get(key).votes[slot.id] = { vote, comment };
    }
  }
  return [...found.values()].sort((one, other) => Number(one.isGuest) - Number(other.isGuest));
}

/** Returns the rows of members who answered none of the slots. */
export function missing(slots) {
  return rows(slots).filter((row) => !row.isGuest && Object.values(row.votes).every(({ vote }) => vote === 'didNotVote'));
}

/** Returns the slot as it would be after a member's vote. */
export function withVote(slot, userId, vote, comment) {
  const feedbacks = slot.feedbacks.map((each) => (each.userId === userId && !each.isGuest ? { ...each, vote, comment } : each));
  return { ...slot, feedbacks };
}
