// Tests of numbers as people type them.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const { asTyped, typedNumber } = await load('typed-numbers');

const read = (language, pairs) => {
  for (const [typed, written] of Object.entries(pairs)) assert.equal(typedNumber(typed, language), written, `${language}: ${typed}`);
};

test('zeros at the end are kept, a comma of decimals becomes a point', () => {
  for (const language of ['en', 'de']) {
    read(language, { '12.50': '12.50', '12,50': '12.50', ' 7 ': '7', '-0.10': '-0.10', '\u22123': '-3', '1.5e6': '1.5e6', '1e-10': '1e-10', '1E+5': '1E+5', '0.125': '0.125', '0,125': '0.125' });
  }
});

test('signs that group digits are left out; one that could be either is what it is in the language', () => {
  for (const language of ['en', 'de']) {
    read(language, { '1.234.567': '1234567', '1,234,567': '1234567', '1,234.50': '1234.50', '1.234,50': '1234.50', '1 234,5': '1234.5', '1\u00a0234': '1234', '1’234.50': '1234.50', "-1'234": '-1234' });
  }
  read('en', { '12,345': '12345', '123,456': '123456', '1,234': '1234', '1.234': '1.234', '1234,567': '1234.567' });
  read('de', { '1.234': '1234', '1,234': '1.234', '1234.567': '1234.567' });
});

test('what is not clearly a number is none', () => {
  read('en', { '': null, '-': null, x: null, '12 %': null, '€5': null, '007': null, '+5': null, '1,23,4': null, '12 34': null, '1.2.3': null, '.5': null, '5.': null, '1,234,56': null, '2026-01-31': null, '1.234,567.8': null });
});

test('a number is shown as it would be typed, and read again as it was', () => {
  for (const language of ['en', 'de', 'fr', 'de-CH', 'es']) {
    for (const written of ['12.50', '1.234', '1234.567', '-0.125', '1234567', '1e5']) assert.equal(typedNumber(asTyped(written, language), language), written, language);
  }
  assert.equal(asTyped('12.50', 'de'), '12,50');
  assert.equal(asTyped('12.50', 'en'), '12.50');
});
