// The papers that a meeting asks for, on its page: what is missing in words, who is offered what, and what is sent.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ME, at, example, open as shown, ownInstant, refusal } from './screen.mjs';

const HERE = at('meetings/:id');
const MEETING = example('getMeeting');
const [PAPER] = example('listPaperRequests');
const [REMIND, APPROVE] = ['Remind Hanna Berg of “Forecast”', 'Approve “Forecast”'];
const own = example('listMembers').find(({ userId }) => userId === ME.id);
const HANNA = { ...own, id: 'hanna', userId: 'user hanna', firstName: 'Hanna', lastName: 'Berg' };
const paper = (members) => ({ ...PAPER, id: 'p1', title: 'Forecast', status: 'requested', from: { userId: HANNA.userId }, reviewerUserId: null, documentId: null, deliveredAt: null, dueAt: '2098-03-01T09:00:00.000Z', note: null, ...members });
const getMinutes = () => { throw refusal(404); };
const ANSWERS = { getMinutes, getMeeting: { ...MEETING, status: 'scheduled' }, listMembers: [own, HANNA], listPaperRequests: [] };
const open = (answers, options) => shown(HERE, { ...ANSWERS, ...answers }, options);
const cells = (screen) => screen.all('#papers tbody tr > *').map((cell) => cell.textContent.replace(/\s+/g, ' ').trim());

test('a paper is asked for with the time that it is due at, and stands in the table', async () => {
  const screen = await open({ createPaperRequest: ({ body }) => paper({ title: body.title }) });
  assert.match(screen.text('#papers'), /Nobody is asked for a paper yet/);
  await screen.click('Ask for a paper');
  await screen.fill('#paper-title', 'Forecast');
  await screen.fill('#paper-from', `member ${HANNA.userId}`);
  await screen.fill('#paper-due', '2098-03-01T10:00');
  await screen.click('Ask');
  const body = { title: 'Forecast', from: { userId: HANNA.userId }, dueAt: ownInstant('2098-03-01T10:00'), agendaItemId: null, reviewerUserId: null, instructions: null };
  assert.deepEqual(screen.sent, [['createPaperRequest', body]]);
  assert.deepEqual(screen.said, ['Hanna Berg is asked for the paper.']);
  assert.match(screen.text('#papers'), /One paper is missing.*Forecast Missing.*Hanna Berg/);
});

test('one press reminds of a paper that is missing, and says so', async () => {
  const screen = await open({ listPaperRequests: [paper({ dueAt: '2020-01-01T09:00:00.000Z' })] });
  assert.match(screen.text('#papers'), /Overdue/);
  await screen.click(REMIND, '#papers');
  assert.deepEqual(screen.sent, [['remindPaperRequest']]);
  await screen.sees('Reminded.', '#papers');
});

test('who was reminded today is not reminded again, and the page says how long that is so', async () => {
  const screen = await open({ listPaperRequests: [paper()], remindPaperRequest: () => { throw refusal(429, { wait: 7200 }); } });
  await screen.click(REMIND, '#papers');
  await screen.sees('2 hours', '#papers');
});

test('a delivered paper is approved with one press, or returned with a note', async () => {
  const delivered = paper({ status: 'delivered', documentId: 'd1', deliveredAt: '2026-11-20T10:15:00.000Z' });
  let status = 'approved';
  const answers = { listPaperRequests: [delivered], decidePaperRequest: ({ body }) => ({ ...delivered, status, note: body.note ?? null, decidedAt: '2026-11-21T10:15:00.000Z' }) };
  const screen = await open(answers);
  assert.match(screen.one('#papers td a').getAttribute('href'), /\/documents\/d1$/);
  assert.ok(!screen.offered('#papers').includes(REMIND));
  await screen.click(APPROVE, '#papers');
  assert.match(cells(screen).join(' | '), /Forecast Approved/);
  status = 'returned';
  const other = await open(answers);
  await other.click('Return “Forecast”', '#papers');
  await other.fill('dialog[open] textarea', 'The figures');
  await other.click('Return the paper', 'dialog[open]');
  assert.deepEqual(other.sent, [['decidePaperRequest', { decision: 'returned', note: 'The figures' }]]);
  assert.match(other.text('#papers'), /Note: The figures/);
});

test('an approved paper, which no list of the meeting has, is on the agenda under what was asked for', async () => {
  const agenda = example('getAgenda');
  const [item] = agenda.items;
  const approved = paper({ status: 'approved', documentId: 'd1', agendaItemId: item.id });
  const screen = await open({ listPaperRequests: [approved], getAgenda: { ...agenda, items: [{ ...item, documentIds: ['d1', 'd2'] }] } });
  assert.deepEqual(screen.all('#agenda .papers a').map(({ textContent }) => textContent), ['Forecast', 'A paper']);
});

test('the reviewer alone decides, and nobody on a paper that they cannot read', async () => {
  const delivered = paper({ status: 'delivered', documentId: 'd1', deliveredAt: '2026-11-20T10:15:00.000Z', reviewerUserId: HANNA.userId });
  for (const request of [delivered, { ...delivered, reviewerUserId: null, documentId: null }]) {
    const screen = await open({ listPaperRequests: [request] });
    assert.ok(!screen.offered('#papers').includes(APPROVE));
  }
});

test('who is asked delivers a file, and is not offered to remind themselves', async () => {
  const screen = await open({ listPaperRequests: [paper({ from: { userId: ME.id } })] });
  const label = screen.one('#papers label[for="paper-file-p1"]');
  assert.match(label.textContent, /Deliver a file: Forecast/);
  assert.equal(screen.one('#paper-file-p1').type, 'file');
  assert.ok(!screen.offered('#papers').includes(REMIND));
});

test('who may not ask sees no card without papers, and no form beside theirs', async () => {
  const may = (name) => !['createPaperRequest', 'updatePaperRequest', 'deletePaperRequest', 'remindPaperRequest'].includes(name);
  assert.equal((await open({}, { may })).one('#papers'), null);
  const screen = await open({ listPaperRequests: [paper({ from: { userId: ME.id } })] }, { may });
  assert.ok(screen.one('#papers'));
  assert.deepEqual(screen.offered('#papers'), []);
});

// -- people without an account

const ANNA = { ...example('listUnregisteredUsers')[0], id: 'a'.repeat(24), fullName: 'Anna Weiss', status: 'active', receivesMail: true, email: 'anna@example.com', bounce: null };
const FORMER = { ...ANNA, id: 'b'.repeat(24), fullName: 'Otto Alt', status: 'archived' };
const OF_ANNA = { userId: null, unregisteredUserId: ANNA.id };
const bounced = (kind) => ({ kind, at: '2026-11-20T10:15:00.000Z', reason: 'unknown' });
const hers = (members) => paper({ from: OF_ANNA, ...members });
const ACCESS = { adminRole: 'member', accessType: 'collaborator' };
const manages = { ...own, adminRole: 'admin' };

test('people without an account are asked beside the members, and the form says how they deliver', async () => {
  const screen = await open({ listUnregisteredUsers: [ANNA, FORMER], createPaperRequest: ({ body }) => hers({ title: body.title }) });
  await screen.click('Ask for a paper');
  assert.deepEqual(screen.all('#paper-from optgroup').map(({ label }) => label), ['Members', 'People without an account']);
  assert.deepEqual(screen.all('#paper-from optgroup:last-child option').map(({ textContent }) => textContent), ['Anna Weiss']);
  await screen.fill('#paper-title', 'Forecast');
  await screen.fill('#paper-due', '2098-03-01T10:00');
  await screen.fill('#paper-from', `member ${HANNA.userId}`);
  assert.equal(screen.text('#paper-from-hint'), '');
  await screen.fill('#paper-from', `person ${ANNA.id}`);
  assert.equal(screen.text('#paper-from-hint'), 'They deliver by a link in a mail, without an account.');
  await screen.click('Ask');
  assert.deepEqual(screen.sent.map(([name, { from }]) => [name, from]), [['createPaperRequest', { unregisteredUserId: ANNA.id }]]);
  assert.deepEqual(screen.said, ['Anna Weiss is asked for the paper.']);
  assert.match(screen.text('#papers'), /Forecast Missing.*Anna Weiss/);
  assert.deepEqual([screen.one('#paper-from').value, screen.text('#paper-from-hint')], ['', '']);
});

test('a person without an account is reminded, and what they delivered is read, decided on and noted like a member\'s', async () => {
  const screen = await open({ listUnregisteredUsers: [ANNA], listPaperRequests: [hers()] });
  await screen.click('Remind Anna Weiss of “Forecast”', '#papers');
  assert.deepEqual(screen.sent, [['remindPaperRequest']]);
  const delivered = hers({ status: 'delivered', documentId: 'd1', deliveredAt: '2026-11-20T10:15:00.000Z' });
  const other = await open({ listUnregisteredUsers: [ANNA], listPaperRequests: [delivered], decidePaperRequest: ({ body }) => ({ ...delivered, status: 'returned', note: body.note }) });
  assert.match(other.one('#papers td a').getAttribute('href'), /\/documents\/d1$/);
  await other.click('Return “Forecast”', '#papers');
  assert.match(other.text('dialog[open]'), /Anna Weiss is asked for the paper again\./);
  await other.fill('dialog[open] textarea', 'The figures');
  await other.click('Return the paper', 'dialog[open]');
  assert.match(other.text('#papers'), /Note: The figures.*Anna Weiss/);
});

for (const [silence, members] of Object.entries({
  'Gets no mails: no address is known.': { email: null },
  'Gets no mails: they are turned off.': { receivesMail: false },
  'Gets no mails: they come back.': { bounce: bounced('bounce') },
  'Gets no mails: one was marked as spam.': { bounce: bounced('complaint') },
  'Archived: gets no mails.': { status: 'archived' },
})) {
  test(`who gets no mails is not reminded, and the table says why: ${silence}`, async () => {
    const screen = await open({ listMembers: [manages], listUnregisteredUsers: [{ ...ANNA, ...members }], listPaperRequests: [hers()] });
    assert.equal(cells(screen)[1], `Anna Weiss ${silence}`);
    assert.ok(!screen.offered('#papers').includes('Remind Anna Weiss of “Forecast”'));
    const approved = await open({ listMembers: [manages], listUnregisteredUsers: [{ ...ANNA, ...members }], listPaperRequests: [hers({ status: 'approved' })] });
    assert.equal(cells(approved)[1], 'Anna Weiss');
  });
}

test('before somebody who gets no mails is asked, the form says what that means', async () => {
  const screen = await open({ listUnregisteredUsers: [{ ...ANNA, receivesMail: false }] });
  await screen.click('Ask for a paper');
  await screen.fill('#paper-from', `person ${ANNA.id}`);
  assert.equal(screen.text('#paper-from-hint'), 'Gets no mails: they are turned off. Without a mail, they have no link to deliver by.');
});

test('who is not shown addresses is not told that there is none, and may remind', async () => {
  const screen = await open({ listMembers: [{ ...own, ...ACCESS }], listUnregisteredUsers: [{ ...ANNA, email: null }], listPaperRequests: [hers()] });
  assert.equal(cells(screen)[1], 'Anna Weiss');
  assert.ok(screen.offered('#papers').includes('Remind Anna Weiss of “Forecast”'));
});

test('a token of the board, which is nobody, is not offered to deliver what somebody without an account is asked for', async () => {
  const screen = await open({ listUnregisteredUsers: [ANNA], listPaperRequests: [hers()] }, { me: 'token' });
  assert.equal(cells(screen)[1], 'Anna Weiss');
  assert.equal(screen.one('#papers input[type=file]'), null);
});
