// Tests of what a person is told about a field.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const { fieldSentence, placeErrors, clearErrors } = await load('field-errors');
const { Problem, inWords } = await load('problems');

const SENTENCES = {
  'must have at most 200 characters': 'Use at most 200 characters.',
  'must have at least 1 character': 'Fill this in.',
  'must not be only white space': 'Fill this in.',
  'is required': 'Fill this in.',
  'must have at least 1 item': 'Choose at least one.',
  'must be after `startTime`': 'The end must come after the start.',
  'must be an RFC 3339 date-time such as 2027-03-01T09:00:00Z': 'Enter a date and a time.',
  'must not be in the past': 'Choose a time that is still to come.',
  'must be in the future': 'Choose a time that is still to come.',
  'must be an e-mail address such as ann@example.com': 'This is not an e-mail address. It looks like ann@example.com.',
  'must not be the address of a member of the board': 'This person is on the board already.',
  'must have the scheme https, http, tel, sip, msteams or zoommtg if it is a URL': 'This address cannot be opened. It begins with https://, or with tel: for a telephone number.',
  'must be an https URL': 'Give an address that everybody can reach, beginning with https://.',
  'must be an absolute https URL': 'Give an address that everybody can reach, beginning with https://.',
  'must name a public host such as hooks.example.com': 'Give an address that everybody can reach, beginning with https://.',
  'must be a URL with a valid host and port': 'This address is not complete. It looks like https://example.com/page.',
  'must not contain control characters such as a newline or a tab': 'It contains invisible characters. Type it instead of pasting it.',
  'must not contain NUL': 'It contains invisible characters. Type it instead of pasting it.',
  '`finance.x` is not the id of a KPI of the released catalog': 'The catalog has no KPI with the id “finance.x”.',
  'must not be repeated: line 12 states `a` too': 'Line 12 has the same KPI.',
  'must be a number such as 1250.50, of up to 40 characters': 'Enter a number such as 1250.50.',
  'must be an existing date such as 2027-03-31': 'Enter a date such as 2026-09-30.',
  'must be the date of line 12: all figures of a dashboard have one': 'The date differs from that of line 12: all figures of a dashboard have one.',
  'must have 12 cells': 'Each line has 12 cells, and none below an empty name of a column.',
  'must name each of the columns rogueId, value, date once, and no other': 'Name exactly the columns KPI, value and date in the first line.',
  'must have a line of figures below its header': 'Add a line for each figure below the names of the columns.',
  'must not be repeated': 'Something is named twice.',
  'must not name a position twice': 'Something is named twice.',
  'must be an IANA time zone such as Europe/Paris': 'Choose a time zone from the list.',
  'must be the id of a meeting of this board': 'This does not exist any more. Load the page again and choose another.',
  'must be the membership id of another member of the board': 'This does not exist any more. Load the page again and choose another.',
  'must be the user id of a member of the board': 'This does not exist any more. Load the page again and choose another.',
  '`sales` is neither the id nor a name of a KPI of the released catalog; similar ones: `a.b`, `c.d`': 'The catalog has no KPI “sales”. Similar ones: a.b, c.d',
  '`sales` is neither the id nor a name of a KPI of the released catalog': 'The catalog has no KPI “sales”.',
  '`sales` is the name of several KPIs; write the id of one: `a.b`, `c.d`': '“sales” is the name of several KPIs. Write the id of one: a.b, c.d',
  'must tell thousands from decimals; write it without a separator of thousands, or send `decimal`': 'This can be read as thousands or as decimals: choose the decimal sign.',
  'must tell the day from the month; write the date as 2027-03-31, or send `dateOrder`': 'Day and month can be read both ways: choose the date order.',
  'must have the decimal point that line 3 has': 'Its decimal sign differs from that of line 3.',
  'must have the decimal comma that `decimal` says': 'Its decimal sign differs from the one that you chose.',
  'must not have a `%`: `finance.revenue` is not stated in percent': 'This KPI is not stated in percent.',
  'must not have a currency: `people.headcount` is not an amount of money': 'This KPI is not an amount of money.',
  "must be in the currency of the dashboard's figures: EUR": 'The figures of the dashboard are in EUR.',
  'must have quotes around whole cells only, doubled within them': 'Put quotes around the whole cell, and double the quotes in it.',
  'must not give the dashboard more than 200 fields': 'A dashboard holds at most 200 figures.',
  "must be 'uniform'": 'Choose one of the values that are offered.',
  'must be one of 30, 90, or null for never': 'Choose one of the values that are offered.',
  'must be true or false': 'Choose one of the values that are offered.',
  'must be null': 'Choose one of the values that are offered.',
  'is not a known field': 'This cannot be set here. Load the page again.',
};

test('the API’s rules are sentences for a person', () => {
  for (const [rule, sentence] of Object.entries(SENTENCES)) assert.equal(fieldSentence(rule), sentence);
});

test('a rule without a sentence of its own is said as it is, also where it contains another', () => {
  for (const rule of ['must be a riddle', ...Object.keys(SENTENCES).map((each) => `has a part that ${each}`)]) assert.equal(fieldSentence(rule), `This ${rule}.`);
});

/** An element, as far as it is needed here; what is wrong stands in its `place`, if it is in a container of errors. */
function elementOf(name, form, container) {
  const [place, attributes] = [{ textContent: '' }, new Map()];
  const found = { querySelector: (selector) => (selector === '.field-error' ? place : null) };
  return {
    name, attributes, place, focus: () => (form.focused = name), closest: (selectors) => (selectors.split(', ').includes(container) ? found : null),
    setAttribute: (key, value) => attributes.set(key, value), removeAttribute: (key) => attributes.delete(key),
  };
}

/** A form of a text field, a choice, some boxes and a field without a place for errors. */
function formOf() {
  const form = { focused: null };
  const [end, kind, box, bare] = [['endTime', '.field'], ['kind', '.options'], ['memberIds', '.checks'], ['bare', '.other']].map(([name, container]) => elementOf(name, form, container));
  const fields = { endTime: end, kind: Object.assign(kind, { length: 2, options: [{}, {}], 0: {} }), memberIds: [box, {}], bare };
  return Object.assign(form, { elements: { namedItem: (name) => fields[name] ?? null }, end, kind, box });
}

const refusal = (fields) => new Problem({ status: 400, code: 'INVALID_REQUEST_BODY', message: 'Correct the fields.', details: { fields } });

test('what is wrong stands at its field, the first has the focus, and the rest is said below', () => {
  const form = formOf();
  const fields = { endTime: 'must be after `startTime`', kind: 'is required', 'memberIds.2': 'must be the id of a user', bare: 'is required', hidden: 'is required' };
  const error = refusal(fields);
  placeErrors(form, error);
  assert.deepEqual([form.end, form.kind, form.box].map(({ place }) => place.textContent), [fields.endTime, fields.kind, fields['memberIds.2']].map(fieldSentence));
  assert.deepEqual([form.end, form.kind, form.box].map(({ attributes }) => attributes.get('aria-invalid')), ['true', 'true', 'true']);
  assert.deepEqual([form.focused, error.placed], ['endTime', ['endTime', 'kind', 'memberIds.2']]);
  assert.equal(inWords(error).heading, 'Nothing was saved. Please check what you entered.');
  for (const name of ['bare', 'hidden']) delete fields[name];
  assert.equal(inWords(error).heading, 'Nothing was saved. Correct what is marked above.');
});

test('what was written at fields is taken back, and where there is nothing nothing is', () => {
  const { end, ...form } = formOf();
  placeErrors(form, refusal({ endTime: 'is required' }));
  const within = { '.field-error': [end.place], '[aria-invalid]': [end] };
  clearErrors({ querySelectorAll: (selector) => within[selector] });
  assert.deepEqual([end.place.textContent, end.attributes.size], ['', 0]);
  clearErrors(null);
});

test('a failure without fields marks none', () => {
  const error = new Problem({ status: 503 });
  placeErrors({ elements: {} }, error);
  assert.deepEqual(error.placed, []);
  placeErrors({ elements: {} }, new TypeError('a mistake of the page'));
});
