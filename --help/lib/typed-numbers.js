// Numbers as people type and paste them, in the way of their language or in another one.

import { locale } from './texts.js';

const MINUS = '\u2212';
const PLAIN = /^-?(?:0|[1-9]\d*)(?:([.,])\d+)?(?:[eE][+-]?\d+)?$/;
const GROUPED = /^-?[1-9]\d{0,2}(?:([.,'’\s])\d{3})(?:\1\d{3})*(?:(?!\1)[.,]\d+)?$/;

/**
 * Returns a typed number as JSON writes it, its zeros kept; null for what is not clearly a number. A point or a comma is the
 * sign of decimals unless it groups digits by three: one that could be either is what it is in the reader's language.
 */
export function typedNumber(typed, language = locale()) {
  const text = typed.trim().replace(MINUS, '-');
  const plain = PLAIN.exec(text);
  const grouped = GROUPED.exec(text);
  if (grouped && (!plain || grouped[1] === signs(language).group)) return text.replaceAll(grouped[1], '').replace(',', '.');
  return plain ? text.replace(',', '.') : null;
}

/** Returns a number of JSON as somebody who reads this language would type it. */
export function asTyped(written, language = locale()) {
  return written.replace('.', signs(language).decimal);
}

function signs(language) {
  const parts = new Intl.NumberFormat(language, { useGrouping: 'always' }).formatToParts(1234.5);
  return Object.fromEntries(['group', 'decimal'].map((type) => [type, parts.find((part) => part.type === type).value]));
}
