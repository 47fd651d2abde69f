// Tests of requests to the API.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load, storage } from './load.mjs';

const { Api } = await load('api');
const { Session } = await load('session');

const answer = (status, body, headers = {}) => new Response(JSON.stringify(body), { status, headers });

test('the credential goes in a header and never into an address', async () => {
  const session = new Session(storage());
  session.hold({ token: 'secret-token' });
  const seen = [];
  await new Api(session, async (address, options) => (seen.push([address, options]), answer(200, { data: {} }))).get('getMe');
  const [[address, options]] = seen;
  assert.equal(options.headers.Authorization, 'Bearer secret-token');
  assert.doesNotMatch(address, /secret/);
  assert.equal(options.credentials, 'omit');
});

test('a refused session is renewed once for all requests that met it, then they are sent again', async () => {
  const session = new Session(storage());
  session.hold({ token: 'old', refreshToken: 'r' });
  let renewals = 0;
  session.renewBy(async () => ((renewals += 1), { token: 'new', refreshToken: 'r2' }));
  const fetcher = async (_, { headers }) => (headers.Authorization === 'Bearer new' ? answer(200, { data: 1 }) : answer(401, { error: { code: 'INVALID_API_TOKEN' } }));
  const api = new Api(session, fetcher);
  assert.deepEqual(await Promise.all([api.get('getMe'), api.get('getMe'), api.get('getMe')]), [1, 1, 1]);
  assert.equal(renewals, 1);
});

test('a pasted token that is refused stays a refusal', async () => {
  const session = new Session(storage());
  session.hold({ token: 'x' });
  const api = new Api(session, async () => answer(401, { error: { code: 'INVALID_API_TOKEN', message: 'No.' } }));
  await assert.rejects(api.get('getMe'), { status: 401 });
});

test('a request without an answer, a page of a proxy and a wait are problems of their own', async () => {
  const session = new Session(storage());
  await assert.rejects(new Api(session, async () => { throw new TypeError('failed'); }).get('getMe'), { status: 0 });
  await assert.rejects(new Api(session, async () => new Response('<html>', { status: 200 })).get('getMe'), { status: 502 });
  await assert.rejects(new Api(session, async () => new Response('<html>', { status: 503, headers: { 'Retry-After': '7' } })).get('getMe'), { status: 503, wait: 7 });
});

test('the next page of a bare array is asked of this host, whatever the header says', async () => {
  const link = { Link: '<https://evil.example/api/auditlog/b?cursor=c>; rel="next"' };
  const seen = [];
  const api = new Api(new Session(storage()), async (address) => (seen.push(address), answer(200, [], seen.length === 1 ? link : {})));
  const { next } = await api.bareArray('listAuditEntries', { params: { boardId: 'b' } });
  assert.equal(next, '/api/auditlog/b?cursor=c');
  assert.equal((await api.bareArray('listAuditEntries', { params: { boardId: 'b' }, cursor: next })).next, null);
  assert.equal(seen[1], next);
});

/** An API whose answers come from a list, in turn; `sent` has the address and the options of each request. */
function scripted(answers, session = new Session(storage())) {
  const sent = [];
  const fetcher = async (address, options) => {
    sent.push([address, options]);
    return answers[Math.min(sent.length, answers.length) - 1]();
  };
  return { api: new Api(session, fetcher), sent, session };
}

const signedIn = () => {
  const session = new Session(storage());
  session.hold({ token: 'old', refreshToken: 'r' });
  return session;
};

test('no redirect is followed, nothing is cached, and neither cookies nor the page’s address go out', async () => {
  const { api, sent } = scripted([() => answer(200, { data: {} })]);
  await api.get('getMe');
  const { redirect, cache, credentials, referrerPolicy, method, body } = sent[0][1];
  assert.deepEqual({ redirect, cache, credentials, referrerPolicy, method, body },
    { redirect: 'error', cache: 'no-store', credentials: 'omit', referrerPolicy: 'no-referrer', method: 'GET', body: undefined });
});

test('a request is given up after 20 seconds, and the page says that no answer came', async (context) => {
  const limits = [];
  context.mock.method(AbortSignal, 'timeout', (milliseconds) => (limits.push(milliseconds), AbortSignal.abort(new DOMException('late', 'TimeoutError'))));
  const session = new Session(storage());
  const api = new Api(session, async (_, { signal }) => signal.throwIfAborted());
  await assert.rejects(api.get('getMe'), { status: 0, code: 'NO_ANSWER' });
  assert.deepEqual(limits, [20_000]);
});

test('without a network the page says that it is offline', async (context) => {
  const session = new Session(storage());
  const api = new Api(session, async () => { throw new TypeError('failed'); });
  await assert.rejects(api.get('getMe'), { code: 'NO_CONNECTION' });
  Object.defineProperty(globalThis, 'navigator', { value: { onLine: false }, configurable: true });
  context.after(() => delete globalThis.navigator);
  await assert.rejects(api.get('getMe'), { code: 'OFFLINE' });
});

test('a key goes with the request that names one, also when it is sent again, and with no other', async () => {
  const { api, sent, session } = scripted([() => answer(401, {}), () => answer(201, { data: 1 })], signedIn());
  session.renewBy(async () => ({ token: 'new' }));
  await api.get('createBoard', { body: { name: 'x' }, key: 'k1' });
  await api.get('createBoard', { body: { name: 'y' } });
  assert.deepEqual(sent.map(([, { headers }]) => headers['Idempotency-Key']), ['k1', 'k1', undefined]);
  assert.deepEqual(sent.map(([, { headers }]) => headers.Authorization), ['Bearer old', 'Bearer new', 'Bearer new']);
  assert.deepEqual(sent.map(([, { body }]) => body), ['{"name":"x"}', '{"name":"x"}', '{"name":"y"}']);
});

test('only what has a body has a content type, and only somebody who is signed in sends a credential', async () => {
  const { api, sent } = scripted([() => answer(200, { data: 1 })]);
  await api.get('getGuestMeeting', { params: { token: 't' } });
  await api.get('putMyRsvp', { params: { boardId: 'b', meetingId: 'm' }, body: {} });
  assert.deepEqual(sent.map(([, { headers }]) => headers), [
    { Accept: 'application/json' }, { Accept: 'application/json', 'Content-Type': 'application/json' },
  ]);
});

test('a session that is refused again after it was renewed is refused, not renewed again', async () => {
  const { api, sent, session } = scripted([() => answer(401, {})], signedIn());
  let renewals = 0;
  session.renewBy(async () => ((renewals += 1), { token: 'new', refreshToken: 'r2' }));
  await assert.rejects(api.get('getMe'), { status: 401 });
  assert.deepEqual([renewals, sent.length], [1, 2]);
});

test('a session that cannot be renewed is refused with the first answer, and no other refusal renews it', async () => {
  for (const [status, renewal, count] of [[401, async () => null, 1], [401, async () => { throw new Error('no'); }, 1], [403, async () => ({ token: 'n' }), 1], [503, async () => ({ token: 'n' }), 1]]) {
    const { api, sent, session } = scripted([() => answer(status, { error: { message: 'First.' } })], signedIn());
    session.renewBy(renewal);
    await assert.rejects(api.get('getMe'), { status, message: 'First.' });
    assert.equal(sent.length, count);
  }
});

test('a busy service is asked once: who waits decides when it is asked again', async () => {
  const { api, sent } = scripted([() => answer(503, {}, { 'Retry-After': '3' })]);
  await assert.rejects(api.get('getMe'), { status: 503, wait: 3 });
  assert.equal(sent.length, 1);
});

test('a page of a list has its cursor, and none at the end', async () => {
  const { api, sent } = scripted([() => answer(200, { data: [1], meta: { nextCursor: 'c 2' } }), () => answer(200, { data: [2] })]);
  const first = await api.page('listBoards', { query: { limit: 50 }, cursor: null });
  const second = await api.page('listBoards', { query: { limit: 50 }, cursor: first.next });
  assert.deepEqual([first, second], [{ items: [1], next: 'c 2' }, { items: [2], next: null }]);
  assert.deepEqual(sent.map(([address]) => address), ['/api/v1/boards?limit=50', '/api/v1/boards?limit=50&cursor=c+2']);
});

test('a list that stands under a name is read like a bare one', async () => {
  const { api } = scripted([() => answer(200, { actionItems: [1] })]);
  assert.deepEqual(await api.bareArray('listMyActionItems'), { items: [1], next: null });
});
