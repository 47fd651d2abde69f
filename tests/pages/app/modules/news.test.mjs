// Tests of notifications that are done.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const { settle } = await load('news');

test('what asked for a vote on a meeting is read once a vote is given, and nothing else is', async () => {
  const all = [['a', 'slot_proposed', '/m', false], ['b', 'slot_proposed', '/other', false], ['c', 'meeting_changed', '/m', false], ['d', 'vote_reminder', '/m', true]]
    .map(([_id, type, meetingLink, read]) => ({ _id, type, meetingLink, read }));
  const asked = [];
  const notifications = { data: all, set(data) { this.data = data; } };
  await settle({ notifications, api: { call: async (name, { params }) => asked.push([name, params.notificationId]) } }, '/m', ['slot_proposed', 'vote_reminder']);
  assert.deepEqual(asked, [['markNotificationRead', 'a']]);
  assert.deepEqual(notifications.data.filter(({ read }) => read).map(({ _id }) => _id), ['a', 'd']);
});

test('a vote stays given where its notification cannot be marked', async () => {
  const notifications = { data: [{ _id: 'a', type: 'slot_proposed', meetingLink: '/m', read: false }], set() {} };
  await settle({ notifications, api: { call: async () => { throw new Error('away'); } } }, '/m', ['slot_proposed']);
  assert.equal(notifications.data[0].read, false);
});
