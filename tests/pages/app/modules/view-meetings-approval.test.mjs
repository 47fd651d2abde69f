// The way of minutes to their approval: circulated, remarked on, approved.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { at, example, open, ownInstant, refusal } from './screen.mjs';

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
