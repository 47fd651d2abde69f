// Tests of pasted lists of addresses.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const { readAddresses } = await load('addresses');

test('addresses come from lists as people and mail programs write them, each once', () => {
  const text = 'Ann Lee <ann@example.com>; bob@example.com,\n"Kim, Jo" <JO@example.com>\nbob@example.com eve@example.com';
  assert.deepEqual(readAddresses(text), ['ann@example.com', 'bob@example.com', 'jo@example.com', 'eve@example.com']);
  assert.deepEqual(readAddresses(' \n;,'), []);
});

test('white space around names, brackets and addresses means nothing', () => {
  assert.deepEqual(readAddresses('"Kim, Jo"<jo@example.com>, Ann  < ann@example.com > , bob@example.com  \t eve@example.com'),
    ['jo@example.com', 'ann@example.com', 'bob@example.com', 'eve@example.com']);
});

test('what is no address is kept, so that it can be refused by name', () => {
  assert.deepEqual(readAddresses('not an address'), ['not an address']);
});
