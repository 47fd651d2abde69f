// Tests of figures of dashboards.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const charts = await load('chart-values');

test('each convention of a chart’s value is understood', () => {
  assert.deepEqual(charts.chart([1, 2]), { labels: ['1', '2'], series: [{ name: '', values: [1, 2] }] });
  assert.deepEqual(charts.chart([{ period: '2026', label: 'Year', value: 3 }, { period: 2027, value: null }]), { labels: ['Year', '2027'], series: [{ name: '', values: [3, null] }] });
  const series = { series: [{ name: 'A', points: [{ period: 'p2', value: 2 }] }, { name: 'B', points: [{ period: 'p1', value: 1 }] }] };
  assert.deepEqual(charts.chart(series), { labels: ['p1', 'p2'], series: [{ name: 'A', values: [null, 2] }, { name: 'B', values: [1, null] }] });
});

test('the periods of series are in their order where all series have them, and sorted otherwise', () => {
  const points = (...periods) => ({ points: periods.map((period) => ({ period, value: 1 })) });
  const labels = (...series) => charts.chart({ series }).labels;
  assert.deepEqual(labels(points('Mar', 'Apr'), points('Mar', 'Apr')), ['Mar', 'Apr']);
  assert.deepEqual(labels(points('Mar', 'Apr'), points('Mar')), ['Apr', 'Mar']);
});

test('series without a name are numbered', () => {
  const points = [{ period: 'p', value: 1 }];
  assert.deepEqual(charts.chart({ series: [{ points }, { name: 'B', points }, { points }] }).series.map(({ name }) => name), ['Series 1', 'B', 'Series 3']);
});

test('what is no chart and no table is left to be shown as text', () => {
  for (const value of [null, 5, 'x', [], {}, [1, 'x'], [{ value: 1 }], [null], [{ period: 'p', value: 1 }, {}], [{ period: 'p', value: 'x' }], { series: [] }, { series: [{ name: 'A' }] }, { series: [null] }]) assert.equal(charts.chart(value), null);
  for (const value of [null, [], { columns: ['a'] }, { columns: ['a'], rows: [[1], 2] }]) assert.equal(charts.table(value), null);
  assert.equal(charts.text({ x: [1] }), '{"x":[1]}');
});

test('a table’s rows are as long as its columns', () => {
  assert.deepEqual(charts.table({ columns: ['a', 'b'], rows: [[1234.567], ['x', null, 'more']] }), { columns: ['a', 'b'], rows: [['1,234.57', '–'], ['x', '–']] });
});

test('figures: shares, currencies, units and what is no number', () => {
  assert.equal(charts.figure('percent', 0.018), '1.8%');
  assert.equal(charts.figure('currency', 4820000, { currency: 'EUR' }), '€4,820,000');
  assert.equal(charts.figure('currency', 12.5, { currency: 'nonsense' }), '12.5');
  assert.equal(charts.figure('number', 19.8, { unit: 'months' }), '19.8 months');
  assert.equal(charts.figure('number', 'about 20'), 'about 20');
  assert.equal(charts.figure('number', null), '–');
});

test('only a currency is shown as one, and only by a code of three letters', () => {
  for (const currency of ['EURO', 'xEUR', 'eur', 5]) assert.equal(charts.figure('currency', 12.5, { currency }), '12.5', currency);
  assert.equal(charts.figure('number', 12.5, { currency: 'EUR' }), '12.5');
});

test('only a text is a unit', () => {
  for (const unit of ['', 5, null]) assert.equal(charts.figure('number', 12.5, { unit }), '12.5', unit);
  assert.deepEqual([{ unit: 'months', currency: 'EUR' }, { unit: '', currency: 'EUR' }, { unit: 5 }, {}].map(charts.unitOf), ['months', 'EUR', '', '']);
});

test('a figure has as many decimals as its widget says, from none to six, and two otherwise', () => {
  const shown = (decimals) => charts.figure('number', 1.23456789, { decimals });
  assert.deepEqual([0, 1, 6].map(shown), ['1', '1.2', '1.234568']);
  assert.deepEqual([-1, 7, 1.5, '1', null].map(shown), Array(5).fill('1.23'));
});

test('the currency of a report is that of its newest figure with one', () => {
  const dashboard = (updatedAt, ...currencies) => ({ updatedAt, uniform: { fields: currencies.map((currency) => ({ widget: { options: { currency } } })) } });
  const older = dashboard('2026-01-01T00:00:00.000Z', 'USD');
  assert.equal(charts.newestCurrency([older, dashboard('2026-02-01T00:00:00.000Z', undefined, 'EUR', 'GBP')]), 'EUR');
  assert.equal(charts.newestCurrency([dashboard('2026-02-01T00:00:00.000Z'), older, { updatedAt: '2026-03-01T00:00:00.000Z', uniform: null }]), 'USD');
  assert.equal(charts.newestCurrency([]), '');
});
