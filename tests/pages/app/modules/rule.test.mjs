// The rule of a series: its days are those of the table of cases that the service is judged by too.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { load } from './load.mjs';

const { daysOf, placesOf, ruleOf, saidBy } = await load('rule');
const CASES = JSON.parse(readFileSync(new URL('../../../domain/series/rule_cases.json', import.meta.url)));

test('a rule has the days of the table', () => {
  for (const { rule, start, since, days } of CASES.days) assert.deepEqual(daysOf(rule, start, { since, most: days.length }), days, rule);
});

test('no more days are found than are asked for, than there are until the last, or than a rule has', () => {
  assert.deepEqual(daysOf('FREQ=WEEKLY', '2098-01-07', { until: '2098-01-14' }), ['2098-01-07', '2098-01-14']);
  assert.deepEqual(daysOf('FREQ=MONTHLY;INTERVAL=2;BYMONTH=2;BYDAY=1TU', '2098-01-07'), []);
});

test('a day is the nth and perhaps the last of its weekday in the month, and has a number that every month has', () => {
  const places = (day) => placesOf(day).map(([place]) => place).join();
  assert.deepEqual(['2098-01-07', '2098-01-28', '2098-01-30', '2098-01-31', '2098-02-28'].map(places), ['nth,day', 'nth,last,day', 'last', 'last,lastDay', 'nth,last,day,lastDay']);
});

test('the rule that is said has the day that was chosen, in the months that were chosen', () => {
  const said = (unit, place, months = null, interval = 1) => ruleOf({ unit, interval, place, months }, '2098-01-28');
  assert.deepEqual([said('WEEKLY', 'nth', [1, 2], 2), said('MONTHLY', 'nth'), said('MONTHLY', 'last', [1, 5]), said('YEARLY', 'day'), said('YEARLY', 'day', [3])], [
    'FREQ=WEEKLY;INTERVAL=2;BYMONTH=1,2', 'FREQ=MONTHLY;BYDAY=4TU', 'FREQ=MONTHLY;BYDAY=-1TU;BYMONTH=1,5', 'FREQ=YEARLY;BYMONTHDAY=28;BYMONTH=1', 'FREQ=YEARLY;BYMONTHDAY=28;BYMONTH=3',
  ]);
});

test('a rule that the form can say is read back, and another is left as it is', () => {
  assert.deepEqual(saidBy('FREQ=MONTHLY;BYDAY=4TU;BYMONTH=1,5', '2098-01-28'), { unit: 'MONTHLY', interval: 1, place: 'nth', months: [1, 5] });
  assert.deepEqual(saidBy('FREQ=MONTHLY', '2098-01-28'), { unit: 'MONTHLY', interval: 1, place: 'day', months: null });
  assert.equal(saidBy('FREQ=WEEKLY;BYDAY=MO,TU', '2098-01-28'), null);
});
