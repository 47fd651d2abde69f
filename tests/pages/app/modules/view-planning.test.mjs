// The year of a board with its work plan and its templates, and what comes on an agenda from elsewhere.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load, loadFrom } from './load.mjs';
import { at, example, open, ownInstant, refusal } from './screen.mjs';

const { lineOf, meetingsFor, missing, readItems, readMonths } = await load('plan');
const { itemsOf } = await loadFrom('views/planning', 'templates');
const [MATTER] = example('listPlanItems');
const [TEMPLATE] = example('listAgendaTemplates');
const [WAITING] = example('listBacklogItems');
const MEETING = { ...example('getMeeting'), status: 'scheduled' };
const standing = (...months) => ({ ...example('getPlanYear'), matters: [{ planItemId: MATTER.id, months }] });
const entry = (month, status, meetingId = null) => ({ month, status, meetingId, agendaItemId: null });

test('what was missed, and what this month and the next have on no agenda, is missing', () => {
  const { matters } = standing(entry(1, 'missed'), entry(2, 'done'), entry(3, 'planned'), entry(4, 'planned'), entry(5, 'planned'));
  const found = (year, today) => missing(matters, year, today).map(({ missed, due }) => [missed, due]);
  assert.deepEqual(found(2027, '2027-03-10'), [[[1], [3, 4]]]);
  assert.deepEqual(found(2028, '2027-12-31'), [[[1], []]]);
  assert.deepEqual(found(2026, '2027-03-10'), [[[1], [3, 4, 5]]]);
  assert.deepEqual(missing(standing(entry(2, 'done')).matters, 2027, '2027-03-10'), []);
});

test('a matter can be put on meetings of its months that are not finalized', () => {
  const meeting = (startTime, status = 'scheduled') => ({ startTime, status });
  const fits = meeting('2027-03-10T09:00:00.000Z');
  const others = [meeting(null), meeting('2027-04-10T09:00:00.000Z'), meeting('2028-03-10T09:00:00.000Z'), meeting(fits.startTime, 'finalized')];
  assert.deepEqual(meetingsFor([3], [fits, ...others], 2027).map(({ startTime }) => startTime), [fits.startTime]);
});

test('months are written as numbers, names and spans, and nothing else is taken for one', () => {
  const read = ['3, 9', 'Mar; September', 'jan.–jun', '11-2', '12', '13', '0', 'ma', 'example.com', ''].map(readMonths);
  assert.deepEqual(read, [[3, 9], [3, 9], [1, 2, 3, 4, 5, 6], [1, 2, 11, 12], [12], null, null, null, null, null]);
});

test('items are read from lines of any list, with their minutes and months', () => {
  const items = readItems('1. Opening (5 min)\n2. Accounts (45 min) @ March\n3. Mail to a@b.example\n');
  assert.deepEqual(items.map(({ title, minutes, months }) => [title, minutes, months]), [['Opening', 5, null], ['Accounts', 45, [3]], ['Mail to a@b.example', null, null]]);
});

test('the year shows how each matter stands, with the way to its meeting, and says what is missing', async () => {
  const screen = await open(at('year?year=2027'), { getPlanYear: standing(entry(1, 'missed'), entry(3, 'on_agenda', MEETING.id)), listPlanItems: [{ ...MATTER, months: [1, 3] }], listMeetings: [] });
  assert.match(screen.text('h1'), /Year 2027/);
  assert.match(screen.text('[aria-labelledby=missing]'), /Approve the annual accounts was due in January and was not done\./);
  assert.deepEqual(screen.all('.year .due').map((cell) => [cell.dataset.month, cell.textContent.trim()]), [['January', 'Missed'], ['March', 'On agenda']]);
  assert.equal(screen.one('.year .due a').getAttribute('href'), at(`meetings/${MEETING.id}`));
});

test('meetings stand under their months, each with its day and the way to it', async () => {
  const screen = await open(at('year?year=2027'), { listPlanItems: [], getPlanYear: standing(), listMeetings: [{ ...MEETING, startTime: ownInstant('2027-03-10T12:00') }] });
  const [cell] = screen.all('.year .due');
  assert.deepEqual([cell.dataset.month, cell.querySelector('span').textContent], ['March', '10']);
  assert.equal(cell.firstElementChild.getAttribute('aria-label'), `${MEETING.title} · Wed, 10 Mar 2027 · Scheduled`);
});

test('matters are added a line each, with their months; a line without months adds nothing', async () => {
  const screen = await open(at('year'), { listPlanItems: [], createPlanItem: ({ body }) => ({ ...MATTER, ...body, id: body.title }) });
  const [form] = screen.all('#matters-new').map((field) => field.closest('form'));
  screen.all('.disclosure').find((each) => each.contains(form)).open = true;
  await screen.fill('#matters-new', 'Budget (30 min) @ Nov\nTax return');
  await screen.click('Add the matters');
  assert.deepEqual(screen.sent, []);
  assert.match(screen.text('.problem'), /Say in which months “Tax return” is due/);
  await screen.fill('#matters-new', 'Budget (30 min) @ Nov\nTax return @ 5, 6');
  await screen.click('Add the matters');
  await screen.until(() => screen.sent.length === 2 && screen.said.length);
  assert.deepEqual(screen.sent.map(([, { title, minutes, months }]) => [title, minutes, months]), [['Budget', 30, [11]], ['Tax return', null, [5, 6]]]);
  assert.deepEqual(screen.said, ['2 matters were added.']);
});

test('matters that were not added stay in the form, and are tried again as the same requests', async () => {
  let isFailing = true;
  const answer = ({ body }) => {
    if (isFailing && body.title === 'Two') throw refusal(503);
    return { ...MATTER, ...body, id: body.title };
  };
  const screen = await open(at('year'), { listPlanItems: [], createPlanItem: answer });
  screen.one('#matters-new').closest('.disclosure').open = true;
  await screen.fill('#matters-new', 'One @ 1\nTwo @ 2\nThree @ 3');
  await screen.click('Add the matters');
  assert.equal(screen.one('#matters-new').value, 'Two @ 2\nThree @ 3');
  isFailing = false;
  await screen.click('Try again');
  await screen.until(() => screen.said.length);
  assert.deepEqual(screen.sent.map(([, { title }]) => title), ['One', 'Two', 'Two', 'Three']);
  assert.equal(screen.keys[1], screen.keys[2]);
});

test('a matter that no agenda has is put on one where it is missing, and from its row', async () => {
  const march = { ...MEETING, startTime: '2027-03-10T09:00:00.000Z' };
  const screen = await open(at('year?year=2027'), { getPlanYear: standing(entry(3, 'planned')), listMeetings: [march] });
  await screen.open('.year .menu');
  await screen.open('.year .disclosure:nth-of-type(2)');
  await screen.press(screen.one('.year .disclosure .plain-list button'));
  assert.deepEqual(screen.sent, [['placePlanItem', { meetingId: march.id }]]);
});

test('what is due soon is put on an agenda beside the sentence, or has no meeting', async () => {
  const december = { ...MEETING, startTime: '2026-12-10T09:00:00.000Z' };
  const screen = await open(at('year?year=2026'), { getPlanYear: standing(entry(11, 'planned'), entry(12, 'planned')), listMeetings: [december], listSeries: [] });
  assert.match(screen.text('[aria-labelledby=missing]'), /is due in November, and no meeting of that month can take it\..*is due in December and on no agenda\./);
  await screen.press(screen.one('[aria-labelledby=missing] button'));
  assert.deepEqual(screen.sent, [['placePlanItem', { meetingId: december.id }]]);
});

test('an item that waits is added to the backlog, changed and deleted', async () => {
  const screen = await open(at('year'), { createBacklogItem: ({ body }) => ({ ...WAITING, ...body, id: 'new' }) });
  await screen.open('[aria-labelledby=backlog] > .disclosure');
  await screen.fill('#backlog-new-title', 'Lease');
  await screen.click('Add the item');
  await screen.open('[aria-labelledby=backlog] .menu');
  await screen.open('[aria-labelledby=backlog] .menu .disclosure');
  await screen.fill(`#backlog-${WAITING.id}-minutes`, '20');
  await screen.click('Save', '[aria-labelledby=backlog]');
  await screen.open('[aria-labelledby=backlog] .menu');
  await screen.confirm('Delete', `Delete ${WAITING.title}`, '[aria-labelledby=backlog]');
  assert.deepEqual(screen.sent.map(([name, body]) => [name, body?.title, body?.minutes]), [
    ['createBacklogItem', 'Lease', null], ['updateBacklogItem', WAITING.title, 20], ['deleteBacklogItem', undefined, undefined],
  ]);
});

test('a template is written as lines, and an item keeps what its line does not say', () => {
  const before = [{ id: 'a', title: 'Opening', minutes: 5, months: null, notes: 'N', kind: null }];
  const items = itemsOf('Opening (10 min)\n\nAccounts (45 min) @3,9\n', before);
  assert.deepEqual(items, [{ id: 'a', title: 'Opening', minutes: 10, notes: 'N' }, { title: 'Accounts', minutes: 45, months: [3, 9] }]);
  assert.deepEqual(items.map(lineOf), ['Opening (10 min)', 'Accounts (45 min) @ 3, 9']);
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
  const screen = await open(at(`meetings/${MEETING.id}`), { getMeeting: MEETING });
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
  const screen = await open(at(`meetings/${MEETING.id}`), { getMeeting: MEETING, listMeetings: [MEETING, other, { ...other, id: 'over', status: 'finalized' }] });
  await screen.open('.agenda.shown li:first-child .disclosure');
  await screen.until(() => screen.all('.agenda.shown li:first-child .disclosure button').length > 1);
  const [backlog, next, meeting] = screen.all('.agenda.shown li:first-child .disclosure button');
  assert.deepEqual([next, meeting].map((each) => /series|Next/.exec(each.textContent)?.[0]), ['series', 'Next']);
  await screen.press(backlog);
  assert.deepEqual(screen.sent, [['postponeAgendaItem', { to: 'backlog' }]]);
});
