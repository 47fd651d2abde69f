// The runtime of the TypeScript client: repeats, keys, errors, and where the token appears.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { LOST, SILENT, TOKEN, URL, end, scripted, sdk, thrown } from './scripted.mjs';

const { createClient } = sdk;
const BOARD = '/api/v1/boards/{boardId}';
const AT = { params: { path: { boardId: 'b' } } };
const FINE = () => Response.json({ data: { id: 'b' } });

const busy = (status, after) => () => new Response('{"error": {"code": "BUSY", "message": "No."}}', { status, headers: after ? { 'Retry-After': after } : {} });
const refusal = (status, error) => () => Response.json({ error: { code: 'CONFLICT', message: 'No.', requestId: 'req_1', details: null, ...error } }, { status });
const rename = (client) => client.PATCH(BOARD, { ...AT, body: { name: 'New' } });

for (const status of [429, 503]) {
  test(`a service that answers ${status} is asked again after the seconds that it says, also to change something`, async () => {
    const { client, asked, waits } = scripted(busy(status, '7'), FINE);
    assert.equal((await end(rename(client))).data.data.id, 'b');
    assert.deepEqual([asked.length, waits()], [2, [7000]]);
    assert.deepEqual(await asked[1].json(), { name: 'New' });
  });
}

test('Retry-After may be a date', async () => {
  const past = scripted(busy(503, 'Wed, 01 Jan 2020 00:00:00 GMT'), FINE);
  assert.equal((await end(past.client.GET(BOARD, AT))).response.status, 200);
  assert.deepEqual(past.waits(), [0]);
  const far = scripted(busy(503, 'Fri, 01 Jan 2199 00:00:00 GMT'));
  assert.equal((await end(far.client.GET(BOARD, AT))).response.status, 503);
  assert.equal(far.asked.length, 1);
});

test('it gives up after five tries, each after a longer wait', async () => {
  const { client, asked, waits } = scripted(busy(503));
  assert.equal((await end(client.GET(BOARD, AT))).error.error.code, 'BUSY');
  assert.equal(asked.length, 5);
  waits().forEach((wait, number) => assert.ok(wait >= 250 * 2 ** number && wait <= 500 * 2 ** number, `${waits()}`));
});

test('it does not wait longer than thirty seconds', async () => {
  const { client, asked } = scripted(busy(429, '31'));
  assert.equal((await end(client.GET(BOARD, AT))).response.status, 429);
  assert.equal(asked.length, 1);
});

test('where nobody answers, a call ends after thirty seconds', async () => {
  const begun = Date.now();
  const { client, asked } = scripted(SILENT);
  const { status, code } = await thrown(client.GET(BOARD, AT));
  assert.deepEqual([status, code, asked.length, Date.now() - begun], [0, 'NO_RESPONSE', 1, 30_000]);
});

test('a lost POST is repeated with the key that it had, each call with its own', async () => {
  const { client, keys } = scripted(LOST, busy(429, '1'), FINE);
  for (const name of ['a', 'b']) assert.ok((await end(client.POST('/api/v1/boards', { body: { name } }))).data);
  const [first, again, third, second] = keys();
  assert.match(first, /^[0-9a-f-]{36}$/);
  assert.deepEqual([again, third], [first, first]);
  assert.notEqual(second, first);
});

test('a key of the caller is sent', async () => {
  const { client, keys } = scripted(LOST, FINE);
  await end(client.POST('/api/v1/boards', { body: { name: 'New' }, headers: { 'Idempotency-Key': 'mine' } }));
  assert.deepEqual(keys(), ['mine', 'mine']);
});

test('a lost GET is repeated five times, a lost change without a key never', async () => {
  const read = scripted(LOST);
  const changed = scripted(LOST);
  for (const call of [() => read.client.GET(BOARD, AT), () => rename(changed.client)]) {
    const { status, code, requestId } = await thrown(call());
    assert.deepEqual([status, code, requestId], [0, 'NO_RESPONSE', null]);
  }
  assert.deepEqual([read.asked.length, changed.asked.length], [5, 1]);
});

test('other errors are not repeated and say everything', async () => {
  const details = { reason: 'LIMIT_REACHED' };
  const { client, asked } = scripted(refusal(409, { details }));
  const { error, response } = await end(client.POST('/api/v1/boards', { body: { name: 'New' } }));
  assert.deepEqual([response.status, error.error, asked.length], [409, { code: 'CONFLICT', message: 'No.', requestId: 'req_1', details }, 1]);
});

for (const status of [200, 302, 404, 500, 502]) {
  test(`whatever else answers with ${status} is one error`, async () => {
    for (const body of ['<html>Welcome</html>', '{"data": {"id"', '"text"', '', '\xff', '['.repeat(9999)]) {
      for (const call of [(client) => client.GET(BOARD, AT), rename]) {
        const error = await thrown(call(scripted(() => new Response(body, { status })).client));
        assert.deepEqual([error.status, error.code], [status, 'UNREADABLE_RESPONSE'], body.slice(0, 20));
      }
    }
  });
}

test('a service that repeats the token does not bring it into the error', async () => {
  const { client } = scripted(refusal(400, { message: `Bearer ${TOKEN}?`, details: { fields: { x: TOKEN } } }));
  const { error } = await end(client.GET(BOARD, AT));
  assert.deepEqual([error.error.message, error.error.details.fields.x], ['Bearer ***?', '***']);
});

test('nobody at the address is one error', async () => {
  const { status, code } = await thrown(rename(createClient({ baseUrl: 'http://127.0.0.1:1', token: TOKEN })));
  assert.deepEqual([status, code], [0, 'NO_RESPONSE']);
});

test('an address that cannot work is refused at once, without what is secret in it', () => {
  const wrong = ['', 'board.example', 'ftp://board.example', 'https://', 'https://u:hidden@board.example', 'https://b?hidden=1', 'https://b:x', 'https://\0', 'http://[::1'];
  for (const baseUrl of wrong) assert.throws(() => createClient({ baseUrl, token: TOKEN }), (error) => error instanceof TypeError && !/hidden|secret/.test(error), baseUrl);
});

test('a token that no header carries is refused without being said', () => {
  for (const token of ['secret\n', 'two secrets', 'schlüssel', '\0']) {
    assert.throws(() => createClient({ baseUrl: URL, token }), (error) => error instanceof TypeError && !/secret|schl/.test(error.message));
  }
});
