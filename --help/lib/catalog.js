// The public catalog of KPI definitions: what a figure can be, found by name and alias.

import { findDefinitions as find } from './kpi-search.js';
import { Problem, noAnswer } from './problems.js';

const ROOT = '/api/ontology';
const MOST = 8;

/** Returns the entries of all definitions: their ids, labels and aliases. */
export async function fetchDefinitions() {
  return (await read('search.json')).entries;
}

/** Returns the whole definition of a KPI. */
export async function fetchDefinition(rogueId) {
  return (await read(`${rogueId.replace('.', '/')}.json`)).kpi;
}

/** Returns the few definitions that a text finds best. */
export function findDefinitions(entries, text) {
  return find(entries, text, MOST);
}

async function read(path) {
  const response = await fetch(`${ROOT}/${path}`, { credentials: 'omit' }).catch((error) => {
    throw noAnswer(error, globalThis.navigator?.onLine ?? true);
  });
  if (!response.ok) throw new Problem({ status: response.status });
  return response.json();
}
