// Tests of lists that are pasted where one line is typed.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const { readLines } = await load('pasted-lines');

test('a list has its lines without what numbers or marks them, and without those that are empty', () => {
  const text = '1. Opening\r\n\n2.1) Budget  2027\n3\tMinutes\n• Report\n– Outlook\n- Chair\nTOP 4: Beschlüsse\nTOP 5 Sonstiges\n  \n10: Any other business';
  assert.deepEqual(readLines(text), ['Opening', 'Budget 2027', 'Minutes', 'Report', 'Outlook', 'Chair', 'Beschlüsse', 'Sonstiges', 'Any other business']);
});

test('what begins with a number that is part of it stays whole', () => {
  const lines = ['2027 budget', '3-year plan', '1.5 million for the roof', 'Topics', 'Item 7. Elections'];
  assert.deepEqual(readLines(lines.join('\n')), lines);
});
