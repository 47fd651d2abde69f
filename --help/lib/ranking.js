// The voting grid: who said what, and which time suits best.

import { timeNow } from './clock.js';

const HOUR_MS = 3_600_000;

export const VOTES = ['ok', 'challenging', 'cant'];

/** Returns the counts of a slot's votes: `{ok, challenging, cant, didNotVote}`. */
export function tally(slot) {
  if (!slot.feedbacks) return { ok: slot.ok, challenging: slot.challenging, cant: slot.cant, didNotVote: 0 };
  const counts = { ok: 0, challenging: 0, cant: 0, didNotVote: 0 };
  for (const { vote } of slot.feedbacks) counts[vote] += 1;
  return counts;
}

/**
 * Returns the ids of the best slots: most "ok", then fewest "cant"; past ones never. There is none before two people have
 * voted, nor where half of the slots or more are equally good.
 */
export function best(slots, now = timeNow()) {
  if (voters(slots) < 2) return [];
  const open = slots.filter((slot) => Date.parse(slot.startTime) > now).map((slot) => [slot.id, tally(slot)]);
  const [, top] = open.reduce((one, other) => (compare(one[1], other[1]) <= 0 ? one : other), ['', { ok: 0, cant: 0 }]);
  const found = open.filter(([, counts]) => compare(counts, top) === 0).map(([id]) => id);
  return top.ok === 0 || found.length * 2 >= open.length ? [] : found;
}

/** Returns how many people have voted on one of the slots; of a guest's view, which names nobody, the least that it can be. */
function voters(slots) {
  if (slots.some(({ feedbacks }) => !feedbacks)) return Math.max(0, ...slots.map(({ ok, challenging, cant }) => ok + challenging + cant));
  return rows(slots).filter((row) => Object.values(row.votes).some(({ vote }) => vote !== 'didNotVote')).length;
}

function compare(one, other) {
  return other.ok - one.ok || one.cant - other.cant;
}

/** Returns the slot that the meeting is booked for, or undefined. */
export function booked(meeting, slots) {
  return slots.find((slot) => Date.parse(slot.startTime) === Date.parse(meeting.startTime));
}

/** Whether members may vote: an unbooked draft or scheduled meeting that takes place. */
export function collectsVotes(meeting, slots) {
  return !meeting.cancellation && ['draft', 'scheduled'].includes(meeting.status) && !booked(meeting, slots);
}

/** Returns what a meeting is about now: `prepare`, `run` or `after`. */
export function phaseOf({ status }) {
  if (status === 'in_progress') return 'run';
  return ['completed', 'finalized'].includes(status) ? 'after' : 'prepare';
}

/** Whether the voting can be opened again: a time is booked from the proposed ones, and has not come. */
export function canReopen(meeting, slots, now = timeNow()) {
  return meeting.status === 'scheduled' && !meeting.cancellation && Date.parse(meeting.startTime) > now && Boolean(booked(meeting, slots));
}

/**
 * Returns what comes next for a meeting: the status to give it, `propose` where it needs times, or null where the members have
 * to act: they vote, answer, or wait for its day.
 */
export function nextStep(meeting, slots, now = timeNow()) {
  const { status, startTime, endTime, cancellation } = meeting;
  if (cancellation) return null;
  if (status === 'draft') return 'scheduled';
  if (status === 'in_progress') return 'completed';
  if (status === 'completed') return 'finalized';
  if (status === 'finalized') return null;
  if (!startTime) return slots.some((slot) => Date.parse(slot.startTime) > now) ? null : 'propose';
  if (Date.parse(endTime ?? startTime) <= now) return 'completed';
  return Date.parse(startTime) - now <= HOUR_MS / 2 ? 'in_progress' : null;
}

/** Whether members can still say that they will come: until a meeting is over. */
export function takesAnswers({ status, startTime, endTime, cancellation }, now = timeNow()) {
  if (cancellation || ['completed', 'finalized'].includes(status)) return false;
  return status === 'in_progress' || !startTime || Date.parse(endTime ?? startTime) > now;
}

/** Whether members can be asked if they will come: a scheduled meeting whose start is ahead. */
export function awaitsAnswers({ status, startTime, cancellation }, now = timeNow()) {
  return !cancellation && status === 'scheduled' && Boolean(startTime) && Date.parse(startTime) > now;
}

/**
 * Returns the grid's rows: one per member in the order of the votes, then one per guest's address. Of guests whose
 * address is hidden, or was removed, nobody knows which votes are one guest's: each has a row.
 */
export function rows(slots) {
  const found = new Map();
  for (const slot of slots) {
    for (const [place, { userId, email, isGuest, vote, comment }] of slot.feedbacks.entries()) {
      const key = isGuest ? `guest ${email ?? `${slot.id} ${place}`}` : `member ${userId}`;
      if (!found.has(key)) found.set(key, { key, userId, email, isGuest, votes: {} });
      found.get(key).votes[slot.id] = { vote, comment };
    }
  }
  return [...found.values()].sort((one, other) => Number(one.isGuest) - Number(other.isGuest));
}

/** Returns the slots in groups by their day, in the order of time: `[{day, slots}]`; `dayOf` names the day of an instant. */
export function byDay(slots, dayOf) {
  const days = new Map();
  for (const slot of [...slots].sort((one, other) => Date.parse(one.startTime) - Date.parse(other.startTime))) {
    const day = dayOf(slot.startTime);
    days.set(day, [...(days.get(day) ?? []), slot]);
  }
  return [...days].map(([day, found]) => ({ day, slots: found }));
}

/** Whether a member may vote on times: guests of the board only read. */
export function isVoter(member) {
  return member.adminRole !== 'member' || member.accessType !== 'guest';
}

/** Returns the rows of members who answered none of the slots. */
export function missing(slots) {
  return rows(slots).filter((row) => !row.isGuest && Object.values(row.votes).every(({ vote }) => vote === 'didNotVote'));
}

/** Whether somebody has voted on none of the slots, of which one is still to come. */
export function waitsForVote(slots, userId, now = timeNow()) {
  return missing(slots).some((row) => row.userId === userId) && slots.some(({ startTime }) => Date.parse(startTime) > now);
}

/** Returns the slot as it would be after a member's vote. */
export function withVote(slot, userId, vote, comment) {
  const feedbacks = slot.feedbacks.map((each) => (each.userId === userId && !each.isGuest ? { ...each, vote, comment } : each));
  return { ...slot, feedbacks };
}
