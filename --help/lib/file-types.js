
import { EXTENSIONS, SHOWN_INLINE } from './service.js';

const TYPES = Object.fromEntries(Object.entries(EXTENSIONS).flatMap(([type, endings]) => endings.map((ending) => [ending, type])));

export const ENDINGS = Object.keys(TYPES).join(',');

export function typeOf(name) {
  const found = /\.\w+$/.exec(name.toLowerCase());
  return TYPES[found?.[0]] ?? '';
}

export const isShown = (type) => SHOWN_INLINE.includes(type);

export const isPdf = (type) => type === 'application/pdf';
