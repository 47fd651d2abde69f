// Asks for all modules of a view at once. `needs.js` is made from the modules' imports when the pages are built.

import { NEEDS } from './needs.js';

const asked = new Set();

/** Begins to load what a view needs, each module once. */
export function preload(name) {
  for (const path of NEEDS[name] ?? []) {
    if (asked.has(path)) continue;
    asked.add(path);
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = new URL(`../${path}`, import.meta.url).href;
    document.head.append(link);
  }
}
