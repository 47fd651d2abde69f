// Figures of a dashboard while they are typed, between what the API has and the fields of the page.

import { chartOfGrid, gridOfChart, gridOfTable, noNumberIn, tableOfGrid } from './typed-cells.js';
import { asTyped, typedNumber } from './typed-numbers.js';
import { WrittenNumber, toJson } from './written-numbers.js';

/** The kinds of figures; a share is a percentage of an earlier time, whose value 0.12 is shown as 12 %. */
export const KINDS = ['number', 'currency', 'percent', 'text', 'table', 'chart'];
const NUMBERS = ['number', 'currency', 'percent', 'share'];
const PERCENT = '%';

/** Returns what is edited of a figure as the API has it; `period` is the heading of a chart's first column. */
export function draftOf(field, period) {
  const kind = kindOf(field);
  return {
    fieldId: field.fieldId, rogueId: field.rogueId ?? null, label: field.label, kind, options: { ...field.widget?.options },
    text: typedText(field.value ?? null), grid: gridOf(kind, field.value ?? null, period) ?? emptyGrid(period), field, isTyped: false, isShownAnew: false,
  };
}

/** Returns a new figure, about which nothing is said yet. */
export function newDraft(fieldId, period) {
  return { fieldId, rogueId: null, label: '', kind: 'number', options: {}, text: '', grid: emptyGrid(period), field: null, isTyped: true, isShownAnew: true };
}

function emptyGrid(period) {
  return [[period, ''], ['', ''], ['', '']];
}

function kindOf({ widget, value }) {
  if (!widget) return value instanceof WrittenNumber ? 'number' : 'text';
  if (widget.type === 'percent') return 'share';
  return widget.type === 'number' && widget.options.unit === PERCENT ? 'percent' : widget.type;
}

function typedText(value) {
  if (value instanceof WrittenNumber) return asTyped(value.text);
  if (value === null) return '';
  return typeof value === 'string' ? value : toJson(value);
}

function gridOf(kind, value, period) {
  if (kind === 'table') return gridOfTable(value);
  return kind === 'chart' ? gridOfChart(value, period) : null;
}

/** Whether a draft is a number, which is typed into one line. */
export function isNumber({ kind }) {
  return NUMBERS.includes(kind);
}

/** Whether nothing is said of a new figure yet: it is not saved then. */
export function isBlank({ field, label, rogueId, text, grid }) {
  return !field && !rogueId && !label.trim() && !text.trim() && isEmpty(grid);
}

/** Returns what keeps a draft from being saved: `label`, `value`, or `cell` with the place in its grid; null if nothing does. */
export function errorOf(draft) {
  if (!draft.label.trim()) return { at: 'label' };
  if (!draft.isTyped) return null;
  if (isNumber(draft) && draft.text.trim() && typedNumber(draft.text) === null) return { at: 'value' };
  const cell = draft.kind === 'chart' ? noNumberIn(draft.grid) : null;
  return cell && { at: 'cell', ...cell };
}

/** Returns the figures that drafts state, in their order. What was not typed anew stays as the API has it. */
export function fieldsOf(drafts) {
  return drafts.filter((each) => !isBlank(each)).map((draft, index) => {
    const value = draft.isTyped ? valueOf(draft) : (draft.field.value ?? null);
    const isStub = draft.isTyped ? value === null : draft.field.isStub;
    const { fieldId, rogueId, label } = draft;
    return { fieldId, rogueId, isStub, label, displayOrder: index + 1, value, widget: draft.isShownAnew ? widgetOf(draft) : (draft.field.widget ?? null) };
  });
}

function valueOf(draft) {
  if (draft.kind === 'table') return isEmpty(draft.grid) ? null : tableOfGrid(draft.grid);
  if (draft.kind === 'chart') return isEmpty(draft.grid) ? null : chartOfGrid(draft.grid);
  if (!draft.text.trim()) return null;
  return isNumber(draft) ? new WrittenNumber(typedNumber(draft.text)) : draft.text;
}

function isEmpty([, ...rows]) {
  return rows.every((row) => row.every((cell) => !cell.trim()));
}

/** Returns how a draft is shown: a percentage is a number with its unit, as the checks count it (12.5 is 12.5 %). */
function widgetOf({ kind, options }) {
  if (kind === 'percent') return { type: 'number', options: { ...options, unit: PERCENT } };
  return { type: kind === 'share' ? 'percent' : kind, options };
}

/** Makes a draft a figure of another kind. */
export function setKind(draft, kind) {
  const { unit, ...others } = draft.options;
  const options = draft.kind === 'percent' && unit === PERCENT ? others : draft.options;
  Object.assign(draft, { kind, options, isTyped: true, isShownAnew: true });
}

/** Sets an option of how a draft is shown; an empty one is taken out. */
export function setOption(draft, name, value) {
  const { [name]: _, ...others } = draft.options;
  Object.assign(draft, { options: value ? { ...others, [name]: value } : others, isShownAnew: true });
}

/** Makes a draft a figure of a KPI; charts and tables stay what they are. `currency` is that of the other figures. */
export function setKpi(draft, { rogueId, label, valueType, unit }, currency, unitName) {
  const isWide = ['chart', 'table'].includes(draft.kind);
  const shown = { currency: [currency && { currency }, 'currency'], percent: [isWide && { unit: PERCENT }, 'percent'], duration: [{ unit: unitName(unit) }, 'number'] };
  const [options, kind] = shown[valueType] ?? [null, 'number'];
  if (!isWide) setKind(draft, kind);
  Object.assign(draft, { rogueId, label: draft.label.trim() ? draft.label : label, options: { ...(isWide && draft.options), ...options }, isShownAnew: true });
}

/** Returns the currency of the figures that have one; empty where none has. */
export function currencyOf(drafts) {
  return drafts.find(({ options }) => options.currency)?.options.currency ?? '';
}

/** Returns the text by which two states of a dashboard's figures are compared. */
export function signatureOf(fields) {
  return fields.map(signatureOfField).join('\n');
}

function signatureOfField({ fieldId, rogueId = null, isStub, label, displayOrder, value = null, widget = null }) {
  return toJson([fieldId, rogueId, isStub, label, displayOrder, value, widget && [widget.type, widget.options]]);
}

/** Returns the figures that differ between two states, as `{label, theirs, mine}`; null for one that is not there. */
export function differing(theirs, mine) {
  const ids = new Set([...theirs, ...mine].map(({ fieldId }) => fieldId));
  const of = (fields, id) => fields.find(({ fieldId }) => fieldId === id) ?? null;
  const pairs = [...ids].map((id) => ({ theirs: of(theirs, id), mine: of(mine, id) }));
  const said = (field) => field && signatureOfField({ ...field, displayOrder: 0 });
  return pairs.filter((each) => said(each.theirs) !== said(each.mine)).map((each) => ({ ...each, label: (each.mine ?? each.theirs).label }));
}
