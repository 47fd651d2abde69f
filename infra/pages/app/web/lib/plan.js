// The work plan in words: months by their names, and what is missing in a year.

import { locale, t } from './texts.js';

export const MONTHS = Array.from({ length: 12 }, (_, index) => index + 1);
export const TONES = { planned: 'quiet', on_agenda: 'accent', done: 'good', missed: 'bad' };
export const STATUSES = () => ({ planned: t('year.planned'), on_agenda: t('year.onAgenda'), done: t('year.done'), missed: t('year.missed') });

/** The name of a month, whole or short enough for a column. */
export function monthName(month, style = 'long') {
  return new Intl.DateTimeFormat(locale(), { month: style, timeZone: 'UTC' }).format(new Date(Date.UTC(2026, month - 1, 15)));
}

/** Returns what is missing in a year, in order: what was missed, and what this month and the next have on no agenda. `today` is a date. */
export function missing(matters, year, today) {
  const now = Number(today.slice(0, 4)) * 12 + Number(today.slice(5, 7));
  return matters
    .flatMap(({ planItemId, months }) => months.map((each) => ({ planItemId, ...each })))
    .filter(({ month, status }) => status === 'missed' || (status === 'planned' && year * 12 + month <= now + 1))
    .sort((one, other) => one.month - other.month);
}

/** Returns the meetings of a year that a matter can be put on: in its months, and not finalized or cancelled. */
export function meetingsFor(matter, meetings, year) {
  return meetings.filter(({ startTime, status, cancellation }) => startTime && status !== 'finalized' && !cancellation
    && Number(startTime.slice(0, 4)) === year && matter.months.includes(Number(startTime.slice(5, 7))));
}
