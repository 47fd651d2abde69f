
const HOUR_MS = 3_600_000;

export const VOTES = ['ok', 'challenging', 'cant'];

export function tally(slot) {
  if (!slot.feedbacks) return { ok: slot.ok, challenging: slot.challenging, cant: slot.cant, didNotVote: 0 };
  const counts = { ok: 0, challenging: 0, cant: 0, didNotVote: 0 };
  for (const { vote } of slot.feedbacks) counts[vote] += 1;
  return counts;
}

export function best(slots, now = Date.now()) {
  if (voters(slots) < 2) return [];
  const open = slots.filter((slot) => Date.parse(slot.startTime) > now).map((slot) => [slot.id, tally(slot)]);
  const [, top] = open.reduce((one, other) => (compare(one[1], other[1]) <= 0 ? one : other), ['', { ok: 0, cant: 0 }]);
  const found = open.filter(([, counts]) => compare(counts, top) === 0).map(([id]) => id);
  return top.ok === 0 || found.length * 2 >= open.length ? [] : found;
}

function voters(slots) {
  if (slots.some(({ feedbacks }) => !feedbacks)) return Math.max(0, ...slots.map(({ ok, challenging, cant }) => ok + challenging + cant));
  return rows(slots).filter((row) => Object.values(row.votes).some(({ vote }) => vote !== 'didNotVote')).length;
}

function compare(one, other) {
  return other.ok - one.ok || one.cant - other.cant;
}

export function booked(meeting, slots) {
  return slots.find((slot) => Date.parse(slot.startTime) === Date.parse(meeting.startTime));
}

export function collectsVotes(meeting, slots) {
  return ['draft', 'scheduled'].includes(meeting.status) && !booked(meeting, slots);
}

export function phaseOf({ status }) {
  if (status === 'in_progress') return 'run';
  return ['completed', 'finalized'].includes(status) ? 'after' : 'prepare';
}

export function canReopen(meeting, slots, now = Date.now()) {
  return meeting.status === 'scheduled' && Date.parse(meeting.startTime) > now && Boolean(booked(meeting, slots));
}

export function nextStep(meeting, slots, now = Date.now()) {
  const { status, startTime, endTime } = meeting;
  if (status === 'draft') return 'scheduled';
  if (status === 'in_progress') return 'completed';
  if (status === 'completed') return 'finalized';
  if (status === 'finalized') return null;
  if (!startTime) return slots.some((slot) => Date.parse(slot.startTime) > now) ? null : 'propose';
  if (Date.parse(endTime ?? startTime) <= now) return 'completed';
  return Date.parse(startTime) - now <= HOUR_MS / 2 ? 'in_progress' : null;
}

export function takesAnswers({ status, startTime, endTime }, now = Date.now()) {
  if (['completed', 'finalized'].includes(status)) return false;
  return status === 'in_progress' || !startTime || Date.parse(endTime ?? startTime) > now;
}

export function awaitsAnswers({ status, startTime }, now = Date.now()) {
  return status === 'scheduled' && Boolean(startTime) && Date.parse(startTime) > now;
}

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

export function byDay(slots, dayOf) {
  const days = new Map();
  for (const slot of [...slots].sort((one, other) => Date.parse(one.startTime) - Date.parse(other.startTime))) {
    const day = dayOf(slot.startTime);
    days.set(day, [...(days.get(day) ?? []), slot]);
  }
  return [...days].map(([day, found]) => ({ day, slots: found }));
}

export function isVoter(member) {
  return member.adminRole !== 'member' || member.accessType !== 'guest';
}

export function missing(slots) {
  return rows(slots).filter((row) => !row.isGuest && Object.values(row.votes).every(({ vote }) => vote === 'didNotVote'));
}

export function waitsForVote(slots, userId, now = Date.now()) {
  return missing(slots).some((row) => row.userId === userId) && slots.some(({ startTime }) => Date.parse(startTime) > now);
}

export function withVote(slot, userId, vote, comment) {
  const feedbacks = slot.feedbacks.map((each) => (each.userId === userId && !each.isGuest ? { ...each, vote, comment } : each));
  return { ...slot, feedbacks };
}
