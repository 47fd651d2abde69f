// A figure that contradicts the inputs of its formula, in numbers that a person reads.

import { figure } from './chart-values.js';
import { FORMULAS, PERCENT_KPIS } from './kpis.js';

const MOST_DIGITS = 6;
const FACTORS = [100, 0.01];
const SIGNS = { '*': ' × ', '/': ' ÷ ', '-': ' − ', '+': ' + ', '**': ' ^ ', ',': ', ' };
const TOKEN = /\d+(?:\.\d+)?|[a-z][a-z0-9_]*|\*\*|[-+*/(),]/g;
const NAME = /^[a-z]/;
const FUNCTIONS = ['min', 'max'];
const AS_PERCENT = / \* 100$/;

export function isPercent(rogueId) {
  return PERCENT_KPIS.includes(rogueId);
}

/** Returns the number with the fewest digits in a range of decimals, the nearest to its middle; at most six digits. */
export function shortest({ low, high }) {
  const [from, to] = [Number(low), Number(high)];
  const middle = (from + to) / 2;
  for (let digits = 1; digits < MOST_DIGITS; digits += 1) {
    const rounded = Number(middle.toPrecision(digits));
    if (rounded >= from && rounded <= to) return rounded;
  }
  return Number(middle.toPrecision(MOST_DIGITS));
}

/** Returns the number that was meant, if the stated one differs from the computed one by a factor of a hundred; else null. */
export function meant({ stated, computed }) {
  const [low, high] = [Number(computed.low), Number(computed.high)];
  const factor = FACTORS.find((each) => Number(stated.low) * each <= high && Number(stated.high) * each >= low);
  return factor ? Number((shortest(stated) * factor).toPrecision(MOST_DIGITS)) : null;
}

/** Returns a number as the figure of a KPI. */
export function inWords(number, rogueId) {
  return figure('number', number, { decimals: MOST_DIGITS }, isPercent(rogueId));
}

/**
 * Returns the formula of a KPI in parts: texts, and the inputs that stand for names ("900,000 ÷ 1,250,000"). A percentage is
 * said without its factor of 100. Null where the formula is not known, or has other inputs than these.
 */
export function formulaOf(rogueId, inputs) {
  const known = FORMULAS[rogueId] ?? '';
  const tokens = (isPercent(rogueId) ? known.replace(AS_PERCENT, '') : known).match(TOKEN) ?? [];
  const names = tokens.filter((token) => NAME.test(token) && !FUNCTIONS.includes(token));
  const isWhole = names.length > 0 && names.every((each) => inputs.some(({ name }) => name === each)) && inputs.every(({ name }) => names.includes(name));
  return isWhole ? tokens.map((token) => inputs.find(({ name }) => name === token) ?? SIGNS[token] ?? token) : null;
}
