// Tests of the voting grid.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { load } from './load.mjs';

const ranking = await load('ranking');

const NOW = Date.parse('2026-01-01T00:00:00Z');
const feedback = (userId, vote, email = null) => ({ userId, vote, comment: null, email, isGuest: email !== null });
const slot = (id, votes, startTime = '2026-06-01T10:00:00.000Z') => ({ id, startTime, feedbacks: votes.map((vote, index) => feedback(`u${index}`, vote)) });

test('a vote is one that the API takes', () => {
  const { schemas } = JSON.parse(readFileSync(new URL('../../../../openapi.json', import.meta.url))).components;
  assert.deepEqual(ranking.VOTES, schemas.Vote.enum);
});

test('the best time has most yes, then fewest no; ties share it where they are fewer than half', () => {
  const slots = [slot('a', ['ok', 'ok', 'cant']), slot('b', ['ok', 'ok', 'challenging']), slot('c', ['ok', 'challenging', 'challenging'])];
  assert.deepEqual(ranking.best(slots, NOW), ['b']);
  const four = [...slots, slot('d', ['ok', 'ok', 'didNotVote'])];
  assert.deepEqual(ranking.best(four, NOW), []);
  assert.deepEqual(ranking.best([...four, slot('e', ['cant'])], NOW), ['b', 'd']);
  assert.deepEqual(ranking.best(four.slice(0, 2), NOW), []);
});

test('no time is best before two people voted, or somebody can come, and a past one never is', () => {
  const alone = [slot('a', ['ok', 'didNotVote']), slot('b', ['cant', 'didNotVote']), slot('c', ['cant', 'didNotVote'])];
  assert.deepEqual(ranking.best(alone, NOW), []);
  alone[2].feedbacks[1].vote = 'cant';
  assert.deepEqual(ranking.best(alone, NOW), ['a']);
  assert.deepEqual(ranking.best(['a', 'b', 'c'].map((id) => slot(id, ['cant', 'challenging'])), NOW), []);
  assert.deepEqual(ranking.best([slot('a', ['challenging', 'challenging']), slot('b', ['cant', 'cant']), slot('c', ['cant', 'cant'])], NOW), []);
  for (const past of ['2025-06-01T10:00:00Z', '2026-01-01T00:00:00Z']) {
    assert.deepEqual(ranking.best([slot('p', ['ok', 'ok'], past), slot('a', ['ok']), slot('b', ['cant']), slot('c', ['cant'])], NOW), ['a']);
  }
  assert.deepEqual(ranking.best([], NOW), []);
});

test('a guest’s view, which has counts only, is ranked alike', () => {
  const counts = (id, ok, challenging, cant) => ({ id, startTime: '2026-06-01T10:00:00Z', ok, challenging, cant });
  assert.deepEqual(ranking.best([counts('a', 2, 0, 1), counts('b', 2, 3, 0), counts('c', 0, 0, 1)], NOW), ['b']);
  for (const [challenging, cant] of [[1, 0], [0, 1]]) assert.deepEqual(ranking.best([counts('a', 1, challenging, cant), counts('b', 0, 0, 1), counts('c', 0, 0, 1)], NOW), ['a']);
  assert.deepEqual(ranking.best([counts('a', 1, 0, 0), counts('b', 0, 1, 0), counts('c', 0, 0, 1)], NOW), []);
});

test('times are grouped by their day, in the order of time', () => {
  const at = (id, startTime) => ({ id, startTime });
  const slots = [at('b', '2026-06-02T10:00:00Z'), at('c', '2026-06-01T12:00:00Z'), at('a', '2026-06-01T10:00:00Z')];
  const days = ranking.byDay(slots, (instant) => instant.slice(0, 10)).map(({ day, slots: found }) => [day, found.map(({ id }) => id)]);
  assert.deepEqual(days, [['2026-06-01', ['a', 'c']], ['2026-06-02', ['b']]]);
});

test('members who only read the board cannot vote; its owner and admins always can', () => {
  const voters = [['member', 'guest'], ['member', 'collaborator'], ['member', 'manager'], ['admin', 'guest'], ['owner', 'guest']];
  assert.deepEqual(voters.map(([adminRole, accessType]) => ranking.isVoter({ adminRole, accessType })), [false, true, true, true, true]);
});

test('each state of a meeting has one next step, or waits for its members', () => {
  const next = (meeting, slots = [slot('a', [])]) => ranking.nextStep({ startTime: null, endTime: null, ...meeting }, slots, NOW);
  const at = (minutes) => new Date(NOW + minutes * 60_000).toISOString();
  assert.deepEqual(['draft', 'in_progress', 'completed', 'finalized'].map((status) => next({ status })), ['scheduled', 'completed', 'finalized', null]);
  const waiting = (...starts) => next({ status: 'scheduled' }, starts.map((start) => slot('p', [], at(start))));
  assert.deepEqual([waiting(), waiting(-1), waiting(0), waiting(0, 1)], ['propose', 'propose', 'propose', null]);
  assert.equal(next({ status: 'finalized', startTime: at(-60), endTime: at(-30) }), null);
  const booked = (start, end) => next({ status: 'scheduled', startTime: at(start), endTime: end === null ? null : at(end) });
  assert.deepEqual([booked(31, 60), booked(30, 60), booked(-30, 1), booked(-30, 0), booked(-1, null)], [null, 'in_progress', 'in_progress', 'completed', 'completed']);
});

test('nobody says that they will come to a meeting that is over', () => {
  const takes = (status, start, end) => ranking.takesAnswers({ status, startTime: start, endTime: end }, NOW);
  const [past, ahead] = ['2025-12-31T23:00:00Z', '2026-01-01T01:00:00Z'];
  assert.deepEqual([takes('scheduled', null, null), takes('scheduled', past, ahead), takes('draft', ahead, null), takes('in_progress', past, past)], [true, true, true, true]);
  assert.equal(takes('scheduled', past, '2026-01-01T00:00:00Z'), false);
  assert.deepEqual([takes('scheduled', past, past), takes('scheduled', past, null), takes('completed', ahead, ahead), takes('finalized', null, null)], [false, false, false, false]);
});

test('members are asked for an answer to a scheduled meeting that is still ahead', () => {
  const awaits = (status, startTime) => ranking.awaitsAnswers({ status, startTime }, NOW);
  assert.equal(awaits('scheduled', '2026-01-01T01:00:00Z'), true);
  assert.deepEqual([awaits('scheduled', null), awaits('scheduled', '2026-01-01T00:00:00Z'), awaits('draft', '2026-01-01T01:00:00Z')], [false, false, false]);
});

test('rows are members, then guests; missing are members without any answer', () => {
  const slots = [slot('a', ['ok', 'didNotVote']), slot('b', ['didNotVote', 'didNotVote'])];
  slots[0].feedbacks.unshift(feedback(null, 'ok', 'guest@example.org'));
  assert.deepEqual(ranking.rows(slots).map(({ key }) => key), ['member u0', 'member u1', 'guest guest@example.org']);
  assert.deepEqual(ranking.missing(slots).map(({ userId }) => userId), ['u1']);
});

test('each vote of a guest without an address has a row', () => {
  const guest = (vote) => ({ ...feedback(null, vote), isGuest: true });
  const slots = [{ ...slot('a', []), feedbacks: [guest('ok'), guest('cant')] }, { ...slot('b', []), feedbacks: [guest('ok')] }];
  assert.deepEqual(ranking.rows(slots).map(({ votes }) => Object.entries(votes).map(([id, { vote }]) => `${id} ${vote}`).join()), ['a ok', 'a cant', 'b ok']);
});

test('a vote waits for who has given none, while a time is still to come', () => {
  const none = ['didNotVote', 'didNotVote', 'didNotVote'];
  const slots = [slot('a', ['ok', 'didNotVote', 'didNotVote']), slot('b', none, '2026-06-02T10:00:00Z')];
  for (const before of [0, 1]) assert.deepEqual(['u0', 'u1', 'u2', 'somebody'].map((id) => ranking.waitsForVote(slots, id, Date.parse(slots[before].startTime) - 1)), [false, true, true, false]);
  assert.equal(ranking.waitsForVote(slots, 'u1', Date.parse(slots[1].startTime)), false);
});

test('a vote changes the voter’s own answer and nothing else', () => {
  const before = slot('a', ['ok', 'didNotVote']);
  const after = ranking.withVote(before, 'u1', 'cant', 'Travelling');
  assert.deepEqual(after.feedbacks[1], { ...before.feedbacks[1], vote: 'cant', comment: 'Travelling' });
  assert.deepEqual(after.feedbacks[0], before.feedbacks[0]);
  assert.equal(before.feedbacks[1].vote, 'didNotVote');
});

test('a meeting collects votes while it is draft or scheduled and not booked', () => {
  const slots = [slot('a', ['ok'])];
  for (const status of ['draft', 'scheduled']) assert.equal(ranking.collectsVotes({ status, startTime: null }, slots), true);
  assert.equal(ranking.collectsVotes({ status: 'scheduled', startTime: '2026-06-01T12:00:00+02:00' }, slots), false);
  assert.equal(ranking.collectsVotes({ status: 'in_progress', startTime: null }, slots), false);
});

test('a meeting is prepared until it begins, and is over from its completion', () => {
  const phases = ['draft', 'scheduled', 'in_progress', 'completed', 'finalized'].map((status) => ranking.phaseOf({ status }));
  assert.deepEqual(phases, ['prepare', 'prepare', 'run', 'after', 'after']);
});

test('the voting can be opened again while a proposed time is booked and has not come', () => {
  const slots = [{ id: 's', startTime: '2099-01-01T09:00:00.000Z' }];
  const meeting = { status: 'scheduled', startTime: '2099-01-01T09:00:00Z' };
  const now = Date.parse('2099-01-01T08:00:00Z');
  assert.equal(ranking.canReopen(meeting, slots, now), true);
  for (const [other, at] of [[{ ...meeting, status: 'in_progress' }, now], [{ ...meeting, startTime: '2099-01-02T09:00:00Z' }, now], [{ ...meeting, startTime: null }, now], [meeting, now + 7_200_000]]) assert.equal(ranking.canReopen(other, slots, at), false);
});
