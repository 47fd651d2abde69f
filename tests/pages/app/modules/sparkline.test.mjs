// Tests of the small lines of a KPI's figures.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const { figuresByKpi, linePoints } = await load('sparkline');
const field = (value, members = {}) => ({ rogueId: 'a.b', isStub: false, displayOrder: 1, value, ...members });
const dashboard = (day, ...fields) => ({ uniform: { dataAnchorDate: day, fields } });

test('figures are by day, the first of a day counts', () => {
  const found = figuresByKpi([
    dashboard('2027-02-28', field(2, { displayOrder: 2 }), field(1)), dashboard('2027-01-31', field(3)), dashboard('2027-02-28', field(9)),
  ]);
  assert.deepEqual(found, { 'a.b': [{ day: '2027-01-31', value: 3 }, { day: '2027-02-28', value: 1 }] });
});

test('placeholders, texts and dashboards without a day are no figures', () => {
  const none = [field(1, { isStub: true }), field('1'), field(null), field(1, { rogueId: null })];
  assert.deepEqual(figuresByKpi([dashboard('2027-01-31', ...none), dashboard(null, field(1)), { uniform: null }]), {});
});

test('a line goes from the left to the right and from the lowest at the bottom to the highest at the top', () => {
  assert.equal(linePoints([1, 3, 2], 100, 20), '0,20 50,0 100,10');
  assert.equal(linePoints([5, 5], 100, 20), '0,10 100,10');
  assert.equal(linePoints([5], 100, 20), '');
});
