// Action items: to whom they are given, when they are late; and the times of a meeting's form.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import './dom.mjs';

import { load } from './load.mjs';
import { appOf, bound, loadView } from './rendered.mjs';

const board = { userId: 'me', member: {}, current: [], may: () => true, nameOf: (id) => id };

/** The form of an action item whose list has this item, and what is sent by it. */
async function itemsOf(item, people) {
  const { Items } = await loadView('action_items/meeting-items');
  const sent = [];
  const note = (name) => ({ body }) => { sent.push([name, body]); return { ...item, ...body }; };
  const app = appOf({ listMeetingActionItems: () => [item], listActionItemDueDates: () => [], updateActionItem: note('update'), createActionItem: note('create'), putActionItemUnregisteredAssignee: note('assign') });
  const items = new Items(app, { ...board, current: people, withoutAccount: (sought) => people.find(({ id }) => id === sought), members: { items: [] } }, {});
  await items.list.loaded;
  const submit = (index, values) => submitted(values, (target) => bound(items.render({ status: 'scheduled' }), '@submit')[index](target));
  return { items, sent, submit };
}

/** Submits a form as the browser does, with these values. */
async function submitted(values, submit) {
  const { FormData } = globalThis;
  globalThis.FormData = class { [Symbol.iterator] = () => Object.entries(values)[Symbol.iterator](); };
  await submit({ preventDefault() {}, currentTarget: { dataset: {}, elements: [], querySelectorAll: () => [], closest: () => null, reset() {} } });
  globalThis.FormData = FormData;
}

const GRETA = { id: 'g', fullName: 'Greta Lind', status: 'active' };
const TASK = { _id: 'i', title: 'Task', status: 'in_progress', assigneeUserId: null, assigneeName: 'Greta Lind' };
const typed = (who, more = {}) => ({ title: 'Task', status: 'in_progress', dueOn: '', who, ...more });

test('an action item is given to somebody without an account by their id, once it is saved', async () => {
  const { items, sent, submit } = await itemsOf({ ...TASK, assigneeName: null }, [GRETA]);
  await submit(0, typed('person g'));
  assert.deepEqual(sent, [['update', { title: 'Task', status: 'in_progress' }], ['assign', { unregisteredUserId: 'g' }]]);
  assert.equal(items.list.items[0].assigneeName, 'Greta Lind');
});

test('an action item whose person stays is saved without naming them again', async () => {
  const { sent, submit } = await itemsOf(TASK, [GRETA]);
  await submit(0, typed('person g', { title: 'Renamed' }));
  assert.deepEqual(sent, [['update', { title: 'Renamed', status: 'in_progress' }]]);
});

test('an action item is given to a member, to somebody who is only named, or to nobody', async () => {
  for (const [values, expected] of [
    [typed('member u'), { assigneeUserId: 'u', assigneeName: null }],
    [typed('else', { assigneeName: 'Dr. Guest' }), { assigneeUserId: null, assigneeName: 'Dr. Guest' }],
    [typed(''), { assigneeUserId: null, assigneeName: null }],
  ]) {
    const { sent, submit } = await itemsOf(TASK, [GRETA]);
    await submit(0, values);
    assert.deepEqual(sent, [['update', { title: 'Task', status: 'in_progress', ...expected }]]);
  }
});

// -- when action items are due

test('an open item is late from the day after the one that it is due on', async () => {
  const { due } = await loadView('action_items/due-dates');
  const { today } = await load('dates');
  const late = (day, status) => due(day, status).values[0];
  assert.deepEqual([late(today(), 'in_progress'), late('2020-01-01', 'in_progress'), late('2020-01-01', 'completed')], ['', 'bad', '']);
});

// -- the form of a meeting

test('a time that was not changed stays as it is to the second, also in the hour that the clocks repeat', async () => {
  const { instantOf } = await loadView('meetings/meeting-form');
  const { setAccountZone, toWall } = await load('dates');
  setAccountZone('Europe/Berlin');
  for (const instant of ['2099-10-25T01:30:00.000Z', '2099-03-10T09:00:59.000Z']) assert.equal(instantOf(toWall(instant), instant), instant);
  setAccountZone(null);
});
