// The year of a board with its work plan and its templates, and what comes on an agenda from elsewhere.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load, loadFrom } from './load.mjs';
import { at, example, open } from './screen.mjs';

const { meetingsFor, missing } = await load('plan');
const { itemsOf, lineOf } = await loadFrom('views/planning', 'templates');
const [MATTER] = example('listPlanItems');
const [TEMPLATE] = example('listAgendaTemplates');
const [WAITING] = example('listBacklogItems');
const MEETING = { ...example('getMeeting'), status: 'scheduled' };
const standing = (...months) => ({ ...example('getPlanYear'), matters: [{ planItemId: MATTER.id, months }] });
const entry = (month, status, meetingId = null) => ({ month, status, meetingId, agendaItemId: null });

test('what was missed, and what this month and the next have on no agenda, is missing', () => {
  const { matters } = standing(entry(1, 'missed'), entry(3, 'planned'), entry(4, 'planned'), entry(5, 'planned'), entry(2, 'done'));
  const found = (year, today) => missing(matters, year, today).map(({ month }) => month);
  assert.deepEqual(found(2027, '2027-03-10'), [1, 3, 4]);
  assert.deepEqual(found(2028, '2027-12-31'), [1]);
  assert.deepEqual(found(2026, '2027-03-10'), [1, 3, 4, 5]);
});

test('a matter can be put on meetings of its months that are not over or cancelled', () => {
  const meeting = (startTime, more = {}) => ({ startTime, status: 'scheduled', cancellation: null, ...more });
  const fits = meeting('2027-03-10T09:00:00.000Z');
  const others = [meeting(null), meeting('2027-04-10T09:00:00.000Z'), meeting('2028-03-10T09:00:00.000Z'), { ...fits, status: 'finalized' }, { ...fits, cancellation: {} }];
  assert.deepEqual(meetingsFor({ months: [3] }, [fits, ...others], 2027), [fits]);
});

test('the year shows how each matter stands, with the way to its meeting, and says what is missing', async () => {
  const screen = await open(at('year?year=2027'), { getPlanYear: standing(entry(1, 'missed'), entry(3, 'on_agenda', MEETING.id)), listPlanItems: [{ ...MATTER, months: [1, 3] }] });
  assert.match(screen.text('h1'), /Year 2027/);
  assert.match(screen.text('[aria-label="What is missing"]'), /Approve the annual accounts was due in January and was not done\./);
  assert.deepEqual(screen.all('.year .due').map((cell) => [cell.dataset.month, cell.textContent.trim()]), [['January', 'missed'], ['March', 'on agenda']]);
  assert.equal(screen.one('.year .due a').getAttribute('href'), at(`meetings/${MEETING.id}`));
});

test('a matter is added with its months', async () => {
  const screen = await open(at('year'), { listPlanItems: [], createPlanItem: ({ body }) => ({ ...MATTER, ...body }) });
  await screen.open('.disclosure');
  await screen.fill('#matter-new-title', 'Budget');
  await screen.fill('[name=months][value="11"]', true);
  await screen.click('Add the matter');
  const [[name, body]] = screen.sent;
  assert.deepEqual([name, body.title, body.months, body.minutes], ['createPlanItem', 'Budget', [11], null]);
});

test('a matter is put on the agenda of a meeting of its months', async () => {
  const march = { ...MEETING, startTime: '2027-03-10T09:00:00.000Z' };
  const screen = await open(at('year?year=2027'), { getPlanYear: standing(entry(3, 'planned')), listMeetings: [march] });
  await screen.open('.year .menu');
  await screen.open('.year .disclosure:nth-of-type(2)');
  await screen.press(screen.one('.year .disclosure .plain-list button'));
  assert.deepEqual(screen.sent, [['placePlanItem', { meetingId: march.id }]]);
});

test('a template is written as lines, and an item keeps what its line does not say', () => {
  const before = [{ id: 'a', title: 'Opening', minutes: 5, months: null, notes: 'N', kind: null }];
  const items = itemsOf('Opening (10 min)\n\nAccounts (45 min) @3,9\n', before);
  assert.deepEqual(items, [{ id: 'a', title: 'Opening', minutes: 10, notes: 'N' }, { title: 'Accounts', minutes: 45, months: [3, 9] }]);
  assert.deepEqual(items.map(lineOf), ['Opening (10 min)', 'Accounts (45 min) @3,9']);
});

test('a template is created from the page of the year', async () => {
  const screen = await open(at('year'), { createAgendaTemplate: ({ body }) => ({ ...TEMPLATE, ...body, id: 'new' }) });
  await screen.open('[aria-labelledby=templates] > .disclosure');
  await screen.fill('#template-new-name', 'Board');
  await screen.fill('#template-new-lines', 'Opening\nAccounts (45 min) @3');
  await screen.click('Create the template');
  assert.deepEqual(screen.sent, [['createAgendaTemplate', { name: 'Board', items: [{ title: 'Opening' }, { title: 'Accounts', minutes: 45, months: [3] }] }]]);
});

test('items come on an agenda from a template and from the backlog', async () => {
  const screen = await open(at('meetings/:id'), { getMeeting: MEETING });
  const adding = screen.all('.disclosure').find((each) => each.firstElementChild.textContent === 'Add from…');
  adding.id = 'adding';
  await screen.open('#adding');
  await screen.until(() => screen.all('#adding button').length === 2);
  for (const button of screen.all('#adding button')) await screen.press(button);
  assert.deepEqual(screen.sent, [['applyAgendaTemplate', { templateId: TEMPLATE.id }], ['placeBacklogItem', { meetingId: MEETING.id }]]);
  assert.match(screen.text('#adding'), new RegExp(WAITING.title));
});

test('an item is postponed to the backlog or to another meeting that is not finalized', async () => {
  const other = { ...MEETING, id: 'other', title: 'Next' };
  const screen = await open(at('meetings/:id'), { getMeeting: MEETING, listMeetings: [MEETING, other, { ...other, id: 'over', status: 'finalized' }] });
  await screen.open('.agenda.shown li:first-child .disclosure');
  await screen.until(() => screen.all('.agenda.shown li:first-child .disclosure button').length > 1);
  const [backlog, next] = screen.all('.agenda.shown li:first-child .disclosure button');
  assert.match(next.textContent, /Next/);
  await screen.press(backlog);
  assert.deepEqual(screen.sent, [['postponeAgendaItem', { to: 'backlog' }]]);
});
