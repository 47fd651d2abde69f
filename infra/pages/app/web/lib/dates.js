// Dates and times in the words of the reader's locale: in the reader's zone, with the meeting's zone beside it.

import { timeNow } from './clock.js';
import { locale, t } from './texts.js';

const DATE = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' };
const TIME = { timeStyle: 'short' };
const WALL = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})$/;
const MINUTE = 60_000;
const UTC = 'UTC';
const NO_NAME = /^(?:[-+].*|Etc\/Unknown)?$/; // an offset is no zone that the API knows

let accountZone = null;

/** Sets the zone of the reader's account; null where there is none. */
export function setAccountZone(zone) {
  accountZone = zone;
}

/** Returns the reader's own zone: the account's where it is set, otherwise the browser's. One that is not known is UTC. */
export function ownZone() {
  return isOwnZoneKnown() ? statedZone() : UTC;
}

/** Whether the reader's own zone is known; pages say where it is not. */
export function isOwnZoneKnown() {
  return isZone(statedZone());
}

/** Containers and hardened browsers state `Etc/Unknown`, or nothing. */
function statedZone() {
  return accountZone || new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Returns every zone that can be chosen, also the one that was chosen before, which this browser may not know. */
export function zones(chosen = null) {
  return [...new Set([chosen ?? UTC, ownZone(), UTC, ...Intl.supportedValuesOf('timeZone')])].sort();
}

export function date(instant, zone = ownZone()) {
  return format(instant, zone, DATE);
}

export function time(instant, zone = ownZone()) {
  return format(instant, zone, TIME);
}

export function dateTime(instant, zone = ownZone()) {
  return `${date(instant, zone)}, ${time(instant, zone)}`;
}

/** Returns the day of the week of an instant. */
export function weekday(instant, zone = ownZone()) {
  return format(instant, zone, { weekday: 'long' });
}

/** Returns a calendar date (`2026-10-22`) in words; it belongs to no zone. */
export function calendarDate(text) {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? format(`${text}T00:00:00Z`, 'UTC', { ...DATE, weekday: undefined }) : text;
}

/** Returns a calendar date as legal texts write it: "1 January 2027". */
export function longDate(text) {
  return format(`${text}T00:00:00Z`, 'UTC', { dateStyle: 'long' });
}

/** Returns the day of the reader ("2026-10-22"), by default the present one. */
export function today(now = timeNow()) {
  return toWall(new Date(now).toISOString()).slice(0, 10);
}

/** Returns "14:00–15:30" or "2:00 PM–3:30 PM"; "22:30–00:30 (+1)" ends the day after, and a later end has its date. */
export function timeRange(start, end, zone = ownZone()) {
  if (!end) return time(start, zone);
  const days = dayNumber(end, zone) - dayNumber(start, zone);
  if (days < 0 || days > 1) return `${time(start, zone)}–${dateTime(end, zone)}`;
  return `${time(start, zone)}–${time(end, zone)}${days ? ' (+1)' : ''}`;
}

function dayNumber(instant, zone) {
  const { year, month, day } = partsOf(Date.parse(instant), zone);
  return Date.UTC(year, month - 1, day) / (1440 * MINUTE);
}

/** Returns the end of what starts at an instant and takes so many minutes. */
export function endOf(start, minutes) {
  return new Date(Date.parse(start) + minutes * MINUTE).toISOString();
}

/** Returns the instant in another zone, or "" where the clocks there show the same. */
export function elsewhere(start, end, zone, own = ownZone()) {
  if (!zone || !isZone(zone) || offset(start, zone) === offset(start, own)) return '';
  const day = date(start, zone) === date(start, own) ? '' : `${date(start, zone)}, `;
  return `${day}${timeRange(start, end, zone)} ${zoneName(zone)}`;
}

export function zoneName(zone) {
  return zone.replaceAll('_', ' ');
}

/** Says in which zone times are: the reader's own, or UTC where that is not known. */
export function zoneSentence() {
  return isOwnZoneKnown() ? t('common.timesAreInYourZoneZonename', { zoneName: zoneName(ownZone()) }) : t('common.timesAreInUtc');
}

/** Returns "in 3 days", "2 hours ago", … */
export function relative(instant, now = timeNow()) {
  const minutes = (Date.parse(instant) - now) / MINUTE;
  const steps = /** @type {[Intl.RelativeTimeFormatUnit, number][]} */ ([['day', 1440], ['hour', 60]]);
  const words = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' });
  const [unit, size] = steps.find(([, each]) => Math.abs(minutes) >= each) ?? /** @type {const} */ (['minute', 1]);
  return words.format(Math.trunc(minutes / size), unit);
}

/** Returns the value of a `datetime-local` field for an instant. */
export function toWall(instant, zone = ownZone()) {
  const parts = partsOf(Date.parse(instant), zone);
  const two = (value) => String(value).padStart(2, '0');
  return `${parts.year}-${two(parts.month)}-${two(parts.day)}T${two(parts.hour)}:${two(parts.minute)}`;
}

/**
 * Returns the instant at which the clocks of a zone show a `datetime-local` value, or null where they never do:
 * the hour that is skipped in spring, or no date at all. Of two such instants in autumn it is the earlier.
 */
export function fromWall(value, zone = ownZone()) {
  const found = WALL.exec(value);
  if (!found || !isZone(zone)) return null;
  const [year, month, day, hour, minute] = found.slice(1).map(Number);
  const utc = Date.UTC(year, month - 1, day, hour, minute);
  const candidates = [utc - 1440 * MINUTE, utc + 1440 * MINUTE].map((near) => utc - offset(new Date(near).toISOString(), zone));
  // Clocks that are put back show a time twice: the offset of the day before gives the earlier instant.
  return candidates.map((each) => new Date(each).toISOString()).find((each) => toWall(each, zone) === value) ?? null;
}

/** Returns how far a zone is ahead of UTC at an instant, in milliseconds. */
function offset(instant, zone) {
  const at = Math.floor(Date.parse(instant) / MINUTE) * MINUTE;
  const { year, month, day, hour, minute } = partsOf(at, zone);
  return Date.UTC(year, month - 1, day, hour, minute) - at;
}

function partsOf(milliseconds, zone) {
  const options = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', hourCycle: 'h23', timeZone: zone };
  const parts = formatter(options, 'en-GB').formatToParts(milliseconds);
  return Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)]));
}

/** Whether a zone is one that this browser knows. */
export function isZone(zone) {
  try {
    return !NO_NAME.test(zone ?? '') && Boolean(formatter({ timeZone: zone }));
  } catch {
    return false;
  }
}

/** Returns a time of the day ("09:30") in words; it belongs to no zone. */
export function clockTime(text) {
  return format(`2000-01-01T${text}:00Z`, 'UTC', TIME);
}

function format(instant, zone, options) {
  const milliseconds = Date.parse(instant);
  if (Number.isNaN(milliseconds)) return '';
  return formatter({ ...options, timeZone: isZone(zone) ? zone : UTC }).format(milliseconds);
}

const formatters = new Map();

/** Formatters are slow to make and used for every cell of a grid: each is made once. */
function formatter(options, tag = locale()) {
  const key = `${tag} ${JSON.stringify(options)}`;
  if (!formatters.has(key)) formatters.set(key, new Intl.DateTimeFormat(tag, options));
  return formatters.get(key);
}
