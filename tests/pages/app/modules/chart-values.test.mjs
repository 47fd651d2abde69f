// Tests of figures of dashboards.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const charts = await load('chart-values');

test('each convention of a chart’s value is understood', () => {
  assert.deepEqual(charts.chart([1, 2]), { labels: ['1', '2'], series: [{ name: '', values: [1, 2] }] });
  assert.deepEqual(charts.chart([{ period: '2026', label: 'Year', value: 3 }]), { labels: ['Year'], series: [{ name: '', values: [3] }] });
  const series = { series: [{ name: 'A', points: [{ period: 'p2', value: 2 }] }, { name: 'B', points: [{ period: 'p1', value: 1 }] }] };
  assert.deepEqual(charts.chart(series), { labels: ['p1', 'p2'], series: [{ name: 'A', values: [null, 2] }, { name: 'B', values: [1, null] }] });
});

test('what is no chart and no table is left to be shown as text', () => {
  for (const value of [null, 5, 'x', [], {}, [1, 'x'], [{ value: 1 }], { series: [] }, { series: [{ name: 'A' }] }]) assert.equal(charts.chart(value), null);
  for (const value of [null, [], { columns: ['a'] }, { columns: ['a'], rows: [1] }]) assert.equal(charts.table(value), null);
  assert.equal(charts.text({ x: [1] }), '{"x":[1]}');
});

test('a table’s rows are as long as its columns', () => {
  assert.deepEqual(charts.table({ columns: ['a', 'b'], rows: [[1], ['x', null, 'more']] }), { columns: ['a', 'b'], rows: [['1', '–'], ['x', '–']] });
});

test('figures: shares, currencies, units and what is no number', () => {
  assert.equal(charts.figure('percent', 0.018), '1.8%');
  assert.equal(charts.figure('currency', 4820000, { currency: 'EUR' }), '€4,820,000');
  assert.equal(charts.figure('currency', 12.5, { currency: 'nonsense' }), '12.5');
  assert.equal(charts.figure('number', 19.8, { unit: 'months' }), '19.8 months');
  assert.equal(charts.figure('number', 'about 20'), 'about 20');
  assert.equal(charts.figure('number', null), '–');
  assert.equal(charts.figure('number', 2.345, { decimals: 99 }), '2.35');
});
