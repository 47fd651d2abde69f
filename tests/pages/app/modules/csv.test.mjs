// Tests of tables as CSV.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const { csv } = await load('csv');

test('cells with commas, quotes and line breaks are quoted, and none is computed by a spreadsheet', () => {
  assert.equal(csv([['a', 'b,c', 'say "x"'], ['two\nlines', null, 5]]), 'a,"b,c","say ""x"""\r\n"two\nlines",,5\r\n');
  assert.equal(csv([['=1+1', '+1', '-1', '@x', '\t=1', 'a=1']]), "'=1+1,'+1,'-1,'@x,'\t=1,a=1\r\n");
});
