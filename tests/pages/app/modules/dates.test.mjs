// Tests of dates and times.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const dates = await load('dates');

test('a time is shown in the visitor’s zone, with the other zone beside it where the clocks differ', () => {
  const [start, end] = ['2026-12-11T21:30:00Z', '2026-12-11T22:30:00Z'];
  assert.equal(dates.dateTime(start, 'America/New_York'), 'Fri, 11 Dec 2026, 16:30');
  assert.equal(dates.elsewhere(start, end, 'Asia/Tokyo', 'Europe/Paris'), 'Sat, 12 Dec 2026, 06:30–07:30 Asia/Tokyo');
  assert.equal(dates.elsewhere(start, end, 'America/New_York', 'Europe/Paris'), '16:30–17:30 America/New York');
  assert.equal(dates.elsewhere(start, end, 'Europe/Berlin', 'Europe/Paris'), '');
  assert.equal(dates.elsewhere(start, end, 'No/Where', 'Europe/Paris'), '');
});

test('a time without another zone, or in one that does not exist, is shown once', () => {
  assert.equal(dates.elsewhere('2026-12-11T21:30:00Z', null, null, 'Europe/Paris'), '');
  assert.equal(dates.elsewhere('2026-12-11T21:30:20Z', null, 'Asia/Tokyo', 'Europe/Paris'), 'Sat, 12 Dec 2026, 06:30 Asia/Tokyo');
  assert.equal(dates.time('2026-12-11T21:30:00Z', 'No/Where'), '21:30');
  assert.equal(dates.date('nonsense', 'UTC'), '');
});

test('every zone can be chosen once, with one’s own and UTC', () => {
  dates.setAccountZone('Asia/Tokyo');
  const zones = dates.zones();
  assert.deepEqual(zones, [...new Set(zones)].sort());
  for (const zone of ['Asia/Tokyo', 'UTC', 'Europe/Paris']) assert.ok(zones.includes(zone), zone);
  dates.setAccountZone(null);
});

test('today begins at midnight of the reader’s zone', (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-12-11T21:30:00Z') });
  const days = ['UTC', 'Asia/Tokyo'].map((zone) => (dates.setAccountZone(zone), dates.today()));
  dates.setAccountZone(null);
  assert.deepEqual(days, ['2026-12-11', '2026-12-12']);
});

test('an end is so many minutes after the start', () => {
  assert.equal(dates.endOf('2026-12-11T23:30:00Z', 45), '2026-12-12T00:15:00.000Z');
});

test('an end on the next day says so', () => {
  assert.equal(dates.timeRange('2026-12-11T22:30:00Z', null, 'UTC'), '22:30');
  assert.equal(dates.timeRange('2026-12-11T22:30:00Z', '2026-12-11T23:15:00Z', 'UTC'), '22:30–23:15');
  assert.equal(dates.timeRange('2026-12-31T22:30:00Z', '2027-01-01T00:15:00Z', 'UTC'), '22:30–00:15 (+1)');
  assert.equal(dates.timeRange('2026-12-11T22:30:00Z', '2026-12-10T23:15:00Z', 'UTC'), '22:30–Thu, 10 Dec 2026, 23:15');
  assert.equal(dates.timeRange('2026-12-11T22:30:00Z', '2026-12-12T00:15:00Z', 'UTC'), '22:30–00:15 (+1)');
  assert.equal(dates.timeRange('2026-12-11T22:30:00Z', '2026-12-13T00:15:00Z', 'UTC'), '22:30–Sun, 13 Dec 2026, 00:15');
});

test('what is typed in a zone becomes the instant at which its clocks show that', () => {
  assert.equal(dates.fromWall('2026-07-01T09:00', 'Europe/Paris'), '2026-07-01T07:00:00.000Z');
  assert.equal(dates.fromWall('2026-12-01T09:00', 'America/Los_Angeles'), '2026-12-01T17:00:00.000Z');
  assert.equal(dates.fromWall('2026-12-01T09:00', 'Asia/Kathmandu'), '2026-12-01T03:15:00.000Z');
  assert.equal(dates.fromWall('2026-12-31T23:00', 'Pacific/Kiritimati'), '2026-12-31T09:00:00.000Z');
});

test('a skipped hour is no time, a repeated one is its first', () => {
  assert.equal(dates.fromWall('2026-03-29T02:30', 'Europe/Paris'), null);
  assert.equal(dates.fromWall('2026-10-25T02:30', 'Europe/Paris'), '2026-10-25T00:30:00.000Z');
  assert.equal(dates.fromWall('2026-03-08T03:30', 'America/New_York'), '2026-03-08T07:30:00.000Z');
  for (const text of ['nonsense', '2026-07-01T09:00:00', ' 2026-07-01T09:00']) assert.equal(dates.fromWall(text, 'Europe/Paris'), null);
  assert.equal(dates.fromWall('2026-07-01T09:00', 'No/Where'), null);
  assert.equal(dates.fromWall('2026-02-31T10:00', 'Europe/Paris'), null);
});

test('every instant comes back from its field, in every zone', () => {
  for (const zone of ['UTC', 'Europe/London', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Tehran', 'Pacific/Chatham']) {
    for (let hour = 0; hour < 8760; hour += 7) {
      const instant = new Date(Date.UTC(2027, 0, 1, hour)).toISOString();
      const back = dates.fromWall(dates.toWall(instant, zone), zone);
      assert.equal(dates.toWall(back, zone), dates.toWall(instant, zone));
      assert.ok(Date.parse(instant) - Date.parse(back) <= 3_600_000);
    }
  }
});

test('a calendar date belongs to no zone', () => {
  assert.equal(dates.calendarDate('2026-10-22'), '22 Oct 2026');
  for (const text of ['soon', 'on 2026-10-22', '2026-10-22T10:00']) assert.equal(dates.calendarDate(text), text);
});

test('how long ago something was', () => {
  const now = Date.parse('2026-06-10T12:00:00Z');
  assert.equal(dates.relative('2026-06-10T11:59:40Z', now), 'this minute');
  assert.equal(dates.relative('2026-06-10T09:00:00Z', now), '3 hours ago');
  assert.equal(dates.relative('2026-06-12T13:00:00Z', now), 'in 2 days');
  const after = (minutes) => dates.relative(new Date(now + minutes * 60_000).toISOString(), now);
  assert.deepEqual([-1, 59, 60, 1439, 1440, -1440].map(after), ['1 minute ago', 'in 59 minutes', 'in 1 hour', 'in 23 hours', 'tomorrow', 'yesterday']);
});

test('the zone of the account is one’s own, where there is one', () => {
  dates.setAccountZone('Asia/Tokyo');
  assert.equal(dates.ownZone(), 'Asia/Tokyo');
  assert.equal(dates.time('2026-12-11T21:30:00Z'), '06:30');
  for (const none of ['', null, undefined]) {
    dates.setAccountZone('Asia/Tokyo');
    dates.setAccountZone(none);
    assert.equal(dates.ownZone(), new Intl.DateTimeFormat().resolvedOptions().timeZone);
  }
});

test('a time of the clock and a calendar date have no zone', () => {
  for (const zone of ['Pacific/Kiritimati', 'America/Los_Angeles', null]) {
    dates.setAccountZone(zone);
    assert.deepEqual([dates.clockTime('09:05'), dates.calendarDate('2026-10-22')], ['09:05', '22 Oct 2026']);
  }
});
