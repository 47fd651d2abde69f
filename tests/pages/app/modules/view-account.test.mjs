// What waits for a person, and what is theirs: invites, notifications, switches, the page of a mail.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';
import { ME, at, example, open, refusal } from './screen.mjs';

const { ownZone } = await load('dates');

const [BOARD] = example('listBoards');
const MEETING = { ...example('getMeeting'), id: 'm1' };
const INVITE = '/invite/1f50599a-9fdd-476c-861a-b184c261b4f0?i=2f50599a-9fdd-476c-861a-b184c261b4f1';
const ALONE = { listBoards: [], listMyActionItems: [] };

test('the home names votes, answers and the next meeting, and takes an answer', async () => {
  const voting = { ...MEETING, id: 'm2', title: 'Wanted: a date', startTime: null, endTime: null };
  const slot = { ...example('listSlots')[0], feedbacks: [{ userId: ME.id, vote: 'didNotVote', comment: null, isGuest: false }] };
  const screen = await open('/app/for-you', {
    listBoards: [BOARD], listMeetings: [MEETING, voting], listSlots: [slot], getMeetingPoll: { ...example('getMeetingPoll'), closesAt: '2026-12-06T12:00:00.000Z' },
    listRsvps: [{ userId: ME.id, status: 'noAnswer', comment: null }],
  });
  await screen.until(() => screen.all('.home .rows li').length > 1);
  assert.ok(screen.one('a[href$="/m2"] .pill.warn'));
  assert.match(screen.text('.home'), /Next meeting.*Quarterly board meeting/);
  await screen.click('Maybe');
  assert.deepEqual([screen.sent, screen.said], [[['putMyRsvp', { status: 'tentative', comment: null }]], ['Your answer was saved.']]);
  assert.equal(screen.one('.rows [href$="/m1"]'), null);
  const reader = await open('/app/for-you', { listBoards: [BOARD], listMeetings: [voting], listSlots: [slot] }, { may: (name) => name !== 'voteOnSlot' });
  await reader.until(() => !reader.one('.loading'));
  assert.doesNotMatch(reader.text(), /to give/);
});

test('the token of a board has no home, and is led to its board', async () => {
  assert.deepEqual((await open('/app/for-you', {}, { me: 'token' })).gone, ['/boards']);
});

test('a newcomer finds the invite, with its words as words; accepts it, or declines after being asked', async () => {
  const [invite] = example('listMyReceivedInvites');
  const listMyReceivedInvites = [{ ...invite, inviteMessage: 'Join us &lt;soon&gt;' }];
  const screen = await open('/app/for-you', { ...ALONE, listMyReceivedInvites });
  assert.match(screen.text(), /Olivia Marsh invites you to the board Northwind Robotics.*Join us <soon>/);
  assert.doesNotMatch(screen.text(), /You are on no board yet/);
  await screen.click('Accept: Northwind Robotics');
  assert.deepEqual(screen.sent, [['acceptInvite']]);
  const other = await open('/boards', { ...ALONE, listMyReceivedInvites });
  await other.confirm('Decline', 'Decline the invite');
  assert.deepEqual(other.sent, [['declineInvite']]);
  assert.match(other.text(), /You are on no board yet\./);
});

test('who has no board looks at an example of which there is one, or joins by a code', async () => {
  const empty = { ...ALONE, listMyReceivedInvites: [] };
  const screen = await open('/app/for-you', empty);
  await screen.click('Open the example board');
  assert.match(screen.text(), /The board is being filled/);
  assert.deepEqual(screen.sent, [['createExampleBoard']]);
  const again = await open('/boards', { ...empty, createExampleBoard: () => { throw refusal(409, { reason: 'LIMIT_REACHED' }); }, joinBoard: ({ params }) => { if (params.inviteCode === 'wrong') throw refusal(404); return example('joinBoard'); } });
  await again.click('Open the example board');
  assert.match(again.text(), /You have an example board already/);
  await again.open('.disclosure:has(#f-code)');
  await again.fill('#f-code', 'wrong');
  await again.click('Join the board');
  assert.ok(again.one('.problem'));
  await again.fill('#f-code', 'right');
  await again.click('Join the board');
  assert.match(again.gone[0], /^\/boards\//);
});

test('an invite among the notifications is accepted or declined there', async () => {
  const news = { ...example('listNotifications')[0], type: 'board_invite', inviteId: 'i1', boardId: { _id: BOARD.id, name: BOARD.name } };
  const screen = await open('/app/notifications', { listNotifications: [news] });
  await screen.click('Accept');
  assert.match(screen.text('.news'), /You are now a member\. Open Northwind Robotics/);
  const other = await open('/app/notifications', { listNotifications: [news] });
  await other.click('Decline');
  assert.match(other.text('.news'), /You declined\./);
  assert.deepEqual([screen.sent, other.sent], [[['acceptInvite']], [['declineInvite']]]);
});

test('the page of an invitation shows who invites and the code, never its token; every wrong link shows one text', async () => {
  const screen = await open(INVITE);
  assert.equal(screen.text('h1'), 'Olivia Marsh invites you to the board Northwind Robotics');
  assert.ok(screen.text().includes('1f50599a-9fdd-476c-861a-b184c261b4f0'));
  assert.ok(!document.body.outerHTML.includes('2f50599a'));
  await screen.click('Decline');
  await screen.sees('You declined the invite');
  const shown = new Set();
  for (const address of [INVITE, INVITE.replace(/\?.*/, ''), '/invite/nonsense?i=x']) shown.add((await open(address, { previewInvite: () => { throw refusal(404); } })).text());
  const [text] = shown;
  assert.equal(shown.size, 1);
  assert.match(text, /This invite is no longer open/);
});

test('an invitation that cannot be loaded is no closed one, and is tried again; one for another address says so', async () => {
  let fails = true;
  const screen = await open(INVITE, { previewInvite: () => { if (fails) throw refusal(503); return example('previewInvite'); }, acceptInvite: () => { throw refusal(403, { message: 'another e-mail address' }); } });
  assert.match(screen.text(), /The service is busy\./);
  fails = false;
  await screen.click('Try again');
  await screen.sees('invites you to the board');
  await screen.click('Accept the invite');
  await screen.until(() => screen.text().includes('e-mail address') && screen.sent.length);
});

test('the link of a mail turns mails like it off, and a reload shows the present choice', async () => {
  assert.match((await open('/unsubscribe/x')).text(), /These e-mails are turned off/);
  const gone = await open('/unsubscribe/nothing', { unsubscribeFromMails: () => { throw refusal(404); }, getMailSubscription: () => { throw refusal(404); } });
  assert.match(gone.text(), /This link does not work/);
});

test('each switch says what it does, and is sent', async () => {
  const screen = await open('/app/account', { putCalendarSettings: ({ body }) => ({ ...example('getCalendarSettings'), ...body }) });
  const shown = screen.all('.choices tbody th').map((row) => row.textContent.trim().split(/\s{2,}/));
  assert.equal(shown.length, 9);
  assert.ok(shown.every((parts) => parts.join(' ').endsWith('.')));
  await screen.press(screen.one('#calendar-vote-requests'));
  await screen.press(screen.one('#calendar-invitations'));
  assert.deepEqual(screen.sent, [['putCalendarSettings', { voteRequests: false }], ['putCalendarSettings', { invitations: false }]]);
});

test('a guest whose link is closed is told what to do; one without an address is asked for it before a vote', async () => {
  const closed = await open('/guest/x', { getGuestMeeting: () => { throw refusal(404); } });
  assert.match(closed.text(), /This link does not work.*Ask the person who sent it/);
  const screen = await open('/guest/x');
  await screen.press(screen.one('.vote.ok'));
  assert.match(screen.text(), /Enter your address first/);
  assert.deepEqual(screen.sent, []);
});

test('who is told of nothing more marks all as read', async () => {
  const screen = await open('/app/notifications');
  await screen.click('Mark all as read');
  assert.deepEqual([screen.sent, screen.offered().includes('Mark all as read')], [[['markAllNotificationsRead']], false]);
});

test('a meeting leads from the notifications to its page', async () => {
  const screen = await open('/app/notifications');
  const [news] = example('listNotifications');
  assert.ok(screen.one('.news a').getAttribute('href').startsWith(at('meetings').replace(at(''), `/boards/${news.boardId._id}/`)));
});

test('somebody without a name is asked for it where others come to see it, with the language and the time zone of the browser', async () => {
  const nameless = { ...ME, firstName: null, lastName: null, fullName: '', language: null, timezone: null };
  for (const address of ['/app/for-you', at(''), at('invites')]) {
    let me = nameless;
    const answers = { getMe: () => me, updateMe: ({ body }) => (me = { ...me, ...body }) };
    const screen = await open(address.replace(/\/$/, ''), answers);
    assert.match(screen.text('#own-name'), /What is your name\?/, address);
    assert.equal(screen.one('#own-name [name=firstName]').required, true);
    assert.equal(screen.one(`#own-name [name=timezone] [value="${ownZone()}"]`).hasAttribute('selected'), true);
    await screen.fill('#own-name [name=firstName]', 'Ida');
    await screen.fill('#own-name [name=lastName]', 'Berg');
    await screen.click('Save', '#own-name');
    const [[operation, { firstName, lastName, language }]] = screen.sent;
    assert.deepEqual([operation, firstName, lastName, language], ['updateMe', 'Ida', 'Berg', 'en']);
    assert.equal(screen.one('#own-name'), null);
  }
});

test('nobody who has a name, or may not change it, is asked for it', async () => {
  assert.equal((await open('/app/for-you')).one('#own-name'), null);
  const nameless = { getMe: { ...ME, firstName: null } };
  assert.equal((await open('/app/for-you', nameless, { may: (name) => name !== 'updateMe' })).one('#own-name'), null);
});
