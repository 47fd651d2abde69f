// Tests of finding something by a few letters.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const { find } = await load('search');
const entry = (name, about = '') => ({ name, about });
const names = (entries, text, most) => find(entries, text, most).map(({ name }) => name);

test('every word that is typed begins a word of what is found, in any order, without case and accents', () => {
  const entries = [entry('Quarterly board meeting'), entry('Élodie Marsh'), entry('Budget')];
  assert.deepEqual(names(entries, 'MEET quart'), ['Quarterly board meeting']);
  assert.deepEqual(names(entries, 'elo'), ['Élodie Marsh']);
  for (const text of ['eeting', 'meeting budget']) assert.deepEqual(names(entries, text), []);
});

test('what is called so comes first, then what begins so, then names, then what only belongs to something of that name', () => {
  const entries = [entry('Minutes', 'Board of Trustees'), entry('The board pack'), entry('Board dates'), entry('Board')];
  for (const text of ['board', ' board ']) assert.deepEqual(names(entries, text), ['Board', 'Board dates', 'The board pack', 'Minutes']);
});

test('without a text everything is found, up to the most', () => {
  assert.deepEqual(names([entry('b'), entry('a'), entry('c')], ' ', 2), ['b', 'a']);
});
