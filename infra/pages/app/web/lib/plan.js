// The year of a board: months by their names and as they are written, where meetings and matters stand in it, and what is missing.

import { toWall } from './dates.js';
import { readAgenda } from './pasted-lines.js';
import { locale, t } from './texts.js';

export const MONTHS = Array.from({ length: 12 }, (_, index) => index + 1);
export const TONES = { planned: 'quiet', on_agenda: 'accent', done: 'good', missed: 'bad' };
export const STATUSES = () => ({ planned: t('year.planned'), on_agenda: t('year.onAgenda'), done: t('year.done'), missed: t('year.missed') });
const BEHIND = /^(.+?)\s*@\s*([^@]+)$/;
const SHORTEST = 3; // of a month's name: "Jun" and "Jul" differ

/**
 * The name of a month, whole or short enough for a column.
 * @param {number} month
 * @param {'long' | 'short'} style
 */
export function monthName(month, style = 'long') {
  return new Intl.DateTimeFormat(locale(), { month: style, timeZone: 'UTC' }).format(new Date(Date.UTC(2026, month - 1, 15)));
}

/** Returns the months that a text names, sorted: "3, 9", "Jan–Jun", "11–2"; null where it names none, or something else. */
export function readMonths(text) {
  const parts = text.trim().replace(/\s*[-–—]\s*/g, '-').split(/[\s,;]+/).map((part) => part.split('-').map(monthOfWord));
  if (parts.some((ends) => ends.length > 2 || ends.includes(null))) return null;
  const months = parts.flatMap(([first, last = first]) => MONTHS.filter((month) => (first <= last ? first <= month && month <= last : month <= last || first <= month)));
  return [...new Set(months)].sort((one, other) => one - other);
}

function monthOfWord(word) {
  if (/^\d+$/.test(word)) return MONTHS.includes(Number(word)) ? Number(word) : null;
  const name = word.replace(/\.$/, '').toLowerCase();
  return (name.length >= SHORTEST && MONTHS.find((month) => monthName(month).toLowerCase().startsWith(name))) || null;
}

/** Returns the items that a text says, a line each: as `readAgenda` reads them, and with the months behind an at sign. */
export function readItems(text) {
  return readAgenda(text).map(({ title: line, minutes: stated, notes }) => {
    const [, before = line, behind = ''] = BEHIND.exec(line) ?? [];
    const months = readMonths(behind);
    const [{ title, minutes }] = readAgenda(months ? before : line);
    return { title, minutes: minutes ?? stated, months, notes };
  });
}

/** An item as a line that `readItems` reads: its title, its minutes in brackets, its months behind an at sign. */
export function lineOf({ title, minutes = null, months = null }) {
  return `${title}${minutes ? ` (${minutes} min)` : ''}${months ? ` @ ${months.join(', ')}` : ''}`;
}

const yearOf = (day) => Number(day.slice(0, 4));
const monthOf = (day) => Number(day.slice(5, 7));

/** Returns what starts in a year of the reader (meetings, occurrences) by its months, in order, each with its `day`. */
export function byMonth(starting, year) {
  const days = starting.filter(({ startTime }) => startTime).map((each) => ({ ...each, day: toWall(each.startTime).slice(0, 10) })).filter(({ day }) => yearOf(day) === year);
  days.sort((one, other) => one.startTime.localeCompare(other.startTime));
  return new Map(MONTHS.map((month) => [month, days.filter(({ day }) => monthOf(day) === month)]));
}

/**
 * Returns what is missing in a year: of each matter the months that were `missed`, and of this month and the next those that are
 * `due` on no agenda, nor coming on one (`isComing(planItemId, month)`). `today` is a date.
 */
export function missing(matters, year, today, isComing = (_planItemId, _month) => false) {
  const now = yearOf(today) * 12 + monthOf(today);
  const isDue = ({ month, status }) => status === 'planned' && year * 12 + month <= now + 1;
  const of = (months, holds) => months.filter(holds).map(({ month }) => month);
  const found = matters.map(({ planItemId, months }) => ({ planItemId, missed: of(months, ({ status }) => status === 'missed'), due: of(months, isDue).filter((month) => !isComing(planItemId, month)) }));
  return found.filter(({ missed, due }) => missed.length || due.length);
}

/** Says months in a row: "February, May and August". */
export function inMonths(months) {
  return new Intl.ListFormat(locale(), { type: 'conjunction' }).format(months.map((month) => monthName(month)));
}

/** Returns the meetings of a year that can take a matter of some months: they are in those, and not finalized. */
export function meetingsFor(months, meetings, year) {
  const found = byMonth(meetings.filter(({ status }) => status !== 'finalized'), year);
  return months.flatMap((month) => found.get(month));
}
