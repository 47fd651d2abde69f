// Tests of lists that are pasted where one line is typed.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const { readLines } = await load('pasted-lines');

test('a list has its lines without what numbers or marks them, and without those that are empty', () => {
  const text = '1. Opening\r\n\n2.1) Budget  2027\n3\tMinutes\n• Report\n– Outlook\n- Chair\nTOP 4: Beschlüsse\nTOP 5 Sonstiges\n  \n10: Any other business';
  assert.deepEqual(readLines(text), ['Opening', 'Budget 2027', 'Minutes', 'Report', 'Outlook', 'Chair', 'Beschlüsse', 'Sonstiges', 'Any other business']);
});

test('a number with a point is a part of the line where it counts something, or no lines', () => {
  for (const lines of [['2. Quartal', 'Ausblick'], ['31. Dezember', '1. Januar'], ['1. Quartal', '2. Quartal', '3. Quartal'], ['1. Halbjahr 2027'], ['7. Bericht', 'Ausblick']]) {
    assert.deepEqual(readLines(lines.join('\n')), lines);
  }
  assert.deepEqual(readLines('1. Eröffnung\n2. Quartal\n2. Bericht\n3. Varia'), ['Eröffnung', '2. Quartal', 'Bericht', 'Varia']);
  assert.deepEqual(readLines('4. Bericht\n5. Varia'), ['Bericht', 'Varia']);
});

test('the bullets of a word processor are none of the line', () => {
  const marks = ['·\t', 'o\t', '§\t', '\uF0B7 ', '▪ ', '➢\t', '✓ ', '● ', 'a) ', 'o\u00A0\u00A0 '];
  assert.deepEqual(readLines(marks.map((mark) => `${mark}Budget`).join('\n')), marks.map(() => 'Budget'));
  assert.deepEqual(readLines('§ 5 der Satzung\no Tannenbaum'), ['§ 5 der Satzung', 'o Tannenbaum']);
});

test('what begins with a number that is part of it stays whole', () => {
  const lines = ['2027 budget', '3-year plan', '1.5 million for the roof', 'Topics', 'Item 7. Elections'];
  assert.deepEqual(readLines(lines.join('\n')), lines);
});
