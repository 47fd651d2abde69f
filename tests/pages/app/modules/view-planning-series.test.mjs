// The series of a board in its year: the form with its dates, and what is done with an occurrence.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { at, example, open, ownInstant } from './screen.mjs';

const [SERIES] = example('listSeries');
const [OCCURRENCE] = example('listSeriesOccurrences');
const one = (more) => ({ ...OCCURRENCE, seriesId: SERIES.id, key: '2027-03-10T09:00', startTime: ownInstant('2027-03-10T12:00'), status: 'planned', meetingId: null, movedFrom: null, ...more });
const shown = (occurrences, answers = {}) => open(at('year?year=2027'), { listSeries: [SERIES], listMeetings: [], listPlanItems: [], listSeriesOccurrences: occurrences, ...answers });

test('the form of a series shows its next six dates while one types, and sends the rule', async () => {
  const screen = await shown([], { listSeries: [], createSeries: ({ body }) => ({ ...SERIES, ...body }) });
  screen.one('#series-new-title').closest('.disclosure').open = true;
  await screen.fill('#series-new-title', 'Board meeting');
  await screen.fill('#series-new-start', '2027-01-12T09:00');
  assert.deepEqual(screen.all('.dates li').map((each) => each.textContent).slice(0, 2), ['Tue, 12 Jan 2027', 'Tue, 9 Feb 2027']);
  await screen.fill('#series-new-months', 'Feb–Jun, 9-11');
  assert.deepEqual(screen.all('.dates li').map((each) => each.textContent), ['Tue, 9 Feb 2027', 'Tue, 9 Mar 2027', 'Tue, 13 Apr 2027', 'Tue, 11 May 2027', 'Tue, 8 Jun 2027', 'Tue, 14 Sept 2027']);
  assert.match(screen.text('[role=status]'), /8 meetings in 2027/);
  await screen.click('Create the series');
  const [[name, { rule, start, durationMinutes, opensDaysBefore }]] = screen.sent;
  assert.deepEqual([name, rule, start, durationMinutes, opensDaysBefore], ['createSeries', 'FREQ=MONTHLY;BYDAY=2TU;BYMONTH=2,3,4,5,6,9,10,11', '2027-02-09T09:00', 120, 30]);
});

test('a planned occurrence stands under its month, and is moved, cancelled and put back', async () => {
  const screen = await shown([one()]);
  await screen.until(() => screen.one('td .menu'));
  assert.match(screen.one('td .menu summary').getAttribute('aria-label'), /10 Mar 2027.*planned$/);
  await screen.open('td .menu');
  await screen.open('td .menu .disclosure');
  await screen.fill('td .menu input', '2027-03-11T10:00');
  await screen.click('Move', 'td .menu form');
  await screen.open('td .menu');
  await screen.confirm('Cancel this date', 'Cancel this meeting', 'td .menu');
  assert.deepEqual(screen.sent, [['putSeriesOccurrence', { startTime: new Date('2027-03-11T10:00').toISOString() }], ['putSeriesOccurrence', { cancelled: true }]]);
  const other = await shown([one({ status: 'cancelled' })]);
  await other.until(() => other.one('td .menu'));
  await other.open('td .menu');
  await other.click('Put back');
  assert.deepEqual(other.sent, [['deleteSeriesOccurrence']]);
});

test('an occurrence is called after a question, and one that was called is its meeting, once', async () => {
  const screen = await shown([one()], { openSeriesOccurrence: example('getMeeting') });
  await screen.until(() => screen.one('td .menu'));
  await screen.open('td .menu');
  await screen.confirm('Call it now', 'Call the meeting', 'td .menu');
  assert.deepEqual([screen.sent, screen.gone], [[['openSeriesOccurrence']], [at(`meetings/${example('getMeeting').id}`)]]);
  const meeting = { ...example('getMeeting'), startTime: ownInstant('2027-03-10T12:00') };
  const called = await shown([one({ status: 'opened', meetingId: meeting.id })], { listMeetings: [meeting] });
  await called.until(() => called.all('.year .on-day').length === 1 && !/Other meetings/.test(called.text('.year')));
  assert.equal(called.one('.year .on-day').getAttribute('href'), at(`meetings/${meeting.id}`));
});

test('a matter that a planned occurrence of its month will take is not missing', async () => {
  const [matter] = example('listPlanItems');
  const due = { ...example('getPlanYear'), matters: [{ planItemId: matter.id, months: [{ month: 12, status: 'planned', meetingId: null, agendaItemId: null }] }] };
  const december = one({ startTime: '2026-12-10T12:00:00.000Z' });
  const answers = { listPlanItems: [{ ...matter, committeeId: SERIES.committeeId ?? null }], getPlanYear: due, listSeries: [SERIES], listMeetings: [], listSeriesOccurrences: [december] };
  const screen = await open(at('year?year=2026'), answers);
  await screen.sees('Nothing is missing now.');
});

test('an item of a meeting of a series is postponed to the next one', async () => {
  const meeting = { ...example('getMeeting'), status: 'scheduled' };
  const screen = await open(at(`meetings/${meeting.id}`), { getMeeting: meeting });
  await screen.open('.agenda.shown li:first-child .disclosure');
  const next = () => screen.all('.agenda.shown li:first-child .disclosure button').find(({ textContent }) => textContent === 'To the next meeting of the series');
  await screen.until(next);
  await screen.press(next());
  assert.deepEqual(screen.sent, [['postponeAgendaItem', { to: 'next' }]]);
});
