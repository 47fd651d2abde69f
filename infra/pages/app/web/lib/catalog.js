// The public catalog of KPI definitions: what a figure can be, found by name and alias.

import { find } from './search.js';
import { Problem, noAnswer } from './problems.js';

const ROOT = '/api/ontology';
const MOST = 8;

/** Returns all definitions as entries of a search: their names, and what else they are called. */
export async function fetchDefinitions() {
  const { entries } = await read('search.json');
  return entries.map(({ rogueId, label, aliases }) => ({ rogueId, name: label, about: aliases.join(', ') }));
}

/** Returns the whole definition of a KPI. */
export async function fetchDefinition(rogueId) {
  return (await read(`${rogueId.replace('.', '/')}.json`)).kpi;
}

/** Returns the definitions that a few letters of their name or of an alias find, the best first. */
export function findDefinitions(entries, text) {
  return text.trim() ? find(entries, text, MOST) : [];
}

async function read(path) {
  const response = await fetch(`${ROOT}/${path}`, { credentials: 'omit' }).catch((error) => {
    throw noAnswer(error, globalThis.navigator?.onLine ?? true);
  });
  if (!response.ok) throw new Problem({ status: response.status });
  return response.json();
}
