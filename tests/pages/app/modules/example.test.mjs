// Tests of the example of the root page.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const { ExampleApi, exampleMeeting, exampleMembers } = await load('example');
const { VOTES, best, booked, collectsVotes, isVoter, waitsForVote } = await load('ranking');
const { personName } = await load('words');

test('one tap of the visitor moves the best time', async () => {
  const { meeting, slots } = exampleMeeting();
  const api = new ExampleApi(slots, meeting);
  const before = best(slots);
  assert.equal(before.length, 1);
  const other = slots[1].id;
  assert.notEqual(before[0], other);
  const answer = await api.get('voteOnSlot', { params: { slotId: other }, body: { vote: 'ok' } });
  assert.equal(answer.feedbacks.find(({ userId }) => userId === 'you').vote, 'ok');
  assert.deepEqual(best(api.slots), [other]);
});

test('every time is still to come, everybody of the board is in it, and the visitor has not voted', () => {
  const { slots } = exampleMeeting();
  assert.ok(slots.every(({ startTime }) => Date.parse(startTime) > Date.now()));
  for (const { feedbacks } of slots) assert.deepEqual(feedbacks.map(({ userId }) => userId), exampleMembers().map(({ userId }) => userId));
  assert.equal(waitsForVote(slots, 'you'), true);
  assert.equal(waitsForVote(slots, 'ana'), false);
});

test('everybody has a name and may vote, and the visitor is called so', () => {
  const members = exampleMembers();
  assert.ok(members.every(isVoter));
  for (const values of [members.map(personName), members.map(({ userId }) => userId)]) assert.equal(new Set(values.filter(Boolean)).size, 6);
  assert.equal(personName(members[0]), 'You');
  assert.equal(new Set(members.map(({ firstName }) => firstName)).size, 6);
  assert.ok(members.slice(1).every(({ lastName }) => lastName));
});

test('the meeting looks for a time, in weeks to come and in working hours; the others have voted in every way', () => {
  const now = Date.parse('2026-12-11T21:30:00Z');
  const { meeting, slots } = exampleMeeting(now);
  assert.ok(meeting.title && collectsVotes(meeting, slots));
  for (const { startTime } of slots) {
    const [days, hour] = [(Date.parse(startTime) - now) / 86_400_000, new Date(startTime).getUTCHours()];
    assert.ok(days > 14 && days < 28 && hour >= 9 && hour <= 16, startTime);
  }
  const votes = slots.flatMap(({ feedbacks }) => feedbacks.map(({ vote }) => vote));
  assert.deepEqual([...new Set(votes)].sort(), [...VOTES, 'didNotVote'].sort());
});

test('booking gives the meeting the time; whatever else is asked for is not there', async () => {
  const { meeting, slots } = exampleMeeting();
  const api = new ExampleApi(slots, meeting);
  const { data } = await api.call('confirmSlot', { params: { slotId: slots[2].id } });
  assert.equal(booked(data, slots).id, slots[2].id);
  assert.equal(Date.parse(data.endTime) - Date.parse(data.startTime), 90 * 60_000);
  await assert.rejects(api.get('getMeetingPoll', {}), { status: 404 });
  await assert.rejects(api.call('deleteSlot', {}), { status: 404 });
});
