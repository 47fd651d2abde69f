// What is in camera, on the page of a meeting: its place for others, and the choice of its audience.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { BOARD, ME, at, example, open, refusal } from './screen.mjs';

const HERE = at('meetings/:id');
const [FIRST] = example('getAgenda').items;
const NOTHING = Object.fromEntries(Object.keys(FIRST).map((name) => [name, null]));
const PLACE = { ...NOTHING, id: '1'.repeat(24), minutes: 5, withheld: true };
const OPEN = { ...FIRST, id: '2'.repeat(24), title: 'Budget', documentIds: [], audience: null, withheld: false };
const MANAGER = { ...example('listMembers')[0], userId: ME.id, boardId: BOARD.id, adminRole: 'member', accessType: 'manager' };
const NONE = () => { throw refusal(404); };

/** Opens a scheduled meeting with these items on its agenda. */
function shown(items, answers = {}) {
  const agenda = { ...example('getAgenda'), items };
  return open(HERE, { getMeeting: { ...example('getMeeting'), status: 'scheduled' }, getMinutes: NONE, getAgenda: agenda, listMembers: [MANAGER], putAgenda: ({ body }) => ({ ...agenda, items: body.items.map((item) => ({ ...OPEN, ...item })) }), ...answers });
}

test('others see the place of an item in camera, and send it back as a place', async () => {
  const screen = await shown([PLACE, OPEN]);
  await screen.until(() => screen.all('.agenda.shown > li').length === 2);
  const [place, budget] = screen.all('.agenda.shown > li').map(({ textContent }) => textContent);
  assert.match(place, /^\s*withheld/);
  assert.doesNotMatch(place, /Postpone/);
  assert.match(budget, /Budget/);
  await screen.click('Edit the agenda');
  await screen.until(() => screen.one('.agenda.editing input'));
  assert.equal(screen.all('.agenda.editing .agenda-line').length, 1);
  await screen.click('Save the agenda');
  const [[, { items }]] = screen.sent;
  assert.deepEqual(items[0], { id: PLACE.id, withheld: true });
  assert.ok(!('audience' in items[1]), 'an audience that nobody touched is not sent');
});

test('a manager puts an item in camera for themselves and others, and opens it again', async () => {
  const other = { ...MANAGER, id: '8'.repeat(24), userId: '9'.repeat(24), firstName: 'Ben', lastName: 'Berg' };
  const screen = await shown([OPEN], { listMembers: [MANAGER, other] });
  await screen.click('Edit the agenda');
  await screen.until(() => screen.one('fieldset[id$="-audience"]'));
  const boxes = () => screen.all('fieldset[id$="-audience"] input');
  const check = async (index, isOn) => {
    boxes()[index].checked = isOn;
    boxes()[index].dispatchEvent(new Event('change', { bubbles: true }));
    await screen.until(() => true);
  };
  await check(1, true);
  assert.deepEqual(boxes().map(({ checked }) => checked), [true, true]);
  await screen.click('Save the agenda');
  assert.deepEqual(screen.sent[0][1].items[0].audience, { userIds: [ME.id, other.userId] });
  await screen.sees('for', '.agenda.shown li');
  await screen.click('Edit the agenda');
  await screen.until(() => boxes().length === 2);
  await check(0, false);
  await screen.click('Save the agenda');
  assert.equal(screen.sent[1][1].items[0].audience, null);
});
