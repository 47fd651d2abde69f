// Names of statuses, types and people, in words.

import { has, locale, t } from './texts.js';

const SHOWN = 60;

/** Returns the words for a value of the API; an unknown value is shown as it is, with spaces. */
export function label(value) {
  if (value === null || value === undefined || value === '') return '';
  return has(`label.${value}`) ? t(`label.${value}`) : sentence(value);
}

/** Returns "board_pack" or "meetingCreate" as "Board pack", "Meeting create". */
export function sentence(value) {
  const words = String(value).replaceAll('_', ' ').replace(/([a-z])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`);
  return upperFirst(words);
}

export function upperFirst(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the beginning of a text, enough to know it again. */
export function shortened(text) {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

/** Returns a board position in words: "cfo" is "CFO", "board chair" is "Board chair". */
export function position(value) {
  const key = `position.${value.replaceAll(' ', '_')}`;
  if (has(key)) return t(key);
  return value.length <= 3 ? value.toUpperCase() : sentence(value).replace(/^It /, 'IT ');
}

/** Returns what a member with an access may do, in the words of every page; `part` is `text` for a sentence about it. */
export function access(value, part = '') {
  return t(`access.${value}${part && `.${part}`}`);
}

/** Returns "2026-3 Title" of a resolution; a draft has no number. */
export const titled = ({ number, title }) => [number, title].filter(Boolean).join(' ');

/** Returns the size of a file: "184.3 kB". */
export function fileSize(bytes) {
  const [unit, value] = bytes < 1e6 ? ['kilobyte', bytes / 1e3] : ['megabyte', bytes / 1e6];
  return new Intl.NumberFormat(locale(), { style: 'unit', unit, maximumFractionDigits: 1 }).format(value);
}

/** Returns a person's name; the address where no name is known. */
export function personName(person) {
  const name = [person?.firstName, person?.lastName].filter(Boolean).join(' ').trim();
  return name || person?.email || t('common.aFormerMember');
}

/** Returns one or two initials of a name. */
export function initials(name) {
  const words = name.split(/[\s.@_-]+/u).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const picked = words.length > 1 && !name.includes('@') ? [words[0], words.at(-1)] : words.slice(0, 1);
  return picked.map((word) => [...word][0].toLocaleUpperCase('en')).join('') || '?';
}

/** Returns one of `count` hues for a name, the same each time. */
export function hue(name, count = 8) {
  let sum = 0;
  for (const sign of name) sum = (sum * 31 + sign.codePointAt(0)) % 1_000_003;
  return sum % count;
}

const ENTITIES = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'", '&#39;': "'" };

/** Returns the text of an invite's message, which the API keeps HTML-escaped. */
export function unescaped(text) {
  return text.replace(/&(amp|lt|gt|quot|#x27|#39);/g, (entity) => ENTITIES[entity]);
}
