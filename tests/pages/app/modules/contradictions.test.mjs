// Tests of what is said of a figure that contradicts its formula.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const { formulaOf, inWords, meant, shortest } = await load('contradictions');
const range = (low, high) => ({ low, high });

test('a range is said by the number with the fewest digits in it, six at most', () => {
  assert.equal(shortest(range('71.999931200027519988', '72.000068')), 72);
  assert.equal(shortest(range('0.55', '0.65')), 0.6);
  assert.equal(shortest(range('899999.5', '900000.5')), 900000);
  assert.equal(shortest(range('33.333333333333333333', '33.333333333333333334')), 33.3333);
  assert.equal(shortest(range('-12.5', '-12.5')), -12.5);
});

test('another number was meant exactly if a factor of a hundred makes the stated one meet the computed one', () => {
  assert.equal(meant({ stated: range('0.715', '0.725'), computed: range('71.99', '72.01') }), 72);
  assert.equal(meant({ stated: range('1250', '1250'), computed: range('12.5', '12.5') }), 12.5);
  assert.equal(meant({ stated: range('0.55', '0.65'), computed: range('71.99', '72.01') }), null);
  assert.equal(meant({ stated: range('71', '71'), computed: range('72', '72') }), null);
});

test('a KPI in percent is said in percent', () => {
  assert.equal(inWords(72, 'finance.gross-margin'), '72%');
  assert.equal(inWords(1250000, 'finance.revenue'), '1,250,000');
});

test('a formula is said with its inputs in place of their names, a percentage without its factor of 100', () => {
  const [profit, revenue] = ['gross_profit', 'revenue'].map((name) => ({ name }));
  assert.deepEqual(formulaOf('finance.gross-margin', [profit, revenue]), [profit, ' ÷ ', revenue]);
  assert.deepEqual(formulaOf('revenue.arr', [{ name: 'mrr' }]), [{ name: 'mrr' }, ' × ', '12']);
});

test('a formula with other inputs than those that were checked is not said', () => {
  assert.equal(formulaOf('finance.gross-margin', [{ name: 'gross_profit' }]), null);
  assert.equal(formulaOf('finance.gross-margin', ['gross_profit', 'revenue', 'more'].map((name) => ({ name }))), null);
  assert.equal(formulaOf('finance.revenue', []), null);
  assert.equal(formulaOf('no.such-kpi', [{ name: 'a' }]), null);
});
