// Tests of words for values.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const words = await load('words');

test('initials of names, addresses and nothing', () => {
  assert.deepEqual(['Olivia Marsh', 'Ana Maria de Souza', 'guest@example.org', 'Élodie', '王 小明', '', '(?)'].map(words.initials),
    ['OM', 'AS', 'G', 'É', '王小', '?', '?']);
});

test('an invite’s message is shown as it was typed', () => {
  assert.equal(words.unescaped('For the &lt;next&gt; &amp;amp; one&#x27;s'), "For the <next> &amp; one's");
});

test('values without words of their own are still readable', () => {
  assert.equal(words.label('board_pack'), 'Board pack');
  assert.equal(words.label('constructor'), 'Constructor');
  assert.equal(words.label(null), '');
});
