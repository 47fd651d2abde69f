// Tests of conditions: what was read with a tag is changed on condition that it is still so, and not sent again.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const { Api } = await load('api');

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
  await api.get('getMeetingPoll', { ...MEETING, isShared: true });
  await api.get('putMeetingPoll', { ...MEETING, body: {} });
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
