
import { csv } from './csv.js';

const SEPARATORS = ['\t', ';', ','];
const NAMES = {
  kpi: ['kpi', 'rogueid', 'metric', 'measure', 'name', 'item', 'indicator', 'kennzahl', 'bezeichnung', 'position', 'figure'],
  value: ['value', 'number', 'amount', 'actual', 'wert', 'betrag', 'zahl', 'ist'],
  date: ['date', 'day', 'asof', 'periodend', 'datum', 'tag', 'stichtag', 'stand'],
};
const DAY = /^(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})$/;
const NUMBER = /^[(−-]?\s?[^\w\s]?\s?\d[\d.,'’\s]*\)?\s?(?:%|[^\d\s]{1,3})?$/;

export function cellsOf(text) {
  const first = text.split('\n', 1)[0];
  const separator = SEPARATORS.find((each) => first.includes(each)) ?? '\t';
  const rows = [[]];
  let cell = '', isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (isQuoted && sign === '"' && text[at + 1] === '"') [cell, at] = [`${cell}"`, at + 1];
    else if (sign === '"' && (isQuoted || !cell)) isQuoted = !isQuoted;
    else if (!isQuoted && sign === separator) cell = (rows.at(-1).push(cell.trim()), '');
    else if (!isQuoted && sign === '\n') cell = (rows.at(-1).push(cell.trim()), rows.push([]), '');
    else cell += sign;
  }
  rows.at(-1).push(cell.trim());
  return rows.filter((row) => row.some(Boolean));
}

export function columnsOf(rows) {
  const [first = []] = rows;
  const named = Object.fromEntries(Object.entries(NAMES).map(([name, words]) => [name, first.findIndex((cell) => words.includes(cell.toLowerCase().replaceAll(' ', '')))]));
  const hasHeader = Object.values(named).some((at) => at >= 0) || !first.some((cell) => NUMBER.test(cell));
  const body = hasHeader ? rows.slice(1) : rows;
  const most = (pattern, but) => best(first, body, (cell) => pattern.test(cell), but);
  const date = named.date >= 0 ? named.date : most(DAY, []);
  const value = named.value >= 0 ? named.value : most(NUMBER, [date, named.kpi]);
  const kpi = named.kpi >= 0 ? named.kpi : first.findIndex((_, at) => ![date, value].includes(at));
  return { kpi, value, date, hasHeader };
}

function best(first, body, fits, but) {
  const counts = first.map((_, at) => (but.includes(at) ? 0 : body.filter((row) => fits(row[at] ?? '')).length));
  const most = Math.max(0, ...counts);
  return most ? counts.lastIndexOf(most) : -1;
}

export function definitionOf(definitions, cell) {
  const wanted = cell.toLowerCase();
  return definitions.find(({ rogueId, label, aliases }) => [rogueId, rogueId.split('.')[1], label, ...aliases].some((name) => name.toLowerCase() === wanted));
}

export function linesOf(rows, { kpi, value, date, hasHeader }) {
  const body = rows.slice(hasHeader ? 1 : 0);
  return body.map((row) => ({ kpi: row[kpi] ?? '', value: row[value] ?? '', date: row[date] ?? '' })).filter((line) => line.kpi && line.value);
}

export function fillOf(lines, day) {
  return csv([['rogueId', 'value', 'date'], ...lines.map(({ rogueId, value, date }) => [rogueId, value, date || day])], { isPlain: true });
}
