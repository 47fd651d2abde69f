// Tests of numbers of JSON as they were written.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const { WrittenNumber, fromJson, plain, toJson } = await load('written-numbers');

test('numbers keep how they are written, in both directions', () => {
  for (const text of ['12.50', '[0,-1.0,1e5,1E-07,12.500]', '{"a":{"b":[1.10,"2.20",null,true,"say \\"3.30\\""]}}', '{"1.0":"\\\\","x":4.40}']) {
    assert.equal(toJson(fromJson(text)), text);
  }
  assert.deepEqual(fromJson(' { "a" : 1.50 , "b" : "1.50" } '), { a: new WrittenNumber('1.50'), b: '1.50' });
});

test('what is no number stays as it is', () => {
  assert.deepEqual(fromJson('{"id":"2026-01-01","none":null}'), { id: '2026-01-01', none: null });
  assert.equal(toJson({ a: 'u00001', b: '\\u00001', c: 5 }), JSON.stringify({ a: 'u00001', b: '\\u00001', c: 5 }));
  assert.throws(() => fromJson('<html>'), SyntaxError);
});

test('a plain value has numbers that can be drawn', () => {
  assert.deepEqual(plain([new WrittenNumber('12.50'), 'x', null]), [12.5, 'x', null]);
});
