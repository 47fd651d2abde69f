
import { find } from './search.js';

export function findDefinitions(entries, text, most = entries.length) {
  if (!text.trim()) return [];
  return find(entries.map(asFound), text, most).map(({ entry }) => entry);
}

function asFound(entry) {
  return { name: entry.label, about: [...entry.aliases, entry.rogueId].join(' '), entry };
}
