// What a dashboard's field holds, made ready to be drawn. A value of another shape is shown as text.

import { locale, t } from './texts.js';

const CURRENCY = /^[A-Z]{3}$/;
const isNumber = Number.isFinite;

/** Returns `{labels, series: [{name, values}]}` of a chart's value, or null where it is none. */
export function chart(value) {
  if (Array.isArray(value)) return value.length ? fromArray(value) : null;
  if (!Array.isArray(value?.series) || !value.series.length) return null;
  const parsed = value.series.map((each) => (Array.isArray(each?.points) ? points(each.points) : null));
  if (parsed.includes(null)) return null;
  const labels = periods(parsed);
  const series = parsed.map((found, index) => ({
    name: String(value.series[index].name ?? t('chartValues.seriesIndex', { index: index + 1 })),
    values: labels.map((period) => found.find((point) => point.period === period)?.value ?? null),
  }));
  return labels.length ? { labels, series } : null;
}

function fromArray(value) {
  if (value.every(isNumber)) return { labels: value.map((_, index) => String(index + 1)), series: [{ name: '', values: value }] };
  const found = points(value);
  return found && { labels: found.map((point) => point.label), series: [{ name: '', values: found.map((point) => point.value) }] };
}

function points(list) {
  const isPoint = (each) => each?.period !== undefined && (isNumber(each.value) || each.value === null);
  if (!list.every(isPoint)) return null;
  return list.map(({ period, label, value }) => ({ period: String(period), label: String(label ?? period), value }));
}

/** The periods of all series: in their order within a series, and sorted where series name different ones. */
function periods(series) {
  const all = [...new Set(series.flatMap((found) => found.map((point) => point.period)))];
  const isOneOrder = series.every((found) => found.length === all.length);
  return isOneOrder ? all : all.sort();
}

/** Returns `{columns, rows}` of a table's value, every row as long as the columns; or null where it is none. */
export function table(value) {
  if (!Array.isArray(value?.columns) || !Array.isArray(value.rows) || !value.rows.every(Array.isArray)) return null;
  const columns = value.columns.map(text);
  return { columns, rows: value.rows.map((row) => columns.map((_, index) => text(row[index]))) };
}

/** Returns any JSON value as text. */
export function text(value) {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? number(value) : JSON.stringify(value);
}

export function number(value, options = {}) {
  return new Intl.NumberFormat(locale(), { maximumFractionDigits: 2, ...options }).format(value);
}

/**
 * Returns a figure in the way of its widget: number, currency or percent (a share: 0.12 is 12 %). That of a KPI in percent is
 * its value, whatever the widget: 12.5 is 12.5 %.
 */
export function figure(type, value, options = {}, isPercent = false) {
  if (!isNumber(value)) return text(value);
  const fraction = Number.isInteger(options.decimals) && options.decimals >= 0 && options.decimals <= 6 ? { maximumFractionDigits: options.decimals } : {};
  if (isPercent) return number(value, { style: 'unit', unit: 'percent', ...fraction });
  if (type === 'percent') return number(value, { style: 'percent', maximumFractionDigits: 2, ...fraction });
  const unit = typeof options.unit === 'string' && options.unit ? ` ${options.unit}` : '';
  if (type !== 'currency' || !CURRENCY.test(options.currency)) return number(value, fraction) + unit;
  const isWhole = Number.isInteger(value) ? { maximumFractionDigits: 0 } : {};
  return number(value, { style: 'currency', currency: options.currency, currencyDisplay: 'narrowSymbol', ...isWhole, ...fraction });
}

/** Returns the currency of the figures of several dashboards that were changed last; empty where none has one. */
export function newestCurrency(dashboards) {
  const newest = [...dashboards].sort((one, other) => Date.parse(other.updatedAt) - Date.parse(one.updatedAt));
  const currencies = newest.flatMap(({ uniform }) => (uniform?.fields ?? []).map(({ widget }) => widget?.options?.currency));
  return currencies.find((each) => CURRENCY.test(each)) ?? '';
}

/** Returns the unit of a chart's axis in words, or "". */
export function unitOf(options) {
  return [options.unit, options.currency].find((each) => typeof each === 'string' && each) ?? '';
}
