// A figure that contradicts the inputs of its formula, in numbers that a person reads.

import { figure } from './chart-values.js';
import { PERCENT_KPIS } from './service.js';

const MOST_DIGITS = 6;
const FACTORS = [100, 0.01];

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
