// Days and times of the clock as texts ("2027-03-10", "2027-03-10T09:30"): they belong to no zone until one is chosen.

const DAY_MS = 86_400_000;
const ISO = /^(\d{4})-(\d{2})-(\d{2})[T ,]+(\d{1,2}):(\d{2})\s*([ap]m)?$/i;
const DOTTED = /^(\d{1,2})\.(\d{1,2})\.(\d{4})[ ,]+(\d{1,2})[:.](\d{2})\s*([ap]m)?$/i;
const two = (value) => String(value).padStart(2, '0');

/** Returns the day some days later, or earlier. */
export function addDays(day, count) {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the time some minutes later, or earlier. */
export function addMinutes(time, count) {
  return new Date(Date.parse(`${time}:00Z`) + count * 60_000).toISOString().slice(0, 16);
}

/** Returns the days of the week that a day is in, from Monday on. */
export function weekOf(day) {
  const sinceMonday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  return Array.from({ length: 7 }, (_, index) => addDays(day, index - sinceMonday));
}

/** Returns the weeks that a day's month touches, each from Monday on. */
export function monthOf(day) {
  const weeks = [];
  for (let week = weekOf(`${day.slice(0, 7)}-01`); week[0].slice(0, 7) <= day.slice(0, 7); week = weekOf(addDays(week[0], 7))) weeks.push(week);
  return weeks;
}

/** Returns a day in another month, as near to the same day as that month has. */
export function addMonths(day, count) {
  const [year, month, date] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + count, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + count, Math.min(date, last))).toISOString().slice(0, 10);
}

/** Reads times, one a line: "2027-03-10 09:30", "10.3.2027 9:30", each with "am" or "pm" if wanted. Returns `{times, wrong}`. */
export function readTimes(text) {
  const lines = text.split(/[\n;]/).map((line) => line.trim().replace(/^[-*•]\s*/, '')).filter(Boolean);
  const found = lines.map((line) => [line, readTime(line)]);
  return { times: [...new Set(found.flatMap(([, time]) => time ?? []))].sort(), wrong: found.filter(([, time]) => !time).map(([line]) => line) };
}

function readTime(line) {
  const iso = ISO.exec(line);
  const dotted = DOTTED.exec(line);
  if (!iso && !dotted) return null;
  const [year, month, day] = (iso ? iso.slice(1, 4) : dotted.slice(1, 4).reverse()).map(Number);
  const [hours, minutes, half] = (iso ?? dotted).slice(4);
  if (half && (Number(hours) < 1 || Number(hours) > 12)) return null;
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : Number(hours);
  const time = `${year}-${two(month)}-${two(day)}T${two(hour)}:${minutes}`;
  const at = Date.parse(`${time}:00Z`);
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 16) !== time ? null : time;
}
