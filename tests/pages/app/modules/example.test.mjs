// Tests of the example of the root page.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const { ExampleApi, exampleMeeting, exampleMembers } = await load('example');
const { best, booked, waitsForVote } = await load('ranking');

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

test('booking gives the meeting the time; whatever else is asked for is not there', async () => {
  const { meeting, slots } = exampleMeeting();
  const api = new ExampleApi(slots, meeting);
  const { data } = await api.call('confirmSlot', { params: { slotId: slots[2].id } });
  assert.equal(booked(data, slots).id, slots[2].id);
  assert.equal(Date.parse(data.endTime) - Date.parse(data.startTime), 90 * 60_000);
  await assert.rejects(api.get('getPoll', {}), { status: 404 });
  await assert.rejects(api.call('deleteSlot', {}), { status: 404 });
});
