// Tests of failures in words.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const problems = await load('problems');

test('each failure is said in words', () => {
  const say = (given) => problems.inWords(new problems.Problem(given));
  assert.deepEqual(say({ status: 0, code: 'OFFLINE' }).heading, 'You are offline.');
  assert.match(say({ status: 429, wait: 12 }).text, /12 seconds/);
  assert.match(say({ status: 429, wait: 240 }).text, /4 minutes/);
  assert.match(say({ status: 429, wait: 241 }).text, /5 minutes/);
  assert.match(say({ status: 429, wait: 7201 }).text, /3 hours/);
  assert.match(say({ status: 401 }).heading, /sign-in has ended/);
  assert.match(say({ status: 403, details: { requiredScope: 'meetings:write' } }).text, /meetings:write/);
  assert.match(say({ status: 409, message: 'x', details: { reason: 'SLOT_VOTES_CLOSED' } }).text, /closed/);
  assert.equal(say({ status: 409, message: 'In the server’s words.' }).text, 'In the server’s words.');
  assert.match(say({ status: 503 }).heading, /busy/);
  assert.equal(say({ status: 400, message: 'The `title` is missing.' }).heading, 'The `title` is missing.');
});
