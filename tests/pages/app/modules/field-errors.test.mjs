// Tests of what a person is told about a field.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const { fieldSentence, placeErrors, clearErrors } = await load('field-errors');
const { Problem, inWords } = await load('problems');

test('the API’s rules are sentences for a person', () => {
  assert.equal(fieldSentence('must be after `startTime`'), 'The end must come after the start.');
  assert.equal(fieldSentence('must have at most 200 characters'), 'Use at most 200 characters.');
  assert.equal(fieldSentence('must not be only white space'), 'Fill this in.');
  assert.equal(fieldSentence('must be an e-mail address such as ann@example.com'), 'This is no e-mail address. It looks like ann@example.com.');
  assert.equal(fieldSentence('`finance.x` is not the id of a KPI of the released catalog'), 'The catalog has no KPI with the id “finance.x”.');
  assert.equal(fieldSentence('must not be repeated: line 2 states `a` too'), 'Line 2 has the same KPI.');
  assert.equal(fieldSentence('must not be repeated'), 'Something is named twice.');
  assert.equal(fieldSentence('must have 3 cells'), 'Each line has 3 cells. Write numbers with a point, not with a comma.');
  assert.equal(fieldSentence('must be a riddle'), 'This must be a riddle.');
});

/** Adds a field to a form, as far as it is needed here. */
function fieldOf(name, form) {
  const place = { textContent: '' };
  const attributes = new Map();
  const element = {
    name, attributes, place, focus: () => (form.focused = name), closest: () => ({ querySelector: () => place }),
    setAttribute: (key, value) => attributes.set(key, value), removeAttribute: (key) => attributes.delete(key),
  };
  form.fields.set(name, element);
  return element;
}

test('what is wrong stands at its field, the first has the focus, and the rest is said below', () => {
  const form = { fields: new Map(), focused: null, elements: { namedItem: (name) => form.fields.get(name) ?? null } };
  const [end, members] = [fieldOf('endTime', form), fieldOf('memberIds', form)];
  const fields = { endTime: 'must be after `startTime`', 'memberIds.2': 'must be the id of a user', hidden: 'is required' };
  const error = new Problem({ status: 400, code: 'INVALID_REQUEST_BODY', message: 'Correct the fields.', details: { fields } });
  placeErrors(form, error);
  assert.deepEqual([end.place.textContent, members.attributes.get('aria-invalid'), form.focused, error.placed],
    ['The end must come after the start.', 'true', 'endTime', ['endTime', 'memberIds.2']]);
  assert.equal(inWords(error).heading, 'Nothing was saved. Please check what you entered.');
  delete fields.hidden;
  assert.equal(inWords(error).heading, 'Nothing was saved. Correct what is marked above.');
  clearErrors({ querySelectorAll: (selector) => (selector === '.field-error' ? [end.place] : [end]) });
  assert.deepEqual([end.place.textContent, end.attributes.size], ['', 0]);
});

test('a failure without fields marks none', () => {
  const error = new Problem({ status: 503 });
  placeErrors({ elements: {} }, error);
  assert.deepEqual(error.placed, []);
  placeErrors({ elements: {} }, new TypeError('a mistake of the page'));
});
