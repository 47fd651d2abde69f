
import { findDefinitions as find } from './kpi-search.js';
import { Problem, noAnswer } from './problems.js';

const ROOT = '/api/ontology';
const MOST = 8;

export async function fetchDefinitions() {
  return (await read('search.json')).entries;
}

export async function fetchDefinition(rogueId) {
  return (await read(`${rogueId.replace('.', '/')}.json`)).kpi;
}

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
