// Tests of figures while they are typed.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const drafts = await load('figure-drafts');
const { setAccountLanguage } = await load('texts');
const { fromJson, toJson } = await load('written-numbers');

const figure = (more) => fromJson(JSON.stringify({ fieldId: 'f', rogueId: null, isStub: false, label: 'F', displayOrder: 7, value: null, widget: null, ...more }));
const draft = (more) => drafts.draftOf(figure(more), 'Period');
const typed = (more) => Object.assign(drafts.newDraft('n', 'Period'), { label: 'New', ...more });
const only = (each) => drafts.fieldsOf([each])[0];

test('what nobody typed stays as the API has it, in its new order', () => {
  const odd = { value: { neither: 'nor' }, widget: { type: 'chart', options: { kind: 'bar' } }, isStub: true };
  assert.equal(toJson(only(draft(odd))), toJson({ ...figure(odd), displayOrder: 1 }));
  const fields = drafts.fieldsOf([draft({ fieldId: 'b' }), draft({ fieldId: 'a' })]);
  assert.deepEqual(fields.map(({ fieldId, displayOrder }) => [fieldId, displayOrder]), [['b', 1], ['a', 2]]);
  const bare = drafts.draftOf({ fieldId: 'f', isStub: true, label: 'F', displayOrder: 1 }, 'Period');
  assert.deepEqual(only(bare), { fieldId: 'f', rogueId: null, isStub: true, label: 'F', displayOrder: 1, value: null, widget: null });
});

test('a typed number keeps its zeros; a figure without a value is a placeholder', () => {
  assert.equal(toJson(only(typed({ text: '12.50' })).value), '12.50');
  assert.equal(only(typed({ text: '12.50' })).isStub, false);
  assert.deepEqual([only(typed({ text: ' ' })).value, only(typed({ text: ' ' })).isStub], [null, true]);
  assert.equal(only(typed({ kind: 'text', text: '12.50' })).value, '12.50');
});

test('a number is shown, and read again, in the way of the language', async (context) => {
  context.after(() => setAccountLanguage(null, () => {}));
  await setAccountLanguage('de', () => {});
  const value = fromJson('12.50');
  assert.equal(draft({ value }).text, '12,50');
  assert.deepEqual(only(typed({ text: '12,50' })).value, value);
});

test('each value is typed as it reads', () => {
  assert.equal(drafts.draftOf(fromJson('{"fieldId":"f","isStub":false,"label":"F","displayOrder":1,"value":12.50}'), 'Period').text, '12.50');
  assert.equal(draft({ value: 'said' }).text, 'said');
  assert.equal(draft({ value: true }).text, 'true');
  assert.deepEqual([draft({ value: 5 }).kind, draft({ value: 'x' }).kind, draft({ value: null }).kind], ['number', 'text', 'text']);
  assert.equal(draft({ value: null, widget: { type: 'number', options: {} } }).text, '');
  assert.deepEqual(['number', 'chart'].map((type) => draft({ widget: { type, options: type === 'chart' ? { unit: '%' } : {} } }).kind), ['number', 'chart']);
  assert.deepEqual(drafts.KINDS.filter((kind) => drafts.isNumber({ kind })), ['number', 'currency', 'percent']);
  assert.deepEqual(drafts.KINDS.filter((kind) => !drafts.isNumber({ kind })), ['text', 'table', 'chart']);
});

test('a figure of another kind is typed anew, and keeps a unit that is no percent', () => {
  const each = draft({ value: 5, widget: { type: 'number', options: { unit: 'months' } } });
  drafts.setKind(each, 'percent');
  assert.deepEqual(only(each).widget.options, { unit: '%' });
  drafts.setKind(each, 'text');
  assert.deepEqual([only(each).value, only(each).widget], ['5', { type: 'text', options: { unit: 'months' } }]);
  const axis = draft({ value: [1], widget: { type: 'chart', options: { unit: '%' } } });
  drafts.setKind(axis, 'table');
  assert.deepEqual(only(axis).widget, { type: 'table', options: { unit: '%' } });
});

test('a percentage is a number with its unit, an earlier share stays one', () => {
  const percent = draft({ value: 71, widget: { type: 'number', options: { unit: '%', decimals: 1 } } });
  assert.equal(percent.kind, 'percent');
  drafts.setOption(percent, 'decimals', 2);
  assert.deepEqual(only(percent).widget, { type: 'number', options: { decimals: 2, unit: '%' } });
  drafts.setKind(percent, 'number');
  assert.deepEqual(only(percent).widget, { type: 'number', options: { decimals: 2 } });
  const share = draft({ value: 1, widget: { type: 'percent', options: {} } });
  assert.equal(share.kind, 'share');
  drafts.setOption(share, 'unit', '');
  assert.deepEqual(only(share).widget, { type: 'percent', options: {} });
  assert.deepEqual([drafts.isNumber(share), drafts.isNumber(draft({ value: 'x' }))], [true, false]);
});

test('charts and tables are cells; an empty grid is no value', () => {
  const widget = { type: 'table', options: {} };
  const value = { columns: ['a'], rows: [[1]] };
  const table = draft({ value, widget });
  assert.deepEqual(table.grid, [['a'], ['1']]);
  table.grid[1][0] = '2.0';
  table.isTyped = true;
  assert.equal(toJson(only(table).value), '{"columns":["a"],"rows":[[2.0]]}');
  assert.deepEqual(draft({ widget }).grid, [['Period', ''], ['', ''], ['', '']]);
  assert.equal(only(typed({ kind: 'chart' })).value, null);
  assert.equal(only(typed({ kind: 'table', grid: [['a'], [' ']] })).value, null);
  assert.deepEqual(only(typed({ kind: 'table', grid: [['a', 'b'], ['x', ''], ['', '']] })).value, { columns: ['a', 'b'], rows: [['x', null], [null, null]] });
  assert.equal(only(typed({ kind: 'table' })).value, null);
  assert.equal(toJson(only(typed({ kind: 'chart', grid: [['Period', 'A'], ['Q1', '1.0']] })).value), '{"series":[{"name":"A","points":[{"period":"Q1","value":1.0}]}]}');
  assert.deepEqual(draft({ value: [1], widget: { type: 'chart', options: {} } }).grid, [['Period', ''], ['1', '1']]);
  for (const type of ['text', 'table']) assert.deepEqual(draft({ value: [1], widget: { type, options: {} } }).grid, [['Period', ''], ['', ''], ['', '']]);
});

test('a new figure about which nothing is said is not saved', () => {
  const blank = drafts.newDraft('n', 'Period');
  assert.ok(drafts.isBlank(blank));
  assert.ok(drafts.isBlank({ ...blank, label: ' ', text: ' ' }));
  assert.deepEqual(drafts.fieldsOf([blank, draft({})]).map(({ displayOrder }) => displayOrder), [1]);
  for (const more of [{ label: 'x' }, { rogueId: 'a.b' }, { text: '1' }, { grid: [['', ''], ['', '1']] }, { field: {} }]) assert.ok(!drafts.isBlank({ ...blank, ...more }), JSON.stringify(more));
});

test('what keeps a figure from being saved is found', () => {
  assert.deepEqual(drafts.errorOf(typed({ label: ' ' })), { at: 'label' });
  assert.deepEqual(drafts.errorOf(typed({ text: 'x' })), { at: 'value' });
  assert.equal(drafts.errorOf(typed({ text: '1' })), null);
  assert.equal(drafts.errorOf(typed({ text: ' ' })), null);
  assert.equal(drafts.errorOf(typed({ kind: 'text', text: 'x' })), null);
  assert.deepEqual(drafts.errorOf(typed({ kind: 'chart', grid: [['', ''], ['Q1', 'x']] })), { at: 'cell', row: 1, column: 1 });
  assert.equal(drafts.errorOf(typed({ kind: 'table', grid: [['', ''], ['Q1', 'x']] })), null);
  assert.equal(drafts.errorOf(draft({ value: 'x', widget: { type: 'number', options: {} } })), null);
});

test('a KPI gives a figure its name, kind and unit; a name that was typed stays', () => {
  const kpi = (valueType, unit) => ({ rogueId: 'd.s', label: 'Of the catalog', valueType, unit });
  const chosen = (definition, more = {}, currency = 'EUR') => {
    const each = Object.assign(drafts.newDraft('n', 'Period'), more);
    drafts.setKpi(each, definition, currency, (unit) => `${unit}s`);
    return each;
  };
  const said = ({ rogueId, label, kind, options }) => ({ rogueId, label, kind, options });
  const expected = { rogueId: 'd.s', label: 'Of the catalog' };
  assert.deepEqual(said(chosen(kpi('currency', 'currency/month'))), { ...expected, kind: 'currency', options: { currency: 'EUR' } });
  assert.deepEqual(chosen(kpi('currency', 'currency'), {}, '').options, {});
  assert.deepEqual(said(chosen(kpi('percent', 'percent'))), { ...expected, kind: 'percent', options: {} });
  assert.deepEqual(said(chosen(kpi('duration', 'month'))), { ...expected, kind: 'number', options: { unit: 'months' } });
  assert.deepEqual(said(chosen(kpi('number', 'customer'), { label: 'Mine' })), { ...expected, label: 'Mine', kind: 'number', options: {} });
  assert.deepEqual(said(chosen(kpi('percent', 'percent'), { kind: 'chart' })), { ...expected, kind: 'chart', options: { unit: '%' } });
  assert.equal(chosen(kpi('ratio', 'ratio'), { kind: 'table' }).kind, 'table');
  assert.equal(chosen(kpi('ratio', 'ratio'), { label: ' ' }).label, 'Of the catalog');
  const saved = draft({ value: [1], widget: { type: 'chart', options: { kind: 'bar' } } });
  drafts.setKpi(saved, kpi('percent', 'percent'), '', String);
  assert.deepEqual(only(saved), { ...figure({ rogueId: 'd.s' }), displayOrder: 1, value: saved.field.value, widget: { type: 'chart', options: { kind: 'bar', unit: '%' } } });
  assert.equal(drafts.currencyOf([draft({}), draft({ widget: { type: 'currency', options: { currency: 'CHF' } } })]), 'CHF');
  assert.equal(drafts.currencyOf([]), '');
});

test('two states are the same whatever the order of members, and differ by figure', () => {
  const one = [figure({ value: 1 }), figure({ fieldId: 'g', label: 'G', value: 2 })];
  const { fieldId, ...rest } = one[0];
  assert.equal(drafts.signatureOf([{ ...rest, fieldId }, one[1]]), drafts.signatureOf(one));
  assert.equal(drafts.signatureOf([{ fieldId: 'f', isStub: true, label: 'F', displayOrder: 1 }]), drafts.signatureOf([{ fieldId: 'f', rogueId: null, isStub: true, label: 'F', displayOrder: 1, value: null, widget: null }]));
  const widget = { type: 'number', options: { unit: 'months' } };
  const others = [{ value: '1' }, { widget }, { widget: { ...widget, type: 'text' } }, { widget: { ...widget, options: {} } }].map((more) => drafts.signatureOf([figure({ value: 1, ...more }), one[1]]));
  assert.equal(new Set([drafts.signatureOf(one), ...others]).size, 5);
  assert.deepEqual(drafts.differing(one, [{ ...one[1], displayOrder: 9 }, one[0]]), []);
  const found = drafts.differing(one, [figure({ value: 3 }), figure({ fieldId: 'h', label: 'H' })]);
  assert.deepEqual(found.map(({ label, theirs, mine }) => [label, theirs?.fieldId ?? null, mine?.fieldId ?? null]), [['F', 'f', 'f'], ['G', 'g', null], ['H', null, 'h']]);
});
