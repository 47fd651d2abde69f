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

/** An API whose answers carry the tags of a list, in turn; `sent` is each request with its condition. */
function tagged(tags) {
  const sent = [];
  const fetcher = async (address, { method, headers }) => {
    sent.push([method, address.split('/').at(-1), headers['If-Match']]);
    const tag = tags.shift();
    if (tag === 'none') throw new TypeError('failed');
    return new Response(JSON.stringify({ data: { sent: sent.length } }), { headers: tag ? { ETag: tag } : {} });
  };
  return { api: new Api({ token: 't', canRenew: false }, fetcher), sent };
}

const BOARD = { params: { boardId: 'b' } };
const MEETING = { params: { boardId: 'b', meetingId: 'm' } };

test('what was read with a tag is changed on condition that it is still so', async () => {
  const { api, sent } = tagged(['"board"', '"meeting"', '"board 2"', '"meeting 2"', '"meeting 3"']);
  await api.get('getBoard', BOARD);
  await api.get('getMeeting', MEETING);
  await api.get('updateBoard', { ...BOARD, body: {} });
  await api.get('updateMeeting', { ...MEETING, body: {} });
  await api.get('updateMeeting', { ...MEETING, body: {} });
  await api.get('updateMeeting', { ...MEETING, body: {} });
  await api.call('deleteMeeting', MEETING);
  assert.deepEqual(sent.slice(2, 6).map(([, , condition]) => condition), ['"board"', '"meeting"', '"meeting 2"', '"meeting 3"']);
});

test('a change without a tag in its answer is read again, and that is what the page shows', async () => {
  const { api, sent } = tagged(['"one"', null, '"two"', '"three"']);
  await api.get('getMeeting', MEETING);
  const shown = await api.get('updateMeeting', { ...MEETING, body: {} });
  assert.deepEqual(shown, { sent: 3 });
  await api.get('updateMeeting', { ...MEETING, body: {} });
  assert.deepEqual(sent, [['GET', 'm', undefined], ['PATCH', 'm', '"one"'], ['GET', 'm', undefined], ['PATCH', 'm', '"two"']]);
});

test('where a change cannot be read again the next one is refused, not made unseen', async () => {
  const { api, sent } = tagged(['"one"', null, 'none', null]);
  await api.get('getMeeting', MEETING);
  assert.deepEqual(await api.get('updateMeeting', { ...MEETING, body: {} }), { sent: 2 });
  await api.get('updateMeeting', { ...MEETING, body: {} });
  assert.equal(sent[3][2], '"one"');
});

test('a change of a part keeps the condition on the whole', async () => {
  const { api, sent } = tagged(['"board"', '"meeting"']);
  await api.get('getBoard', BOARD);
  await api.get('getMeeting', MEETING);
  await api.call('createMeeting', { ...BOARD, body: {} });
  await api.call('confirmSlot', { params: { ...MEETING.params, slotId: 's' } });
  await api.get('updateBoard', { ...BOARD, body: {} });
  await api.get('updateMeeting', { ...MEETING, body: {} });
  assert.deepEqual(sent.filter(([method]) => method === 'PATCH').map(([, , condition]) => condition), ['"board"', '"meeting"']);
});

test('what others add to all the time is changed without a condition', async () => {
  const { api, sent } = tagged(['"poll"', null]);
  await api.get('getPoll', { ...MEETING, isShared: true });
  await api.get('putPoll', { ...MEETING, body: {} });
  assert.deepEqual(sent.map(([method, , condition]) => [method, condition]), [['GET', undefined], ['PUT', undefined]]);
});

test('an answer that the page drops says nothing of what it shows', async () => {
  const pending = [];
  const conditions = [];
  const fetcher = (address, { headers }) => {
    conditions.push(headers['If-Match']);
    return new Promise((resolve) => pending.push((tag) => resolve(new Response('{"data":{}}', { headers: { ETag: tag } }))));
  };
  const api = new Api({ token: 't', canRenew: false }, fetcher);
  const [earlier, later] = [api.get('getMeeting', MEETING), api.get('getMeeting', MEETING)];
  pending[1]('"later"');
  await later;
  pending[0]('"earlier"');
  await earlier;
  const read = api.get('getMeeting', MEETING);
  const change = api.get('updateMeeting', { ...MEETING, body: {} });
  pending[3]('"changed"');
  await change;
  pending[2]('"read before"');
  await read;
  api.get('updateMeeting', { ...MEETING, body: {} });
  assert.deepEqual(conditions.slice(3), ['"later"', '"changed"']);
});

test('what has no tag of a read is changed without a condition', async () => {
  const { api, sent } = tagged(['"one"', '"two"']);
  await api.get('updateMeeting', { ...MEETING, body: {} });
  await api.get('updateMeeting', { ...MEETING, body: {} });
  assert.deepEqual(sent.map(([, , condition]) => condition), [undefined, undefined]);
});

// How each request is sent

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
  await api.get('viewAsGuest', { params: { token: 't' } });
  await api.get('putRsvp', { params: { boardId: 'b', meetingId: 'm' }, body: {} });
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
  assert.deepEqual(await api.bareArray('listMine'), { items: [1], next: null });
});

test('the tag of an address serves whatever its query was, and of no failed answer', async () => {
  const tags = ['"one"', '"refused"', null];
  const conditions = [];
  const api = new Api({ token: 't', canRenew: false }, async (_, { method, headers }) => {
    conditions.push([method, headers['If-Match']]);
    const tag = tags.shift();
    return new Response('{"data":{}}', { status: tag === '"refused"' ? 503 : 200, headers: tag ? { ETag: tag } : {} });
  });
  await api.get('getMeeting', { ...MEETING, query: { view: 'short' } });
  await assert.rejects(api.get('getMeeting', MEETING));
  await api.call('deleteMeeting', MEETING);
  await api.call('deleteMeeting', MEETING);
  assert.deepEqual(conditions, [['GET', undefined], ['GET', undefined], ['DELETE', '"one"'], ['DELETE', undefined]]);
});

test('what is put on condition is refused like what is patched, and a refused change drops no read that is under way', async () => {
  const pending = [];
  const conditions = [];
  const fetcher = (address, { method, headers }) => {
    conditions.push([method, headers['If-Match']]);
    return new Promise((resolve) => pending.push((tag, status = 200) => resolve(new Response('{"data":{}}', { status, headers: tag ? { ETag: tag } : {} }))));
  };
  const api = new Api({ token: 't', canRenew: false }, fetcher);
  const first = api.get('getCalendarSettings');
  pending[0]('"one"');
  await first;
  const read = api.get('getCalendarSettings');
  const change = api.call('putCalendarSettings', { body: {} });
  pending[2](null, 412);
  await assert.rejects(change, { status: 412 });
  pending[1]('"two"');
  await read;
  api.call('putCalendarSettings', { body: {} });
  assert.deepEqual(conditions.filter(([method]) => method === 'PUT'), [['PUT', '"one"'], ['PUT', '"two"']]);
});

// -- what has not changed is not sent again

/** An API whose reads have this tag; `sent` has the condition of each request. */
function unchanged() {
  const held = { tag: '"one"', token: 't', sent: [] };
  const fetcher = async (address, { method, headers }) => {
    held.sent.push([method, headers['If-None-Match'], headers['If-Match']]);
    if (method === 'GET' && headers['If-None-Match'] === held.tag) return new Response(null, { status: 304 });
    return new Response(JSON.stringify({ data: { tag: held.tag } }), { headers: held.tag ? { ETag: held.tag } : {} });
  };
  return Object.assign(held, { api: new Api({ get token() { return held.token; }, canRenew: false }, fetcher) });
}

test('what is read a second time is asked for with its tag, and is the same object where it has not changed', async () => {
  const held = unchanged();
  const first = await held.api.get('getMeeting', MEETING);
  assert.equal(await held.api.get('getMeeting', MEETING), first);
  held.tag = '"two"';
  assert.deepEqual(await held.api.get('getMeeting', MEETING), { tag: '"two"' });
  assert.deepEqual(held.sent.map(([, tag]) => tag), [undefined, '"one"', '"one"']);
});

test('what has not changed is changed on the condition of its tag', async () => {
  const held = unchanged();
  await held.api.get('getMeeting', MEETING);
  await held.api.get('getMeeting', MEETING);
  await held.api.get('updateMeeting', { ...MEETING, body: {} });
  assert.deepEqual(held.sent.at(-1), ['PATCH', undefined, '"one"']);
});

test('somebody else who signs in is not shown what was read before', async () => {
  const held = unchanged();
  await held.api.get('getMeeting', MEETING);
  held.token = 'of somebody else';
  await held.api.get('getMeeting', MEETING);
  assert.equal(held.sent.at(-1)[1], undefined);
});

test('a list has no tag and is read whole', async () => {
  const held = unchanged();
  held.tag = null;
  await held.api.get('listSlots', MEETING);
  await held.api.get('listSlots', MEETING);
  assert.deepEqual(held.sent.map(([, tag]) => tag), [undefined, undefined]);
});
