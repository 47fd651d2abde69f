// Tests of days and times of the clock.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const times = await load('times');

test('days go on over months, years and leap days', () => {
  assert.deepEqual([times.addDays('2028-02-28', 1), times.addDays('2027-02-28', 1), times.addDays('2027-01-01', -1)], ['2028-02-29', '2027-03-01', '2026-12-31']);
  assert.deepEqual([times.addMonths('2027-01-31', 1), times.addMonths('2027-03-31', -1), times.addMonths('2027-12-15', 1)], ['2027-02-28', '2027-02-28', '2028-01-15']);
  assert.deepEqual([times.addMinutes('2027-03-10T23:30', 30), times.addMinutes('2027-03-10T00:00', -30)], ['2027-03-11T00:00', '2027-03-09T23:30']);
});

test('a week begins on Monday, and a month is the weeks that it touches', () => {
  for (const day of ['2027-03-08', '2027-03-10', '2027-03-14']) assert.deepEqual([times.weekOf(day)[0], times.weekOf(day)[6]], ['2027-03-08', '2027-03-14']);
  assert.deepEqual(times.monthOf('2027-02-10').map(([monday]) => monday), ['2027-02-01', '2027-02-08', '2027-02-15', '2027-02-22']);
  assert.deepEqual(times.monthOf('2027-05-31').map(([monday]) => monday), ['2027-04-26', '2027-05-03', '2027-05-10', '2027-05-17', '2027-05-24', '2027-05-31']);
  assert.equal(times.monthOf('2026-12-31').length, 5);
});

test('a pasted list is read a line each, in the forms that people write', () => {
  const text = ' 2027-03-12 12:00 PM\n2027-03-10, 9:30\n- 10.3.2027 9:30am; 2027-03-10T13:05\n\n*11.03.2027, 12.15\n•  2027-03-12 12:00  am;;2027-03-10 01:05 pm\n  \n-\n10.3.2027  1:05 PM';
  assert.deepEqual(times.readTimes(text), {
    times: ['2027-03-10T09:30', '2027-03-10T13:05', '2027-03-11T12:15', '2027-03-12T00:00', '2027-03-12T12:00'], wrong: [],
  });
});

test('what is no date with a time is named', () => {
  const wrong = ['2027-02-30 09:00', '2027-03-10', '03/10/2027 09:00', '2027-03-10 24:00', '2027-03-10 9:60', '2027-03-10 13:00 pm', '2027-03-10 0:30 am', '10.13.2027 09:00', 'on 2027-03-10 09:00', '2027-03-10 09:00 sharp', 'on 10.3.2027 9:00', '10.3.2027 9:00 sharp', '2027-03-1009:00', '10.3.20279:00', 'soon'];
  assert.deepEqual(times.readTimes(wrong.join('\n')), { times: [], wrong });
});
