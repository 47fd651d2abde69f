// The rule of a series (RFC 5545): its days as the service computes them, and the rules that the form of a series can say.

import { MONTHS } from './plan.js';

const DAY_MS = 86_400_000;
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const LAST = -1;
export const LAST_NTH = 4; // a month has a fifth Tuesday at times only
export const LAST_DAY = 28; // every month has it
const MOST_DAYS = 366 * 80; // so far ahead six days of a rule that has days are found

const atOf = (day) => Date.parse(`${day}T00:00:00Z`);
const dayAt = (at) => new Date(at).toISOString().slice(0, 10);

/** Returns a rule's parts: `{unit, interval, weekdays: [[ordinal or null, weekday from Monday]], monthDays, months}`. */
export function parseRule(text) {
  const { FREQ, INTERVAL = '1', ...by } = Object.fromEntries(text.split(';').map((part) => part.split('=')));
  const numbers = (value) => (value ? value.split(',').map(Number) : []);
  const weekdays = by.BYDAY ? by.BYDAY.split(',').map((each) => [Number(each.slice(0, -2)) || null, WEEKDAYS.indexOf(each.slice(-2))]) : [];
  return { unit: FREQ, interval: Number(INTERVAL), weekdays, monthDays: numbers(by.BYMONTHDAY), months: numbers(by.BYMONTH) };
}

/** Returns at most so many days of a rule that begins on the day `start`, from `since` on and until `until` at the latest. */
export function daysOf(text, start, { since = start, until = '9999-12-31', most = 6 } = {}) {
  const rule = parseRule(text);
  const [first, last] = [factsOf(atOf(start)), atOf(until)];
  const found = [];
  const begin = Math.max(first.at, atOf(since));
  for (let at = begin; found.length < most && at <= Math.min(last, begin + MOST_DAYS * DAY_MS); at += DAY_MS) {
    if (isDayOf(rule, first, factsOf(at))) found.push(dayAt(at));
  }
  return found;
}

function factsOf(at) {
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const length = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const yearDays = [Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1)];
  return { at, year, month: month + 1, day: date.getUTCDate(), weekday: (date.getUTCDay() + 6) % 7, length, ofYear: (at - yearDays[0]) / DAY_MS + 1, yearLength: (yearDays[1] - yearDays[0]) / DAY_MS };
}

function isDayOf({ unit, interval, weekdays, monthDays, months }, start, each) {
  if (months.length && !months.includes(each.month)) return false;
  const isPlain = !weekdays.length && !monthDays.length;
  if (unit === 'WEEKLY') {
    const mondays = [start, each].map(({ at, weekday }) => at / DAY_MS - weekday);
    return ((mondays[1] - mondays[0]) / 7) % interval === 0 && (isPlain ? each.weekday === start.weekday : weekdays.some(([, weekday]) => weekday === each.weekday));
  }
  const isYearly = unit === 'YEARLY';
  const ahead = isYearly ? each.year - start.year : (each.year - start.year) * 12 + each.month - start.month;
  if (ahead % interval) return false;
  if (isPlain) return each.day === start.day && (!isYearly || months.length > 0 || each.month === start.month);
  const isOfYear = isYearly && !months.length && weekdays.length;
  const isThere = (ordinal) => (isOfYear ? isNth(ordinal, each.ofYear, each.yearLength) : isNth(ordinal, each.day, each.length));
  return (!weekdays.length || weekdays.some(([ordinal, weekday]) => weekday === each.weekday && isThere(ordinal)))
    && (!monthDays.length || monthDays.includes(each.day) || (monthDays.includes(LAST) && each.day === each.length));
}

function isNth(ordinal, day, length) {
  if (ordinal === LAST) return day > length - 7;
  return ordinal === null || Math.ceil(day / 7) === ordinal;
}

/** Returns where in its month a day can be said to be: as its nth or last weekday, by its number, or as the last day. */
export function placesOf(day) {
  const { day: number, length } = factsOf(atOf(day));
  const nth = Math.ceil(number / 7);
  return [...(nth <= LAST_NTH ? [['nth', nth]] : []), ...(number > length - 7 ? [['last', nth]] : []), ...(number <= LAST_DAY ? [['day', number]] : []), ...(number === length ? [['lastDay', number]] : [])];
}

/** Returns the rule that is said by a unit, an interval, the place in the month and months (null: every month, of years that of the start). */
export function ruleOf({ unit, interval, place, months }, start) {
  const { day, weekday, month } = factsOf(atOf(start));
  const within = unit === 'YEARLY' ? months ?? [month] : months ?? MONTHS;
  const by = { nth: `BYDAY=${Math.ceil(day / 7)}${WEEKDAYS[weekday]}`, last: `BYDAY=-1${WEEKDAYS[weekday]}`, day: `BYMONTHDAY=${day}`, lastDay: 'BYMONTHDAY=-1' };
  const some = within.length < MONTHS.length ? `BYMONTH=${within.join(',')}` : '';
  return [`FREQ=${unit}`, interval > 1 ? `INTERVAL=${interval}` : '', unit === 'WEEKLY' ? '' : by[place], some].filter(Boolean).join(';');
}

/** Returns what `ruleOf` is told to say a rule of a start; null for a rule that it does not say. */
export function saidBy(text, start) {
  const { unit, interval, monthDays, weekdays, months } = parseRule(text);
  const place = monthDays.length ? (monthDays[0] === LAST ? 'lastDay' : 'day') : weekdays[0]?.[0] === LAST ? 'last' : weekdays.length ? 'nth' : 'day';
  const said = { unit, interval, place, months: months.length ? months : null };
  const same = [...daysOf(text, start, { most: 24 })].join() === daysOf(ruleOf(said, start), start, { most: 24 }).join();
  return same ? said : null;
}
