// Who of the people without an account is invited to a meeting: what is said, chosen and sent.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { at, example, open, refusal } from './screen.mjs';

const HERE = at('meetings/:id');
const BOOKED = example('getMeeting');
const MEETING = { ...BOOKED, startTime: null, endTime: null };
const LATER = { ...example('listSlots')[0], id: 'later', startTime: '2098-12-11T09:15:00.000Z' };
const NO_POLL = () => { throw refusal(404); };
const GRETA = { ...example('listUnregisteredUsers')[0], status: 'active', receivesMail: true, email: 'greta@example.org', bounce: null };
const HANS = { ...GRETA, id: '0123456789abcdef01234567', fullName: 'Hans Moor', email: 'hans@example.org' };
const ALL_OF_THEM = { ...example('getMeetingPeople'), unregisteredUserIds: null, updatedAt: null };

test('a meeting says how many people without an account are invited, and some of them are chosen; all is the default', async () => {
  const putMeetingPeople = ({ body }) => ({ ...ALL_OF_THEM, ...body, updatedAt: '2026-11-20T10:15:00.000Z' });
  const screen = await open(HERE, { getMeeting: MEETING, getMeetingPoll: NO_POLL, listUnregisteredUsers: [GRETA, HANS], getMeetingPeople: ALL_OF_THEM, putMeetingPeople });
  assert.match(screen.text('dl.facts'), /All 2 people without an account are invited\./);
  const choose = async (...unticked) => {
    await screen.open('#invited-people');
    for (const { id } of [GRETA, HANS]) await screen.fill(`#invited-people [value="${id}"]`, !unticked.includes(id));
    await screen.click('Save who is invited', '#invited-people');
  };
  assert.deepEqual(screen.all('#invited-people [name=people]').map(({ checked }) => checked), [true, true]);
  await choose(HANS.id);
  assert.match(screen.text('dl.facts'), /One of 2 people without an account is invited\./);
  await choose();
  await choose(GRETA.id, HANS.id);
  assert.match(screen.text('dl.facts'), /Nobody without an account is invited\./);
  assert.deepEqual(screen.sent, [[GRETA.id], null, []].map((unregisteredUserIds) => ['putMeetingPeople', { unregisteredUserIds }]));
});

test('who proposes times sees how many without an account are asked, and chooses them there', async () => {
  const screen = await open(HERE, { getMeeting: MEETING, getMeetingPoll: NO_POLL, listUnregisteredUsers: [GRETA, HANS], getMeetingPeople: { ...ALL_OF_THEM, unregisteredUserIds: [GRETA.id] } });
  await screen.open('#propose');
  await screen.until(() => screen.one('#asked-people'));
  assert.match(screen.text('#propose'), /One of 2 people without an account is invited\./);
  assert.deepEqual(screen.all('#asked-people [name=people]').map(({ checked }) => checked), [true, false]);
  assert.equal(screen.one('#asked-people legend').textContent, 'Invited without an account');
});

test('who is told of a booking counts those without an account who are invited', async () => {
  const answers = { getMeeting: MEETING, getMeetingPoll: NO_POLL, listSlots: [LATER], listUnregisteredUsers: [GRETA, HANS] };
  const asked = async (unregisteredUserIds) => {
    const screen = await open(HERE, { ...answers, getMeetingPeople: { ...ALL_OF_THEM, unregisteredUserIds } });
    await screen.press(screen.one('#times [aria-label^="Book"]'));
    return screen.one('.confirm-box[open]').textContent;
  };
  assert.match(await asked(null), /2 people without an account get a mail, too\./);
  assert.match(await asked([HANS.id]), /One person without an account gets a mail, too\./);
  assert.doesNotMatch(await asked([]), /without an account/);
});

test('readers and a board without such people are offered no choice', async () => {
  const reader = await open(HERE, { getMeeting: MEETING, getMeetingPoll: NO_POLL, listUnregisteredUsers: [GRETA], getMeetingPeople: ALL_OF_THEM }, { may: (name) => name !== 'putMeetingPeople' });
  assert.match(reader.text('dl.facts'), /One person without an account is invited\./);
  assert.equal(reader.one('#invited-people'), null);
  const finalized = await open(HERE, { getMeeting: { ...BOOKED, status: 'finalized' }, listUnregisteredUsers: [GRETA], getMeetingPeople: ALL_OF_THEM });
  assert.equal(finalized.one('#invited-people'), null);
  const alone = await open(HERE, { getMeeting: MEETING, getMeetingPoll: NO_POLL, listUnregisteredUsers: [], getMeetingPeople: ALL_OF_THEM });
  assert.doesNotMatch(alone.text('dl.facts'), /without an account/);
});
