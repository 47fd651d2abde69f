// A client of a service that answers by a script. Nobody waits: the clock goes on when nothing else happens.
// `SDK` is the built module.

import assert from 'node:assert/strict';
import { mock } from 'node:test';

export const sdk = await import(process.env.SDK);
export const URL = 'https://board.example';
export const TOKEN = 'svc_pat_secret';
export const LOST = Symbol('the connection is lost');
export const SILENT = Symbol('nobody answers');
const START = Date.parse('2098-01-01T00:00:00Z');
const IDLE_TURNS = 50;

mock.timers.enable({ apis: ['setTimeout', 'Date'], now: START });

/** A client of a service that answers by a script, whose last answer stays; `asked` has each request, `times` when it came. */
export function scripted(...answers) {
  const asked = [];
  const times = [];
  const fetch = async (request) => {
    asked.push(request);
    times.push(Date.now());
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer === LOST) throw new TypeError(`lost ${request.headers.get('Authorization')}`);
    if (answer === SILENT) return new Promise((_, reject) => { request.signal.addEventListener('abort', () => reject(request.signal.reason)); });
    return answer();
  };
  const keys = () => asked.map((request) => request.headers.get('Idempotency-Key'));
  const waits = () => times.slice(1).map((time, index) => time - times[index]);
  return { client: sdk.createClient({ baseUrl: URL, token: TOKEN, fetch }), asked, keys, waits };
}

/** Returns what a call comes to. */
export async function end(call) {
  let isOver = false;
  const over = () => { isOver = true; };
  call.then(over, over);
  while (!isOver) {
    for (let turn = 0; turn < IDLE_TURNS && !isOver; turn += 1) await new Promise(setImmediate);
    if (!isOver) mock.timers.runAll();
  }
  return call;
}

/** Returns the ApiError that a call throws; the token is nowhere in it. */
export async function thrown(call) {
  const error = await end(call).then(() => assert.fail('it succeeded'), (reason) => reason);
  assert.ok(error instanceof sdk.ApiError, String(error));
  assert.ok(!`${error} ${error.stack} ${JSON.stringify(error)} ${error.cause ?? ''}`.includes(TOKEN));
  return error;
}
