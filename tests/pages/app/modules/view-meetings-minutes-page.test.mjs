// The minutes of a meeting on its page: typed, saved, read and printed.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { at, example, open, refusal } from './screen.mjs';

const HERE = at('meetings/:id');
const BOOKED = example('getMeeting');

test('what is typed last is in the minutes that are finalized', async () => {
  const minutes = { status: 'draft', attendance: [], items: [], quorum: { present: 0, members: 2 }, updatedAt: '1' };
  const screen = await open(HERE, {
    getMeeting: { ...BOOKED, status: 'completed' }, getMinutes: minutes, putMinutes: ({ body }) => ({ ...minutes, ...body }), updateMeeting: ({ body }) => ({ ...BOOKED, ...body }),
  });
  await screen.until(() => screen.one('#minutes textarea'));
  await screen.fill('#minutes textarea', 'The last word.');
  await screen.confirm('Finalize');
  await screen.until(() => screen.sent.length === 2);
  const [[first, { items }], second] = screen.sent;
  assert.deepEqual([first, items[0].text, second], ['putMinutes', 'The last word.', ['updateMeeting', { status: 'finalized' }]]);
});

/** Types into minutes that another began meanwhile, and answers what is kept; returns the text that is saved then. */
async function keeping(words) {
  const [item] = example('getAgenda').items;
  const theirs = { status: 'draft', attendance: [], items: [{ agendaItemId: item.id, text: 'Begun by another', decision: null, actionItemIds: [] }], quorum: { present: 0, members: 2 }, updatedAt: '2' };
  let isBegun = false;
  const screen = await open(HERE, {
    getMeeting: { ...BOOKED, status: 'in_progress' }, getMinutes: () => { if (!isBegun) throw refusal(404); return theirs; },
    putMinutes: ({ body }) => { if (!isBegun) { isBegun = true; throw refusal(412); } return { ...theirs, ...body }; },
  });
  await screen.until(() => screen.one('#minutes textarea'));
  await screen.fill('#minutes textarea', 'Begun here');
  await screen.sees('Begun by another', '#minutes .notice');
  assert.equal(screen.sent.length, 1);
  await screen.click(words);
  await screen.until(() => screen.sent.length === 2);
  return screen.sent[1][1].items[0].text;
}

test('minutes that another began meanwhile are shown beside what is typed, and written over only when that is said', async () => {
  assert.equal(await keeping('Keep yours'), 'Begun here');
});

test('what both have written about an item of the minutes can be kept', async () => {
  assert.equal(await keeping('Keep both'), 'Begun by another\n\nBegun here');
});

test('who does not run a meeting reads its minutes and is not offered to end it', async () => {
  const screen = await open(HERE, { getMeeting: { ...BOOKED, status: 'in_progress' }, getMinutes: { ...example('getMinutes'), status: 'draft' } }, { may: (name) => !['putMinutes', 'deleteMinutes', 'restoreMinutes'].includes(name) });
  await screen.until(() => screen.one('.minute'));
  assert.equal(screen.one('.minutes textarea'), null);
  assert.ok(!screen.offered().includes('Complete'), screen.offered().join());
});

test('what is typed into minutes stays on the page when the meeting ends or is gone', async () => {
  for (const ended of [{ getMeeting: { ...BOOKED, status: 'finalized' } }, { getMeeting: () => { throw refusal(404); } }]) {
    const screen = await open(HERE, { getMeeting: { ...BOOKED, status: 'in_progress' }, getMinutes: { ...example('getMinutes'), status: 'draft', items: [] }, putMinutes: () => { throw refusal(409); } });
    await screen.until(() => screen.one('.minutes textarea'));
    await screen.fill('.minutes textarea', 'Half an hour of work.');
    Object.assign(screen.answers, ended);
    await screen.view.meeting.refresh();
    await screen.sees('What you typed can no longer be saved here.');
    await screen.sees('Half an hour of work.');
  }
});

test('final minutes number their items as the agenda does, and say how the votes fell', async () => {
  const resolution = { ...example('getResolution'), status: 'carried', tally: { ...example('getResolution').tally, for: 4, against: 1, abstain: 2, outcome: 'carried' } };
  const [, second] = example('getAgenda').items;
  const items = [{ ...example('getMinutes').items[0], agendaItemId: second.id, decision: { text: resolution.title, result: 'carried' }, resolutionId: resolution.id, actionItemIds: [] }];
  const screen = await open(HERE, { getMeeting: { ...BOOKED, status: 'finalized' }, getMinutes: { ...example('getMinutes'), status: 'final', items }, listResolutions: [{ ...resolution, committeeId: null }] });
  await screen.until(() => screen.one('.minute'));
  const [first, decided] = screen.all('.minute').map(({ textContent }) => textContent.replace(/\s+/g, ' '));
  assert.match(first, /^1\. .*Nothing was noted\.$/, 'an item without a word does not vanish');
  assert.ok(decided.startsWith(`2. ${second.title}`), decided);
  assert.match(decided, /4 for, 1 against, 2 abstained/);
});

test('minutes name the chair first, with positions, and at the lines to sign', async () => {
  const [chair, secretary, other] = ['board chair', 'company secretary', 'investor'].map((position, index) => ({ ...example('listMembers')[0], userId: `u${index}`, firstName: position, lastName: 'Lee', boardPositions: [position] }));
  const attendance = [[other, 'remote'], [secretary, 'absent'], [chair, 'in_person']].map(([{ userId }, present]) => ({ userId, unregisteredUserId: null, name: null, present }));
  const screen = await open(HERE, { listMembers: [other, secretary, chair], getMeeting: { ...BOOKED, status: 'finalized' }, getMinutes: { ...example('getMinutes'), status: 'final', attendance } });
  await screen.until(() => screen.one('.minute'));
  const names = screen.all('#minutes .plain-list li').slice(0, 3).map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim());
  assert.deepEqual(names, ['board chair Lee, Board chair In person', 'investor Lee, Investor Remotely', 'company secretary Lee, Company secretary Absent']);
  assert.deepEqual(screen.all('.sign-line').map(({ textContent }) => textContent), ['board chair Lee, Chair', 'Secretary'], 'who was absent does not sign');
});

test('what could not be saved of minutes is saved when the connection or the sign-in is back', async () => {
  let isLost = true;
  const minutes = { ...example('getMinutes'), status: 'draft', items: [] };
  const screen = await open(HERE, { getMeeting: { ...BOOKED, status: 'in_progress' }, getMinutes: minutes, putMinutes: ({ body }) => {
    if (isLost) throw refusal(401);
    return { ...minutes, ...body };
  } });
  await screen.until(() => screen.one('.minutes textarea'));
  await screen.fill('.minutes textarea', 'Said while the line was down.');
  await screen.view.flush();
  await screen.sees('Not saved yet.', '#minutes-state');
  isLost = false;
  await screen.view.flush();
  await screen.sees('Everything is saved.', '#minutes-state');
  assert.match(JSON.stringify(screen.sent.at(-1)), /Said while the line was down\./);
});
