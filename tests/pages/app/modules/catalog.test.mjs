// Tests of the catalog as figures use it.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const catalog = await load('catalog');

const files = {
  '/api/ontology/search.json': { entries: [{ rogueId: 'finance.revenue', label: 'Revenue', aliases: ['Turnover'] }, { rogueId: 'finance.gross-profit', label: 'Gross profit', aliases: ['Gross income', 'GP'] }] },
  '/api/ontology/finance/gross-profit.json': { kpi: { rogueId: 'finance.gross-profit', unit: 'currency' } },
};

/** Answers requests for files that come without credentials. */
function serve(found) {
  globalThis.fetch = async (path, { credentials }) => (credentials === 'omit' && found[path] ? new Response(JSON.stringify(found[path])) : new Response('', { status: 404 }));
}

test('a KPI is found by its name, by each alias and by its id, and read whole', async () => {
  serve(files);
  const entries = await catalog.fetchDefinitions();
  const ids = (text) => catalog.findDefinitions(entries, text).map(({ rogueId }) => rogueId);
  assert.deepEqual([ids('gross'), ids('turn'), ids('gp'), ids('finance profit'), ids('nothing'), ids(' ')], [['finance.gross-profit'], ['finance.revenue'], ['finance.gross-profit'], ['finance.gross-profit'], [], []]);
  assert.equal((await catalog.fetchDefinition('finance.gross-profit')).unit, 'currency');
});

test('a catalog that cannot be read is a problem, and who is offline is told so', async (context) => {
  serve({});
  await assert.rejects(catalog.fetchDefinitions(), { status: 404 });
  globalThis.fetch = async () => { throw new TypeError('failed'); };
  await assert.rejects(catalog.fetchDefinitions(), { status: 0, code: 'NO_CONNECTION' });
  Object.defineProperty(globalThis, 'navigator', { value: { onLine: false }, configurable: true });
  context.after(() => delete globalThis.navigator);
  await assert.rejects(catalog.fetchDefinitions(), { status: 0, code: 'OFFLINE' });
});
