// Tests of what the caller may do.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const { ANY, Access } = await load('access');
const problems = await load('problems');

const REFUSED = { decision: false, context: { code: 'FORBIDDEN', status: 403 } };
const ABSENT = { decision: false, context: { code: 'RESOURCE_NOT_FOUND', status: 404 } };

/** An `Access` whose API says what `decide(name, path)` returns, with the requests that it sent. */
function access(decide) {
  const sent = [];
  const call = async (name, { body }) => {
    sent.push(body.evaluations);
    return { evaluations: body.evaluations.map(({ action, resource }) => decide(action.name, resource.id)) };
  };
  return [new Access({ call }, () => {}), sent];
}

test('all actions of a view are asked about in one request, and none is offered before the answer', async () => {
  const [found, sent] = access((name) => (name === 'createMeeting' ? { decision: true, context: null } : REFUSED));
  const board = { boardId: 'b1' };
  const asking = found.enter([['createMeeting', board], ['updateBoard', board]]);
  assert.equal(found.may('createMeeting', board), false);
  await asking;
  assert.deepEqual([found.may('createMeeting', board), found.may('updateBoard', board)], [true, false]);
  assert.deepEqual(sent, [[
    { action: { name: 'createMeeting' }, resource: { type: 'route', id: '/api/v1/boards/b1/meetings' } },
    { action: { name: 'updateBoard' }, resource: { type: 'route', id: '/api/v1/boards/b1' } },
  ]]);
  assert.equal(found.may('createMeeting', { boardId: 'b2' }), false);
});

test('an action on anything of a kind is offered where nothing but the thing is missing', async () => {
  const [found] = access((name) => (name === 'deleteSlot' ? REFUSED : ABSENT));
  const params = { boardId: 'b', meetingId: 'm', slotId: ANY };
  await found.enter([['voteOnSlot', params], ['deleteSlot', params], ['updateMeeting', { boardId: 'b', meetingId: 'hidden' }]]);
  assert.equal(found.may('voteOnSlot', params), true);
  assert.equal(found.may('deleteSlot', params), false);
  assert.equal(found.may('updateMeeting', { boardId: 'b', meetingId: 'hidden' }), false);
});

test('more than a hundred actions are asked about in several requests', async () => {
  const [found, sent] = access(() => ({ decision: true, context: null }));
  await found.enter(Array.from({ length: 250 }, (_, index) => ['retractInvite', { boardInviteId: String(index) }]));
  assert.deepEqual(sent.map(({ length }) => length), [100, 100, 50]);
  assert.equal(found.may('retractInvite', { boardInviteId: '249' }), true);
});

test('a question that failed is said and asked again with everything else of the view', async () => {
  let isAway = true;
  const call = async (_, { body }) => {
    if (isAway) throw new problems.Problem({ status: 503 });
    return { evaluations: body.evaluations.map(() => ({ decision: true, context: null })) };
  };
  const found = new Access({ call }, () => {});
  await found.enter([['createBoard']]);
  await found.ask([['updateMe']]);
  assert.equal(found.problem.status, 503);
  isAway = false;
  await found.reload();
  assert.deepEqual([found.problem, found.may('createBoard'), found.may('updateMe')], [null, true, true]);
});

test('no view offers an action that was never asked about, unnoticed', async (context) => {
  const said = context.mock.method(console, 'error', () => {});
  const [found] = access(() => REFUSED);
  await found.enter([['createBoard']]);
  assert.equal(found.may('createBoard'), false);
  assert.equal(said.mock.callCount(), 0);
  found.may('updateMe');
  assert.equal(said.mock.callCount(), 1);
});

test('an answer is awaited until the last question is answered, and the batch operation answers', async () => {
  const waiting = [];
  const asked = [];
  const found = new Access({ call: (name, { body }) => (asked.push(name), new Promise((resolve) => waiting.push(() => resolve({ evaluations: body.evaluations.map(() => REFUSED) })))) }, () => {});
  assert.equal(found.isBusy, false);
  const questions = [found.enter([['createBoard']]), found.ask([['updateMe']])];
  waiting[0]();
  await questions[0];
  assert.equal(found.isBusy, true);
  waiting[1]();
  await questions[1];
  assert.deepEqual([found.isBusy, asked], [false, ['evaluateAccessBatch', 'evaluateAccessBatch']]);
});

test('a hundred actions are one question, and somebody else’s decisions are forgotten', async () => {
  const [found, sent] = access(() => ({ decision: true, context: null }));
  await found.enter(Array.from({ length: 100 }, (_, index) => ['retractInvite', { boardInviteId: String(index) }]));
  assert.equal(sent.length, 1);
  found.forget();
  assert.equal(found.may('retractInvite', { boardInviteId: '1' }), false);
});

test('what stands for anything has the form of an id', () => {
  assert.match(ANY, /^[0-9a-f]{24}$/);
});
