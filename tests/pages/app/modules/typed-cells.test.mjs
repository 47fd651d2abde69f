// Tests of the cells of charts and tables.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const grids = await load('typed-cells');
const { setAccountLanguage } = await load('texts');
const { WrittenNumber, fromJson, toJson } = await load('written-numbers');

test('copied cells are read: quotes, line breaks of each kind, empty cells', () => {
  assert.deepEqual(grids.cellsOf('a\tb\r\nc\td\r\n'), [['a', 'b'], ['c', 'd']]);
  assert.deepEqual(grids.cellsOf('a\tb\nc\td'), [['a', 'b'], ['c', 'd']]);
  assert.deepEqual(grids.cellsOf('a\rb'), [['a'], ['b']]);
  assert.deepEqual(grids.cellsOf('"say ""x"""\t"two\r\nlines\tand a tab"\t""\n1,5\t\t'), [['say "x"', 'two\r\nlines\tand a tab', ''], ['1,5', '', '']]);
  assert.deepEqual(grids.cellsOf('5" pipe\t"open\nx"y\t"a"b'), [['5" pipe', '"open'], ['x"y', '"a"b']]);
  assert.deepEqual(grids.cellsOf('a\n\nb'), [['a'], [''], ['b']]);
  assert.deepEqual(grids.cellsOf('a\t"b\tc"'), [['a', 'b\tc']]);
  assert.deepEqual(grids.cellsOf('one'), [['one']]);
  assert.deepEqual(grids.cellsOf(''), [['']]);
});

test('cells are written over others from a place on, and the grid grows', () => {
  const grid = [['a', 'b'], ['c', 'd']];
  assert.deepEqual(grids.pasted(grid, 1, 1, [['1', '2'], ['3']]), [['a', 'b', ''], ['c', '1', '2'], ['', '3', '']]);
  assert.deepEqual(grids.pasted(grid, 0, 0, [['']]), [['', 'b'], ['c', 'd']]);
  assert.deepEqual(grid, [['a', 'b'], ['c', 'd']]);
  assert.equal(grids.pasted(grid, 0, 0, Array(2001).fill(['1'])), null);
  assert.equal(grids.pasted(grid, 0, 0, Array(2000).fill(['1'])).length, 2000);
});

test('rows and columns are taken out', () => {
  assert.deepEqual(grids.withoutRow([['a'], ['b'], ['c']], 1), [['a'], ['c']]);
  assert.deepEqual(grids.withoutColumn([['a', 'b'], ['c', 'd']], 0), [['b'], ['d']]);
});

test('a table keeps its texts and its numbers as they are written', () => {
  const value = fromJson('{"columns":["Region","Net"],"rows":[["North",12.50],["007",null],["x",true]]}');
  const grid = grids.gridOfTable(value);
  assert.deepEqual(grid, [['Region', 'Net'], ['North', '12.50'], ['007', ''], ['x', 'true']]);
  assert.equal(toJson(grids.tableOfGrid([['Region', '2026'], ['North', '12.50'], ['007', ' '], ['12 %', '1,234']])), '{"columns":["Region","2026"],"rows":[["North",12.50],["007",null],["12 %",1234]]}');
  assert.deepEqual(grids.gridOfTable(fromJson('{"columns":["a","b"],"rows":[["1"]]}')), [['a', 'b'], ['1', '']]);
  assert.equal(grids.gridOfTable('x'), null);
});

test('a chart of each shape becomes a column of periods and one of each series', () => {
  const grid = (text) => grids.gridOfChart(fromJson(text), 'Period');
  assert.deepEqual(grid('[1.50,2]'), [['Period', ''], ['1', '1.50'], ['2', '2']]);
  assert.deepEqual(grid('[{"period":"2026","label":"Year","value":3.0},{"period":"2026","value":null}]'), [['Period', ''], ['Year', '3.0'], ['2026', '']]);
  const series = '{"series":[{"name":"A","points":[{"period":"p2","value":2.0}]},{"name":"B","points":[{"period":"p1","value":1}]}]}';
  assert.deepEqual(grid(series), [['Period', 'A', 'B'], ['p1', '', '1'], ['p2', '2.0', '']]);
  assert.deepEqual(grid('{"series":[{"name":"A","points":[{"period":2026,"value":2}]}]}'), [['Period', 'A'], ['2026', '2']]);
  assert.equal(grid('{"neither":"nor"}'), null);
});

test('a chart is made of a grid; rows without a period are left out', () => {
  const grid = [['Period', 'Plan', 'Actual'], ['Q1', '1,5', '2.50'], ['Q2', '', '3'], [' ', '9', '']];
  assert.equal(toJson(grids.chartOfGrid(grid)), '{"series":[{"name":"Plan","points":[{"period":"Q1","value":1.5},{"period":"Q2","value":null}]},{"name":"Actual","points":[{"period":"Q1","value":2.50},{"period":"Q2","value":3}]}]}');
});

test('the first cell of a chart that is no number is found', () => {
  assert.equal(grids.noNumberIn([['Period', 'Plan'], ['Q1', '1'], ['Q2', ' ']]), null);
  assert.deepEqual(grids.noNumberIn([['Period', 'Plan', 'x'], ['Q1', '1', ''], ['Q2', '', 'n/a'], ['Q3', 'y', '']]), { row: 2, column: 2 });
});

test('a number of a table is typed, and read, in the way of the language', async (context) => {
  context.after(() => setAccountLanguage(null, () => {}));
  await setAccountLanguage('de', () => {});
  assert.deepEqual(grids.gridOfTable(fromJson('{"columns":["a"],"rows":[[12.50]]}')), [['a'], ['12,50']]);
  assert.deepEqual(grids.tableOfGrid([['a'], ['12,50']]).rows, [[new WrittenNumber('12.50')]]);
});
