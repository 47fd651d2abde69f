// Tests of the items of an agenda.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const { NEW_ITEM, body, papersOf, placed, said, titleOf } = await load('agenda-items');

test('the body of an agenda has the fields that a client sets and none that is empty', () => {
  const item = { id: 'a', title: 'Budget', minutes: null, startsAt: '2098-01-07T09:00:00.000Z', documentIds: [] };
  assert.deepEqual(body([item]), { items: [{ id: 'a', title: 'Budget', documentIds: [] }] });
});

test('an item in camera for others is sent back as a place, and one that is opened says so', () => {
  const withheld = { id: 'a', title: null, minutes: 5, documentIds: null, audience: null, withheld: true };
  const item = { id: 'b', title: 'Pay', documentIds: [], audience: { userIds: ['u'] }, withheld: false };
  assert.deepEqual(body([withheld, item, { ...item, audience: null, isOpened: true }]), {
    items: [
      { id: 'a', withheld: true },
      { id: 'b', title: 'Pay', documentIds: [], audience: { userIds: ['u'] } },
      { id: 'b', title: 'Pay', documentIds: [], audience: null },
    ],
  });
  assert.deepEqual([titleOf(withheld), titleOf(item), papersOf(withheld)], ['withheld', 'Pay', []]);
  assert.deepEqual(placed([withheld], 'new', 'd', 'Paper').at(-1), { title: 'Paper', documentIds: ['d'] });
});

test('a presenter without an account is named by the link and not by an older name', () => {
  const [item] = body([{ title: 'Budget', presenterUnregisteredUserId: 'p', presenterName: 'Old' }]).items;
  assert.deepEqual(item, { title: 'Budget', presenterUnregisteredUserId: 'p' });
});

test('items say the same where only what the service computes differs', () => {
  const item = { id: 'a', title: 'Budget', documentIds: [] };
  assert.equal(said([item]), said([{ ...item, startsAt: '2098-01-07T09:00:00.000Z' }]));
  assert.notEqual(said([item]), said([{ ...item, title: 'Sum' }]));
  assert.equal(said(), said([]));
});

test('a document is a paper of one item, of a new one, or of none', () => {
  const items = [{ id: 'a', documentIds: ['d', 'e'] }, { id: 'b', documentIds: [] }];
  assert.deepEqual(placed(items, 'b', 'd').map(({ documentIds }) => documentIds), [['e'], ['d']]);
  assert.deepEqual(placed(items, '', 'd').map(({ documentIds }) => documentIds), [['e'], []]);
  assert.deepEqual(placed(items, NEW_ITEM, 'd', 'Plan').at(-1), { title: 'Plan', documentIds: ['d'] });
});
