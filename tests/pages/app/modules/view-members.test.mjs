// People without an account: added, invited, found among the members, archived.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ME, at, example, open, refusal } from './screen.mjs';

const [GRETA] = example('listUnregisteredUsers');
const [MEMBER] = example('listMembers').filter(({ userId }) => userId !== ME.id);
const person = (more = {}) => ({ ...GRETA, bounce: null, mergedIntoMemberId: null, scrubbedAt: null, status: 'active', ...more });
const ROW = `#person-${GRETA.id}`;

/** Shows the members with one person without an account. */
const shown = (more, answers = {}, options = {}) => open(at('members'), { listUnregisteredUsers: [person(more)], ...answers }, options);

/** Asks to merge somebody who looks like a member, and waits for what would move. */
async function merging(answer, more = {}) {
  const screen = await shown({ fullName: 'Adam Reyes', firstName: 'Adam', lastName: 'Reyes', ...more }, { mergeUnregisteredUser: answer, getUnregisteredUser: person({ status: 'merged', mergedIntoMemberId: MEMBER.id }) });
  assert.match(screen.text(ROW), /This looks like Adam Reyes, a member\./);
  await screen.open(`${ROW} .notice .disclosure`);
  await screen.until(() => screen.one(`${ROW} .notice .disclosure-box p:not(.loading)`));
  return screen;
}

const moved = { agendaItems: 1, attendances: 0, actionItems: 0, guestVotes: 0, rsvps: 0 };

test('a long list of members is searched by name, address, position and access, and ordered by name', async () => {
  const members = Array.from({ length: 12 }, (_, index) => ({ ...MEMBER, id: `m${index}`, userId: `u${index}`, firstName: String.fromCharCode(76 - index), lastName: 'Berg', email: `nr${index}@example.org`, boardPositions: index === 3 ? ['treasurer'] : [] }));
  const screen = await open(at('members'), { listMembers: members });
  const names = () => [...screen.one('#members-text').closest('section').querySelectorAll('ul.rows > li')].map((row) => row.textContent.match(/[A-L] Berg/)[0]);
  await screen.fill('#members-text', 'nr4');
  assert.deepEqual(names(), ['H Berg']);
  await screen.fill('#members-text', 'treas');
  assert.deepEqual(names(), ['I Berg']);
  await screen.fill('#members-text', '');
  await screen.fill('#members-order', 'name');
  assert.deepEqual(names().slice(0, 3), ['A Berg', 'B Berg', 'C Berg']);
});

test('people are added from what is pasted, each line with its own result; a refused line stays', async () => {
  const createUnregisteredUser = ({ body }) => {
    if (body.email === 'olivia@example.com') throw refusal(409, { reason: 'ADDRESS_IN_USE' });
    return person({ ...body, id: body.firstName, fullName: body.firstName });
  };
  const screen = await open(at('members'), { createUnregisteredUser });
  await screen.open('#people > details:last-of-type');
  await screen.until(() => screen.one('#f-people'));
  await screen.fill('#f-people', 'Anna Berg, anna.berg@example.org\nOlivia Marsh; olivia@example.com\nNils Holm');
  assert.equal(screen.all('#people tbody tr').length, 3);
  await screen.click('Add 3 people');
  await screen.until(() => screen.all('#people .results li').length === 3);
  assert.deepEqual(screen.all('#people .results li').map((row) => row.className), ['', 'refused', '']);
  assert.match(screen.text('#people .results'), /A member, or somebody else without an account, has this address\./);
  assert.equal(screen.one('#f-people').value, 'Olivia; Marsh; olivia@example.com');
  assert.deepEqual(screen.sent[0], ['createUnregisteredUser', { firstName: 'Anna', lastName: 'Berg', email: 'anna.berg@example.org' }]);
});

test('who cannot write to the board sees names and no controls', async () => {
  const screen = await shown({ email: null }, {}, { may: () => false });
  assert.match(screen.text('#people'), /Greta Lind/);
  assert.deepEqual(screen.offered(), []);
});

test('a person is invited after a question; one whose mails come back is marked, and gets mails again', async () => {
  const screen = await shown({ bounce: { ...GRETA.bounce, kind: 'bounce', at: '2026-11-25T12:00:00Z', reason: 'unknown' } }, { dismissUnregisteredUserBounceFlag: person() });
  assert.match(screen.text(ROW), /A mail came back/);
  await screen.confirm('Invite Greta Lind', 'Invite');
  assert.match(screen.text(ROW), /is invited/);
  assert.deepEqual(screen.sent.map(([name]) => name), ['createInvite', 'sendInvite']);
  await screen.click('Send mails again', ROW);
  assert.doesNotMatch(screen.text(ROW), /A mail came back/);
});

test('before a merge it is seen what moves; then the person is the member, and is found among all', async () => {
  const screen = await merging({ moved });
  assert.match(screen.text(ROW), /one agenda item/);
  assert.deepEqual(screen.sent, [['mergeUnregisteredUser', { memberId: MEMBER.id, dryRun: true }]]);
  await screen.click('Merge with Adam Reyes', ROW);
  await screen.until(() => !screen.one(ROW));
  assert.deepEqual(screen.sent[1], ['mergeUnregisteredUser', { memberId: MEMBER.id }]);
  await screen.fill('#people-shown', '');
  assert.match(screen.text(ROW), /Is the member Adam Reyes now\./);
});

test('where both attended the meetings lead to what has to be taken out', async () => {
  const screen = await merging(() => { throw refusal(409, { reason: 'BOTH_ATTENDED', meetingIds: ['m1'] }); });
  await screen.sees('Both are noted in the attendance of the same meeting', ROW);
  await screen.until(() => screen.one(`${ROW} .notice a`));
  assert.equal(screen.one(`${ROW} .notice a`).getAttribute('href'), at(`meetings/${example('getMeeting').id}`));
});

test('somebody is edited, archived and brought back', async () => {
  const screen = await shown({}, { updateUnregisteredUser: ({ body }) => person({ ...body, fullName: 'Greta Changed' }), archiveUnregisteredUser: person({ status: 'archived' }), unarchiveUnregisteredUser: person() });
  await screen.open(`${ROW} .menu`);
  await screen.open(`${ROW} .menu .disclosure`);
  await screen.fill(`[id="${GRETA.id}-last"]`, 'Changed');
  await screen.click('Save', ROW);
  assert.match(screen.text(ROW), /Greta Changed/);
  assert.equal(screen.one('.menu[open]'), null);
  assert.equal(document.activeElement, screen.one(`${ROW} .menu > summary`));
  await screen.open(`${ROW} .menu`);
  await screen.click('Archive', ROW);
  assert.match(screen.text(ROW), /Archived: gets no mails/);
  await screen.click('Bring back', `${ROW} .notice`);
  assert.doesNotMatch(screen.text(ROW), /Archived/);
});

test('whose data was removed is shown without a name, among all', async () => {
  const screen = await shown({}, { scrubUnregisteredUser: person({ status: 'archived', scrubbedAt: '2026-11-26T12:00:00.000Z', fullName: 'Removed person', email: null }) });
  await screen.open(`${ROW} .menu`);
  await screen.confirm('Remove their data', 'Remove their data', ROW);
  assert.equal(screen.one(ROW), null);
  await screen.fill('#people-shown', '');
  assert.match(screen.text(ROW), /data removed on/);
  assert.equal(screen.one(`${ROW} .menu`), null);
});
