// The way of minutes to their approval: circulated, remarked on, approved.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ME, at, example, open, ownInstant, refusal } from './screen.mjs';

const HERE = at('meetings/:id');
const BOOKED = example('getMeeting');
const NO_MINUTES = () => { throw refusal(404); };

test('minutes are circulated with what is typed last, after a question that says who is told, and their version can be read', async () => {
  const minutes = { ...example('getMinutes'), status: 'draft', items: [] };
  const screen = await open(HERE, {
    getMeeting: { ...BOOKED, status: 'completed' }, getMinutes: minutes, putMinutes: ({ body }) => ({ ...minutes, ...body }),
    circulateMinutes: ({ body }) => ({ ...example('getMinutesApproval'), version: 3, ...body }), getMinutesVersion: { ...example('getMinutesVersion'), version: 3 },
  });
  await screen.until(() => screen.one('#minutes textarea'));
  assert.ok(screen.offered('#minutes').includes('Delete the minutes'));
  await screen.fill('#minutes textarea', 'The last word.');
  await screen.click('Circulate', '#minutes');
  assert.match(screen.one('.confirm-box[open]').textContent, /a version that stays.*members? (is|are) told/s);
  await screen.fill('#remarks-until', '2099-01-02T14:00');
  await screen.click('Circulate', '.confirm-box[open]');
  await screen.sees('Version 3 was circulated on');
  await screen.sees('Remarks are welcome until');
  assert.deepEqual(screen.sent.map(([name]) => name), ['putMinutes', 'circulateMinutes']);
  assert.deepEqual(screen.sent[1][1], { remarksUntil: ownInstant('2099-01-02T14:00') });
  assert.ok(!screen.offered('#minutes').includes('Delete the minutes'), 'what was circulated stays');
  await screen.open('#minutes details.disclosure');
  await screen.sees(example('getMinutesVersion').items[0].text);
});

test('who does not see the draft reads the version that was circulated, and is offered no circulation', async () => {
  const screen = await open(HERE, {
    getMeeting: { ...BOOKED, status: 'completed' }, getMinutes: NO_MINUTES, getMinutesApproval: example('getMinutesApproval'), getMinutesVersion: example('getMinutesVersion'),
  }, { may: (name) => !['putMinutes', 'circulateMinutes'].includes(name) });
  await screen.sees('Version 1 was circulated on');
  assert.ok(!screen.offered('#minutes').includes('Circulate'));
  await screen.open('#minutes details.disclosure');
  await screen.sees(example('getMinutesVersion').items[0].text);
});

test('a member remarks on circulated minutes, and a collaborator decides about it', async () => {
  const remark = { ...example('createMinutesRemark'), id: '1'.repeat(24), disposition: null, reply: null };
  const screen = await open(HERE, {
    getMeeting: { ...BOOKED, status: 'completed' }, getMinutes: NO_MINUTES, getMinutesApproval: { ...example('getMinutesApproval'), remarksUntil: null }, getMinutesVersion: example('getMinutesVersion'),
    listMinutesRemarks: [], createMinutesRemark: ({ body }) => ({ ...remark, ...body }), disposeMinutesRemark: ({ body }) => ({ ...remark, ...body }),
  });
  await screen.sees('Version 1 was circulated on');
  await screen.open('#remarks');
  await screen.sees('Nobody has made a remark yet.');
  await screen.fill('#remark-text', 'Not so.');
  await screen.click('Send', '#remarks');
  await screen.sees('Not so.');
  await screen.open(`#remark-${remark.id} details`);
  await screen.click('Save', `#remark-${remark.id}`);
  await screen.sees('Accepted', `#remark-${remark.id} .pill`);
  assert.deepEqual(screen.sent, [['createMinutesRemark', { version: 1, text: 'Not so.' }], ['disposeMinutesRemark', { disposition: 'accepted' }]]);
});

// -- the approval

const CIRCULATED = { ...example('getMinutesApproval'), version: 2 };
const APPROVED = { ...example('approveMinutes'), version: 2 };
const [JUNE, AUGUST] = ['2027-06-01', '2027-08-03'].map((day) => ({ ...BOOKED, id: day, title: `Of ${day}`, startTime: `${day}T09:00:00.000Z`, status: 'completed' }));
const AHEAD = { ...JUNE, id: 'ahead', title: 'Ahead', status: 'scheduled' };
const CARRIED = { ...example('getResolution'), id: 'carried', status: 'carried' };

/** Opens a completed meeting whose minutes can be approved. */
function approvable(answers = {}) {
  return open(HERE, {
    getMeeting: { ...BOOKED, status: 'completed' }, getMinutes: { ...example('getMinutes'), status: 'draft' }, getMinutesApproval: CIRCULATED, listMinutesRemarks: [],
    listMeetings: [JUNE, AHEAD, AUGUST], listResolutions: ({ query }) => (query.status === 'carried' ? [CARRIED] : []), approveMinutes: APPROVED, ...answers,
  });
}

test('minutes are approved in three clicks: by the later meeting that was held last, as presented, after a question', async () => {
  const screen = await approvable();
  await screen.open('#approval');
  await screen.sees('Approved by');
  assert.deepEqual(screen.all('#approval-by option').map(({ value }) => value), ['inMeetingId 2027-06-01', 'inMeetingId 2027-08-03', 'resolutionId carried'], 'a meeting that is ahead approves nothing');
  await screen.click('Approve', '#approval form');
  assert.match(screen.one('body > dialog[open]').textContent, /get a number and can no longer be changed.*members? (is|are) told/s);
  assert.deepEqual(screen.sent, []);
  await screen.click('Approve', 'body > dialog[open]');
  await screen.sees('Approved as presented on');
  assert.deepEqual(screen.sent, [['approveMinutes', { manner: 'as_presented', inMeetingId: AUGUST.id }]]);
  const [query] = screen.asked.filter(([name]) => name === 'listMeetings').map(([, asked]) => asked);
  assert.equal(query.startAfter, BOOKED.startTime);
});

test('minutes are approved by the meeting that is held now, or by a carried resolution, as is chosen', async () => {
  const screen = await approvable({ listMeetings: [{ ...JUNE, status: 'in_progress' }, AUGUST] });
  await screen.open('#approval');
  await screen.sees('Approved by');
  assert.equal(screen.one('#approval-by').value, `inMeetingId ${JUNE.id}`);
  await screen.fill('#approval-manner', 'as_changed');
  await screen.fill('#approval-by', `resolutionId ${CARRIED.id}`);
  await screen.click('Approve', '#approval form');
  await screen.click('Approve', 'body > dialog[open]');
  await screen.until(() => screen.sent.length);
  assert.deepEqual(screen.sent, [['approveMinutes', { manner: 'as_changed', resolutionId: CARRIED.id }]]);
});

test('remarks on the newest version that wait for a decision are named before minutes are approved anyway', async () => {
  const remark = { ...example('createMinutesRemark'), version: 2, disposition: null, text: 'Not so.' };
  const screen = await approvable({ listMinutesRemarks: [{ ...remark, version: 1, text: 'Earlier' }, remark, { ...remark, disposition: 'noted', text: 'Decided' }] });
  await screen.open('#approval');
  await screen.sees('Approved by');
  await screen.click('Approve', '#approval form');
  const asked = screen.text('body > dialog[open]');
  assert.match(asked, /One remark waits for a decision:.*Not so\./);
  assert.doesNotMatch(asked, /Earlier|Decided/);
  await screen.click('Approve anyway', 'body > dialog[open]');
  await screen.until(() => screen.sent.length);
  assert.equal(screen.sent[0][1].force, true);
});

test('a remark that is made meanwhile stops an approval, and is named before the next try', async () => {
  const remark = { ...example('createMinutesRemark'), version: 2, disposition: null, text: 'At the last moment.' };
  const remarks = [];
  const approveMinutes = ({ body }) => {
    if (body.force) return APPROVED;
    remarks.push(remark);
    throw refusal(409, { reason: 'REMARKS_OPEN' });
  };
  const screen = await approvable({ listMinutesRemarks: () => remarks, approveMinutes });
  await screen.open('#approval');
  await screen.sees('Approved by');
  await screen.click('Approve', '#approval form');
  await screen.click('Approve', 'body > dialog[open]');
  await screen.until(() => screen.one('#approval .problem'));
  await screen.click('Approve', '#approval form');
  assert.match(screen.text('body > dialog[open]'), /At the last moment\./);
  await screen.click('Approve anyway', 'body > dialog[open]');
  await screen.sees('Approved as presented on');
});

test('approved minutes say when, by what and under which number, with their hash, and can no longer be written, remarked on or circulated', async () => {
  const screen = await approvable({ getMinutesApproval: { ...APPROVED, remarksUntil: null, manner: 'as_changed' } });
  await screen.sees('Approved as changed on');
  assert.match(screen.text('#minutes'), /Their number is 2026-1\./);
  assert.ok(screen.text('#minutes').includes(APPROVED.sha256));
  assert.equal(screen.button('The meeting that approved them').getAttribute('href'), at(`meetings/${APPROVED.inMeetingId}`));
  assert.equal(screen.one('#minutes textarea'), null);
  assert.ok(!screen.offered('#minutes').some((words) => /Circulate|Approve/.test(words)), screen.offered('#minutes').join());
  await screen.open('#remarks');
  assert.equal(screen.one('#remark-text'), null);
});

test('what no meeting or resolution can approve is not offered, nor to whom may not', async () => {
  const screen = await approvable({ getMeeting: { ...BOOKED, status: 'completed', startTime: null }, listResolutions: [] });
  await screen.open('#approval');
  await screen.sees('No later meeting has begun, and no resolution is carried.');
  assert.equal(screen.one('#approval form'), null);
  const other = await open(HERE, { getMeeting: { ...BOOKED, status: 'completed' }, getMinutesApproval: CIRCULATED }, { may: (name) => name !== 'approveMinutes' });
  await other.sees('Version 2 was circulated on');
  assert.equal(other.one('#approval'), null);
});

test('one press puts the minutes that wait for their approval on an agenda', async () => {
  const agenda = { ...example('getAgenda'), items: [] };
  const item = { ...example('getAgenda').items[0], kind: 'approval' };
  const screen = await open(HERE, { getMeeting: { ...BOOKED, status: 'scheduled' }, getMinutes: NO_MINUTES, getAgenda: agenda, addAgendaApprovals: { ...agenda, items: [item] } });
  await screen.click('Add minutes to approve');
  await screen.sees('Approval of minutes', '#agenda .pill');
  assert.deepEqual([screen.sent, screen.said], [[['addAgendaApprovals']], ['One item was added.']]);
  const over = await open(HERE, { getMeeting: { ...BOOKED, status: 'completed' }, getMinutes: NO_MINUTES });
  assert.ok(!over.text().includes('Add minutes to approve'));
});

test('what differs between two versions is shown word by word, item by item', async () => {
  const version = example('getMinutesVersion');
  const [first] = version.items;
  const attendance = [{ userId: ME.id, unregisteredUserId: null, name: null, present: 'remote' }];
  const versions = {
    1: { ...version, attendance: [], items: [{ ...first, id: 'a', text: 'The budget was approved.', decision: null }, { ...first, id: 'b', text: 'As it was.' }, { ...first, id: 'c', text: 'Left out', decision: null }] },
    2: { ...version, attendance, items: [{ ...first, id: 'b', text: 'As it was.' }, { ...first, id: 'a', text: 'The budget was rejected.', decision: { text: 'No budget', result: 'rejected' } }] },
  };
  const screen = await approvable({ getMinutesVersion: ({ params }) => versions[params.version] });
  await screen.open('#changes');
  await screen.until(() => screen.one('#changes ins'));
  assert.deepEqual(screen.all('#changes .said').map(({ textContent }) => textContent), [`${ME.firstName} ${ME.lastName}: Remotely`, 'The budget was approved. rejected.\nRejected: No budget', 'Left out']);
  assert.deepEqual(screen.all('#changes del').map(({ textContent }) => textContent), [' approved.', 'Left out']);
  const other = await approvable({ getMinutesApproval: { ...CIRCULATED, version: 1 } });
  assert.equal(other.one('#changes'), null);
});

test('circulated minutes of a finalized meeting are written again after a press, until they are approved', async () => {
  const answers = { getMeeting: { ...BOOKED, status: 'finalized' }, getMinutes: { ...example('getMinutes'), status: 'final' } };
  const screen = await approvable(answers);
  await screen.until(() => screen.one('.minute'));
  assert.equal(screen.one('#minutes textarea'), null);
  await screen.click('Change the minutes');
  await screen.until(() => screen.one('#minutes textarea'));
  for (const more of [{ getMinutesApproval: APPROVED }, { getMinutesApproval: NO_MINUTES }]) {
    const other = await approvable({ ...answers, ...more });
    await other.until(() => other.one('.minute'));
    assert.ok(!other.offered('#minutes').includes('Change the minutes'));
  }
});
