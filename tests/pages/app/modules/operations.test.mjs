// Tests of addresses of operations.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const { request } = await load('operations');

test('parameters are encoded, empty ones of the query are left out', () => {
  const { method, address } = request('listMeetings', { boardId: 'a/b?c' }, { status: '', limit: 5, cursor: null });
  assert.deepEqual([method, address], ['GET', '/api/v1/boards/a%2Fb%3Fc/meetings?limit=5']);
  assert.throws(() => request('getBoard'), /needs boardId/);
});

test('an operation that does not exist is a mistake of the page, and no value that is left out stands in a query', () => {
  assert.throws(() => request('listNothing'), { name: 'TypeError', message: /listNothing/ });
  assert.equal(request('listMeetings', { boardId: 'b' }, { status: undefined, cursor: undefined }).address, '/api/v1/boards/b/meetings');
});
