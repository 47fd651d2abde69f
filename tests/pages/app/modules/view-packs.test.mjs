// A board pack on its meeting's page: who is offered to publish it, what is asked, and what is sent.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ME, at, example, open as shown, refusal } from './screen.mjs';

const HERE = at('meetings/:id');
const [DOCUMENT] = example('listDocuments');
const PACK = { ...DOCUMENT, id: 'pack', documentType: 'board_pack', latestVersionId: '02', committeeId: null };
const OLDER = { ...PACK, id: 'older', latestVersionId: '01' };
const unpublished = () => ({ ...example('getDocumentVersion'), publishedAt: null });
const own = example('listMembers').find(({ userId }) => userId === ME.id);
const MEMBERS = [own, ...['1', '2', '3'].map((id) => ({ ...own, id, userId: `user ${id}` }))];
const getMinutes = () => { throw refusal(404); };
const ANSWERS = { getMinutes, listMembers: MEMBERS, listDocuments: [OLDER, PACK], getDocumentVersion: unpublished };
const OFFER = 'Publish the pack: tell 3 members';
const open = (answers, options) => shown(HERE, { ...ANSWERS, ...answers }, options);

test('the newest pack is published after a question that says how many are told, and then says since when it is', async () => {
  let publishedAt = null;
  const screen = await open({
    getDocumentVersion: () => ({ ...unpublished(), publishedAt }),
    publishMeetingPack: () => { publishedAt = '2026-11-26T11:00:00.000Z'; return PACK; },
  });
  await screen.click(OFFER);
  assert.match(screen.text('dialog[open]'), /told that it can be read.*Tell nobody yet/);
  await screen.click(OFFER, 'dialog[open]');
  assert.deepEqual(screen.sent, [['publishMeetingPack']]);
  assert.match(screen.text('#agenda'), /Read the board pack Published/);
  assert.ok(!screen.offered().includes(OFFER));
  assert.ok(screen.asked.some(([name, { documentId }]) => name === 'getDocumentVersion' && documentId === 'pack'));
});

test('of a committee\'s pack its other members are counted', async () => {
  const committee = { ...example('listCommittees')[0], memberIds: [own.id, '1'] };
  const screen = await open({ listDocuments: [{ ...PACK, committeeId: committee.id }], listCommittees: [committee] });
  assert.ok(screen.offered().includes('Publish the pack: tell one member'));
});

test('a pack that cannot be read yet, and one for who may not publish it, is offered to nobody', async () => {
  const isOffered = (screen) => screen.offered().some((words) => words.startsWith('Publish'));
  assert.ok(!isOffered(await open({ listDocuments: [{ ...PACK, latestVersionId: null }] })));
  const reader = await open({}, { may: (name) => name !== 'publishMeetingPack' });
  assert.ok(!isOffered(reader));
  assert.equal(reader.one('#agenda a[href$="/documents/pack"]').textContent, 'Read the board pack');
});

const [PAPER] = example('listPaperRequests');
const LEAVE_OUT = '#agenda input[type="checkbox"]';
const asked = (status) => ({ getMeeting: { ...example('getMeeting'), status: 'scheduled' }, listPaperRequests: [{ ...PAPER, status }], createMeetingPack: PACK });

for (const [status, isOffered] of Object.entries({ requested: true, delivered: true, returned: true, approved: false, cancelled: false })) {
  test(`leaving out papers that are not approved is ${isOffered ? '' : 'not '}offered where one is ${status}`, async () => {
    const screen = await open(asked(status));
    assert.equal(screen.all(LEAVE_OUT).length, isOffered ? 1 : 0);
    await screen.click('Make the board pack');
    assert.deepEqual(screen.sent, [['createMeetingPack']]);
  });
}

test('a pack leaves out papers that are not approved where that is chosen', async () => {
  const screen = await open(asked('delivered'));
  await screen.fill(LEAVE_OUT, true);
  await screen.click('Make the board pack');
  assert.deepEqual(screen.sent, [['createMeetingPack', { approvedOnly: true }]]);
});

test('who may make no pack is not offered to leave out papers', async () => {
  const screen = await open(asked('delivered'), { may: (name) => name !== 'createMeetingPack' });
  assert.equal(screen.all(LEAVE_OUT).length, 0);
});
