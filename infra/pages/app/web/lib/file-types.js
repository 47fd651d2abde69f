// The media types of files that documents may have, by how their names end.

import { ENDING, EXTENSIONS, SHOWN_INLINE } from './service.js';

const TYPES = Object.fromEntries(Object.entries(EXTENSIONS).flatMap(([type, endings]) => endings.map((ending) => [ending, type])));

/** How the names of files end that may be chosen, for a file field. */
export const ENDINGS = Object.keys(TYPES).join(',');

/**
 * Returns the media type of a file by its name, whatever the system calls it (`.csv` is one of Excel on Windows), or by `stated`,
 * what the system says, where the name has no ending; empty for a file that is not accepted.
 *
 * @returns {any}
 */
export function typeOf(name, stated = '') {
  const [ending] = new RegExp(ENDING).exec(name) ?? [];
  return (ending ? TYPES[ending.toLowerCase()] : Object.hasOwn(EXTENSIONS, stated) && stated) || '';
}

/** Whether a browser shows files of a type, and never runs them. */
export const isShown = (type) => SHOWN_INLINE.includes(type);

/** Whether a file is shown by the browser's own viewer of PDF, which works in no sandbox. */
export const isPdf = (type) => type === 'application/pdf';
