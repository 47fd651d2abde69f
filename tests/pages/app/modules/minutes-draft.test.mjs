// What is typed into minutes becomes the body that saves them, and differs from what another wrote.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const { bodyOf, differing, draftOf, entryOf, notePresence, presenceOf } = await load('minutes-draft');
const KEPT = {
  attendance: [{ userId: 'u1', name: null, present: 'remote' }, { userId: null, name: 'Auditor', present: 'in_person' }],
  items: [{ agendaItemId: 'a1', text: 'Said', decision: { text: 'Done', result: 'noted' }, actionItemIds: ['t1'] }],
};

test('what is not touched is saved as it was', () => {
  assert.deepEqual(bodyOf(draftOf(KEPT)), {
    attendance: [{ userId: 'u1', present: 'remote' }, { name: 'Auditor', present: 'in_person' }],
    items: [{ agendaItemId: 'a1', text: 'Said', decision: { text: 'Done', result: 'noted' }, actionItemIds: ['t1'] }],
  });
});

test('where there are no minutes yet the draft is empty', () => {
  assert.deepEqual(draftOf(null), { attendance: [], items: [] });
});

test('entries that say nothing are not saved, and those about nothing on the agenda name no item', () => {
  const draft = draftOf(null);
  entryOf(draft, 'a1');
  entryOf(draft, null).text = 'Any other business';
  Object.assign(entryOf(draft, 'a2'), { text: ' \n', decision: { text: ' ', result: 'carried' } });
  assert.deepEqual(bodyOf(draft).items, [{ text: 'Any other business' }]);
  assert.equal(entryOf(draft, null), entryOf(draft, null));
});

test('an entry that says nothing but has action items is saved', () => {
  const items = [{ agendaItemId: 'a1', text: '', decision: null, actionItemIds: ['t1'] }];
  assert.deepEqual(bodyOf(draftOf({ attendance: [], items })).items.map(({ actionItemIds }) => actionItemIds), [['t1']]);
});

test('attendance is noted once for each member, and taken back', () => {
  const draft = draftOf(KEPT);
  notePresence(draft, 'u1', 'absent');
  assert.equal(presenceOf(draft, 'u1'), 'absent');
  notePresence(draft, 'u1', '');
  assert.equal(presenceOf(draft, 'u1'), '');
  assert.deepEqual(bodyOf(draft).attendance, [{ name: 'Auditor', present: 'in_person' }]);
});

test('only entries with other words differ', () => {
  const [mine, theirs] = [draftOf(KEPT), draftOf(KEPT)];
  entryOf(mine, 'a2');
  assert.deepEqual(differing(mine, theirs), []);
  entryOf(mine, 'a2').decision = { text: '', result: 'rejected' };
  assert.deepEqual(differing(mine, theirs), []);
  entryOf(theirs, 'a2').text = 'Theirs';
  assert.deepEqual(differing(mine, theirs), ['a2']);
  entryOf(mine, 'a1').decision.result = 'carried';
  entryOf(theirs, null).decision = { text: 'Theirs', result: 'noted' };
  assert.deepEqual(differing(mine, theirs), ['a1', 'a2', null]);
  entryOf(mine, null).decision = { text: 'Mine', result: 'noted' };
  assert.deepEqual(differing(mine, theirs), ['a1', 'a2', null]);
});
