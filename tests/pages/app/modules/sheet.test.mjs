// Tests of the cells of a list that a spreadsheet copied or saved.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const { cellsOf } = await load('sheet');

test('cells are those of the separator of the first line, with quotes as in CSV', () => {
  assert.deepEqual(cellsOf('KPI\tQ3\n"ARR"\t4,910,000\n'), [['KPI', 'Q3'], ['ARR', '4,910,000']]);
  assert.deepEqual(cellsOf('KPI;Wert\r\n"a;b ""c"""; 1,5 \r\n;\r\n'), [['KPI', 'Wert'], ['a;b "c"', '1,5']]);
});

test('a line that states the separator is no line of the list', () => {
  for (const stated of ['sep=;', '"SEP=;"', '\ufeffsep=;;;']) assert.deepEqual(cellsOf(`${stated}\r\nVorname;E-Mail\r\nAnn, B;a@example.com`), [['Vorname', 'E-Mail'], ['Ann, B', 'a@example.com']]);
});
