// What differs between two texts: nothing of either is lost, and what both have stays the same.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const { differences } = await load('word-diff');
const textOf = (parts, ...kinds) => parts.filter(([kind]) => kinds.includes(kind)).map(([, text]) => text).join('');

test('words that were replaced, added and removed are marked where they are', () => {
  assert.deepEqual(differences('The budget was approved.', 'The budget was not rejected.'), [['same', 'The budget was'], ['removed', ' approved.'], ['added', ' not rejected.']]);
  assert.deepEqual(differences('one two three', 'one three'), [['same', 'one'], ['removed', ' two'], ['same', ' three']]);
  assert.deepEqual(differences('z a b c', 'z b x c'), [['same', 'z'], ['removed', ' a'], ['same', ' b'], ['added', ' x'], ['same', ' c']]);
});

test('texts without words, and equal ones, differ in nothing else', () => {
  assert.deepEqual(differences('', ''), []);
  assert.deepEqual(differences('', 'New'), [['added', 'New']]);
  assert.deepEqual(differences('Old', ''), [['removed', 'Old']]);
  assert.deepEqual(differences('Same as\nbefore', 'Same as\nbefore'), [['same', 'Same as\nbefore']]);
});

test('both texts can be put together again from the parts, which alternate, whatever the texts are', () => {
  let seed = 7;
  const random = (below) => { seed = (seed * 16_807) % 2_147_483_647; return seed % below; };
  const made = () => Array.from({ length: random(12) }, () => ['a', 'b', 'c ', ' ', '\n'][random(5)]).join('');
  for (let turn = 0; turn < 2000; turn += 1) {
    const [before, after] = [made(), made()];
    const parts = differences(before, after);
    assert.equal(textOf(parts, 'same', 'removed'), before);
    assert.equal(textOf(parts, 'same', 'added'), after);
    assert.ok(parts.every(([kind], index) => kind !== parts[index + 1]?.[0]), JSON.stringify(parts));
  }
});

test('as many words as possible stay the same', () => {
  assert.equal(textOf(differences('- x a b c y', '- a b x c z'), 'same'), '- a b c');
});

test('texts that are too long to be compared share their beginnings and ends', () => {
  const words = (name) => Array.from({ length: 1500 }, (_, index) => `${name}${index}`).join(' ');
  const parts = differences(`Start ${words('a')} end`, `Start ${words('b')} end`);
  assert.deepEqual(parts.map(([kind]) => kind), ['same', 'removed', 'added', 'same']);
});
