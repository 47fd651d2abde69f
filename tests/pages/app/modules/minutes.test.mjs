// Tests of minutes as they are typed.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const { differences, minutesBody, newEntry, typedMinutes, withAttendance, withEntry } = await load('minutes');

const AGENDA = [{ id: 'a', title: 'Opening' }, { id: 'b', title: 'Budget' }];
const STORED = {
  attendance: [{ userId: 'u', name: null, present: 'remote' }],
  items: [{ agendaItemId: 'gone', text: 'Of an item that was removed', decision: null, actionItemIds: [] },
    { agendaItemId: 'b', text: 'Discussed', decision: { text: 'Approved', result: 'noted' }, actionItemIds: ['t'] }],
};

test('there is an entry for each item of the agenda, in its order, and for what else was written', () => {
  assert.deepEqual(typedMinutes(null, AGENDA).items.map(({ agendaItemId, text }) => [agendaItemId, text]), [['a', ''], ['b', '']]);
  assert.deepEqual(typedMinutes(STORED, AGENDA).items.map(({ agendaItemId, text }) => [agendaItemId, text]),
    [['a', ''], ['b', 'Discussed'], ['gone', 'Of an item that was removed']]);
});

test('what nothing was written about is not sent, and a decision only with its words', () => {
  const typed = typedMinutes(STORED, AGENDA);
  assert.deepEqual(minutesBody({ ...typed, items: [...typed.items, newEntry()] }), {
    attendance: [{ userId: 'u', present: 'remote' }],
    items: [{ agendaItemId: 'b', text: 'Discussed', actionItemIds: ['t'], decision: { text: 'Approved', result: 'noted' } },
      { agendaItemId: 'gone', text: 'Of an item that was removed', actionItemIds: [], decision: null }],
  });
  const [only] = minutesBody(withEntry(typedMinutes(null, AGENDA), 1, { decision: 'Yes', result: 'rejected' })).items;
  assert.deepEqual(only, { agendaItemId: 'b', text: '', actionItemIds: [], decision: { text: 'Yes', result: 'rejected' } });
});

test('one person has one entry of the attendance, which can be taken away', () => {
  const remote = withAttendance(typedMinutes(null, []), { userId: 'u' }, 'remote');
  const absent = withAttendance(withAttendance(remote, { name: 'An auditor' }, 'in_person'), { userId: 'u' }, 'absent');
  assert.deepEqual(minutesBody(absent).attendance, [{ name: 'An auditor', present: 'in_person' }, { userId: 'u', present: 'absent' }]);
  assert.deepEqual(minutesBody(withAttendance(absent, { name: 'An auditor' }, '')).attendance, [{ userId: 'u', present: 'absent' }]);
});

test('a change leaves the version before as it was', () => {
  const before = typedMinutes(STORED, AGENDA);
  withEntry(before, 0, { text: 'Changed' });
  withAttendance(before, { userId: 'u' }, '');
  assert.deepEqual(before, typedMinutes(STORED, AGENDA));
});

test('two versions differ where they say something else', () => {
  const mine = withEntry(typedMinutes(STORED, AGENDA), 0, { text: 'Mine' });
  const theirs = { ...typedMinutes(STORED, AGENDA), items: [...typedMinutes(STORED, AGENDA).items, { ...newEntry(), text: 'Added' }] };
  assert.deepEqual(differences(mine, theirs).map(({ at, mine: one, theirs: other }) => [at, one?.text, other?.text]), [[0, 'Mine', ''], [3, undefined, 'Added']]);
  assert.deepEqual(differences(mine, mine), []);
});
