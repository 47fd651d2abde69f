// Tests of what is read from cells of a spreadsheet.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const sheet = await load('sheet');
const DEFINITIONS = [{ rogueId: 'revenue.arr', label: 'Annual recurring revenue', aliases: ['ARR'] }, { rogueId: 'finance.revenue', label: 'Revenue', aliases: ['Turnover'] }];

test('cells are those of the separator of the first line, with quotes as in CSV', () => {
  assert.deepEqual(sheet.cellsOf('KPI\tQ3\n"ARR"\t4,910,000\n'), [['KPI', 'Q3'], ['ARR', '4,910,000']]);
  assert.deepEqual(sheet.cellsOf('KPI;Wert\r\n"a;b ""c"""; 1,5 \r\n;\r\n'), [['KPI', 'Wert'], ['a;b "c"', '1,5']]);
});

test('columns are recognised by what they are called, or by what stands in them', () => {
  const of = (text) => Object.values(sheet.columnsOf(sheet.cellsOf(text)));
  assert.deepEqual(of('Stichtag\tKennzahl\tWert\n31.03.2027\tARR\t5'), [1, 2, 0, true]);
  assert.deepEqual(of('\tQ2\tQ3\nARR\t4.1\t4.9\nRevenue\t€ 1,000\t(12.5) %'), [0, 2, -1, true]);
  assert.deepEqual(of('ARR\t4.9\t2027-03-31\nRevenue\t-1\t2027-03-31'), [0, 1, 2, false]);
});

test('a KPI is what its id, its slug, its label or another name says, in any case', () => {
  for (const cell of ['revenue.arr', 'ARR', 'arr', 'annual recurring revenue']) assert.equal(sheet.definitionOf(DEFINITIONS, cell).rogueId, 'revenue.arr', cell);
  assert.equal(sheet.definitionOf(DEFINITIONS, 'recurring'), undefined);
});

test('a line without a name or a number is a heading', () => {
  const rows = sheet.cellsOf('KPI\tvalue\nFinance\t\nARR\t1');
  assert.deepEqual(sheet.linesOf(rows, sheet.columnsOf(rows)), [{ kpi: 'ARR', value: '1', date: '' }]);
});

test('what is sent names each KPI by its id, has the numbers as they were written, and a day in each line', () => {
  const lines = [{ rogueId: 'revenue.arr', value: '-1,250.50', date: '' }, { rogueId: 'finance.revenue', value: '3', date: '2027-01-01' }];
  assert.equal(sheet.fillOf(lines, '2027-03-31'), 'rogueId,value,date\r\nrevenue.arr,"-1,250.50",2027-03-31\r\nfinance.revenue,3,2027-01-01\r\n');
});
