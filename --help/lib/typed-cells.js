// The cells of charts and tables as they are typed and pasted: rows of texts, of which the first is the heading.

import { chart, table } from './chart-values.js';
import { asTyped, typedNumber } from './typed-numbers.js';
import { WrittenNumber, plain, toJson } from './written-numbers.js';

// One cell of copied text and what ends it. A cell in quotes may hold tabs, line breaks and doubled quotes.
const CELL = /(?:"((?:[^"]|"")*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r\n|\r|\n|$)/y;
// More cells would be more fields than a page shows at once.
const MOST_CELLS = 4000;

/** Returns the rows of cells that a spreadsheet copied (tab-separated). */
export function cellsOf(text) {
  const rows = [[]];
  CELL.lastIndex = 0;
  for (let found = CELL.exec(text); found; found = CELL.exec(text)) {
    rows.at(-1).push(found[1] === undefined ? found[2] : found[1].replaceAll('""', '"'));
    if (CELL.lastIndex === text.length && found[3] !== '\t') break;
    if (found[3] !== '\t') rows.push([]);
  }
  return rows;
}

/** Returns a grid with cells written over it from a place on; it grows as needed. Null if it would be too large. */
export function pasted(grid, row, column, cells) {
  const height = Math.max(grid.length, row + cells.length);
  const width = Math.max(grid[0].length, column + Math.max(...cells.map((each) => each.length)));
  if (height * width > MOST_CELLS) return null;
  return Array.from({ length: height }, (_, y) => Array.from({ length: width }, (__, x) => cells[y - row]?.[x - column] ?? grid[y]?.[x] ?? ''));
}

/** Returns a grid without a row, or without a column. */
export function withoutRow(grid, row) {
  return grid.filter((_, index) => index !== row);
}

export function withoutColumn(grid, column) {
  return grid.map((row) => row.filter((_, index) => index !== column));
}

/** Returns the grid of a table's value; null where it is none. */
export function gridOfTable(value) {
  if (!table(plain(value))) return null;
  return [value.columns.map(typedCell), ...value.rows.map((row) => value.columns.map((_, index) => typedCell(row[index] ?? null)))];
}

/** Returns the grid of a chart's value, with a column for the periods and one for each series; null where it is none. */
export function gridOfChart(value, period) {
  const drawn = chart(plain(value));
  if (!drawn) return null;
  const values = Array.isArray(value) ? [valuesOf(value)] : value.series.map(({ points }) => valuesAt(points, drawn.labels));
  const rows = drawn.labels.map((label, index) => [label, ...values.map((each) => typedCell(each[index]))]);
  return [[period, ...drawn.series.map(({ name }) => name)], ...rows];
}

function valuesOf(points) {
  return points.map((point) => (point instanceof WrittenNumber ? point : point.value));
}

function valuesAt(points, periods) {
  return periods.map((each) => points.find(({ period }) => textOf(period) === each)?.value ?? null);
}

function textOf(value) {
  return value instanceof WrittenNumber ? value.text : String(value);
}

function typedCell(value) {
  if (value === null) return '';
  if (value instanceof WrittenNumber) return asTyped(value.text);
  return typeof value === 'string' ? value : toJson(value);
}

/** Returns the value of a table's grid: what is clearly a number is one, an empty cell is null, all else is text. */
export function tableOfGrid([columns, ...rows]) {
  return { columns, rows: rows.map((row) => row.map((cell) => (cell.trim() ? (numberIn(cell) ?? cell) : null))) };
}

/** Returns the value of a chart's grid; rows without a period are left out. */
export function chartOfGrid([heading, ...rows]) {
  const named = rows.filter(([period]) => period.trim());
  const points = (column) => named.map((row) => ({ period: row[0], value: numberIn(row[column]) }));
  return { series: heading.slice(1).map((name, index) => ({ name, points: points(index + 1) })) };
}

/** Returns the first cell of a chart's grid that has to be a number and is none, as `{row, column}`; null where all are. */
export function noNumberIn(grid) {
  for (const [row, cells] of grid.entries()) {
    const column = row ? cells.findIndex((cell, index) => index && cell.trim() && !numberIn(cell)) : -1;
    if (column > 0) return { row, column };
  }
  return null;
}

function numberIn(cell) {
  const written = typedNumber(cell);
  return written === null ? null : new WrittenNumber(written);
}
