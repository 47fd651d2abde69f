
import { locale } from './texts.js';

const MINUS = '\u2212';
const PLAIN = /^-?(?:0|[1-9]\d*)(?:([.,])\d+)?(?:[eE][+-]?\d+)?$/;
const GROUPED = /^-?[1-9]\d{0,2}(?:([.,'’\s])\d{3})(?:\1\d{3})*(?:(?!\1)[.,]\d+)?$/;

export function typedNumber(typed, language = locale()) {
  const text = typed.trim().replace(MINUS, '-');
  const plain = PLAIN.exec(text);
  const grouped = GROUPED.exec(text);
  if (grouped && (!plain || grouped[1] === signs(language).group)) return text.replaceAll(grouped[1], '').replace(',', '.');
  return plain ? text.replace(',', '.') : null;
}

export function asTyped(written, language = locale()) {
  return written.replace('.', signs(language).decimal);
}

function signs(language) {
  const parts = new Intl.NumberFormat(language, { useGrouping: 'always' }).formatToParts(1234.5);
  return Object.fromEntries(['group', 'decimal'].map((type) => [type, parts.find((part) => part.type === type).value]));
}
