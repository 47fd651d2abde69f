// Finding definitions of the public catalog. The catalog's own page uses this module too (infra/catalog/page.py).

import { find } from './search.js';

/**
 * Returns the entries of the catalog's `search.json` that a few letters find, the best first: by their label, by what else
 * they are called, and by the words of their id.
 */
export function findDefinitions(entries, text, most = entries.length) {
  if (!text.trim()) return [];
  return find(entries.map(asFound), text, most).map(({ entry }) => entry);
}

function asFound(entry) {
  return { name: entry.label, about: [...entry.aliases, entry.rogueId].join(' '), entry };
}
