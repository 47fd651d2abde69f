// Tests of what a device remembers of a guest's answers.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load, storage } from './load.mjs';

const { GuestAnswers, lastingStorage } = await load('guest-answers');
const DAY = 86_400_000;

/** A storage whose keys can be listed. */
function listed() {
  const kept = storage();
  return Object.defineProperties(kept, { length: { get: () => kept.held.size }, key: { value: (index) => [...kept.held.keys()][index] } });
}

test('answers are remembered under their link, which is not kept itself', async () => {
  const kept = listed();
  const given = { s1: { vote: 'ok', comment: 'By train' } };
  (await GuestAnswers.of('token-1', kept)).keep('ann@example.net', given);
  const { email, answers } = (await GuestAnswers.of('token-1', kept)).read();
  assert.deepEqual([email, answers], ['ann@example.net', given]);
  assert.deepEqual((await GuestAnswers.of('token-2', kept)).read(), { email: '', answers: {} });
  assert.equal(JSON.stringify([...kept.held]).includes('token-1'), false);
  (await GuestAnswers.of('token-1', kept)).forget();
  assert.equal(kept.held.size, 0);
});

test('answers are forgotten after 90 days, and nothing else of the site is', async () => {
  const kept = listed();
  kept.setItem('other', 'x');
  kept.setItem('board-governance.guest broken', '{');
  (await GuestAnswers.of('t', kept, 0)).keep('ann@example.net', {}, 0);
  await GuestAnswers.of('u', kept, 90 * DAY - 1);
  assert.equal(kept.held.size, 2);
  await GuestAnswers.of('u', kept, 90 * DAY);
  assert.deepEqual([...kept.held.keys()], ['other']);
});

test('what another tab forgets meanwhile is missed by nobody', async () => {
  const kept = Object.defineProperties(storage(), { length: { value: 1 }, key: { value: () => null } });
  assert.deepEqual((await GuestAnswers.of('t', kept)).read(), { email: '', answers: {} });
});

test('a browser that stores nothing remembers nothing and fails at nothing', async () => {
  const kept = storage();
  assert.deepEqual([lastingStorage({ localStorage: kept }), lastingStorage({})], [kept, null]);
  assert.equal(lastingStorage({ get localStorage() { throw new Error('denied'); } }), null);
  const answers = await GuestAnswers.of('t', null);
  answers.keep('a@example.net', {});
  answers.forget();
  assert.deepEqual(answers.read(), { email: '', answers: {} });
  const full = Object.assign(listed(), { setItem: () => { throw new Error('full'); } });
  (await GuestAnswers.of('t', full)).keep('a@example.net', {});
});
