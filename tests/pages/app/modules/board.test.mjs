// Tests of what all views of one board share.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { load } from './load.mjs';

const { BoardContext } = await load('board');
const { paths } = JSON.parse(readFileSync(new URL('../../../../openapi.json', import.meta.url)));
const operations = Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));

const PAGES = { null: { items: [{ userId: 'u1', firstName: 'Ann', lastName: 'Lee' }], next: 'c' }, c: { items: [{ userId: 'u2', firstName: 'Bob', lastName: 'Kim' }], next: null } };
const settled = async () => { for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate); };

/** The context of a board in a billing state, with the requests that it sent. */
function contextOf({ billingState = 'PAID_ACTIVE', userId } = {}) {
  const sent = [];
  const api = {
    get: async (name, options) => (sent.push([name, options]), { id: 'b', billingState }),
    page: async (name, options) => (sent.push([name, options]), PAGES[options.cursor]),
  };
  const access = { may: (...asked) => asked };
  return [new BoardContext({ api, access, update: () => {}, caller: { data: userId && { userId } } }, 'b'), sent];
}

test('a board is read with all of its members', async () => {
  const [board, sent] = contextOf();
  await settled();
  assert.deepEqual(sent, [
    ['getBoard', { params: { boardId: 'b' } }],
    ...[null, 'c'].map((cursor) => ['listMembers', { params: { boardId: 'b' }, query: { limit: 100 }, cursor }]),
  ]);
  assert.deepEqual(board.resources.map(({ data }) => data.id ?? data.items.length), ['b', 2]);
});

test('a member has a name, who has left has none, and nobody is said to have left before all members are known', async () => {
  const [board] = contextOf();
  assert.equal(board.nameOf('u1'), '…');
  await settled();
  assert.deepEqual(['u1', 'u2', 'u3'].map((id) => board.nameOf(id)), ['Ann Lee', 'Bob Kim', 'A former member']);
  board.members.set(PAGES.null);
  assert.equal(board.nameOf('u2'), '…');
});

test('a person has a membership, a board’s token has none', async () => {
  const [[person], [token]] = [contextOf({ userId: 'u2' }), contextOf()];
  await settled();
  token.members.set({ items: [{ userId: null }], next: null });
  assert.deepEqual([person.userId, person.member.firstName], ['u2', 'Bob']);
  assert.deepEqual([token.userId, token.member], [null, undefined]);
});

test('a board whose subscription has ended is restricted', async () => {
  for (const [billingState, isRestricted] of [['TRIAL_ACTIVE', false], ['PAID_ACTIVE', false], ['PAST_DUE_GRACE', false], ['TRIAL_EXPIRED', true], ['PAST_DUE_RESTRICTED', true], ['CANCELLED', true]]) {
    const [board] = contextOf({ billingState });
    assert.equal(board.isRestricted, false);
    await settled();
    assert.equal(board.isRestricted, isRestricted, billingState);
  }
});

test('what is asked about access names the board', () => {
  const [board] = contextOf();
  assert.deepEqual(board.may('updateBoard'), ['updateBoard', { boardId: 'b' }]);
  assert.deepEqual(board.may('updateMeeting', { meetingId: 'm' }), ['updateMeeting', { boardId: 'b', meetingId: 'm' }]);
  assert.ok(board.actions.length > 0);
  for (const [name, params] of board.actions) assert.deepEqual([operations.includes(name), params], [true, { boardId: 'b' }], name);
});

test('the addresses of a board’s views begin with its own', () => {
  const [board] = contextOf();
  assert.deepEqual([board.path(), board.path('meetings', 'm')], ['/boards/b', '/boards/b/meetings/m']);
});
