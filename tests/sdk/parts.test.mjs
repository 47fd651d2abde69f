// Lists, uploads, deliveries and the live channel of the TypeScript client.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

import { LOST, TOKEN, end, scripted, sdk, thrown } from './scripted.mjs';

const { live, paginate, upload, verifyWebhook, VerificationError } = sdk;
const ROOM = 'boards/b';
const JOINED = { type: 'joined', room: ROOM };
const RING = { type: 'ring', room: ROOM, event: 'meeting.created', ids: { meetingId: 'm' }, at: '2098-01-01T00:00:00.000Z' };
const REMOVED = { type: 'left', room: ROOM, reason: 'removed' };
const page = (items, nextCursor) => () => Response.json({ data: items, meta: { nextCursor } });
const made = (data) => () => Response.json({ data }, { status: 201 });

async function all(iterator) {
  const found = [];
  for await (const each of iterator) found.push(each);
  return found;
}

test('a list is read page after page', async () => {
  const { client, asked } = scripted(page([1, 2], 'c'), page([3], null));
  assert.deepEqual(await end(all(paginate(client, '/api/v1/boards', { params: { query: { limit: 2 } } }))), [1, 2, 3]);
  assert.deepEqual(asked.map(({ url }) => url.split('?')[1]), ['limit=2', 'limit=2&cursor=c']);
});

test('a list of the legacy surface follows its links', async () => {
  const first = () => Response.json({ b: [1, 2] }, { headers: { Link: '</api/invite/all-boards?cursor=c%2B1&limit=1>; rel="next"' } });
  const { client, asked } = scripted(first, () => Response.json({ c: [3] }));
  assert.deepEqual(await end(all(paginate(client, '/api/invite/all-boards'))), [1, 2, 3]);
  assert.match(asked[1].url, /cursor=c%2B1$/);
});

test('a list that is refused throws what the service said, without the token', async () => {
  const { client } = scripted(() => Response.json({ error: { code: 'FORBIDDEN', message: TOKEN, requestId: 'req_1', details: { x: 1 } } }, { status: 403 }));
  const { status, code, message, requestId, details } = await thrown(all(paginate(client, '/api/v1/boards')));
  assert.deepEqual([status, code, message, requestId, details], [403, 'FORBIDDEN', '***', 'req_1', { x: 1 }]);
});

/** Uploads a file of four bytes; the store of files answers with each status in turn. */
async function uploaded(...statuses) {
  const { client, asked } = scripted(made({ id: 'v', upload: { url: 'https://files.example/', fields: { key: 'k' } } }), made({ id: 'v', status: 'scanning' }));
  const sent = [];
  mock.method(globalThis, 'fetch', async (request) => {
    sent.push(request);
    return new Response(null, { status: statuses.length > 1 ? statuses.shift() : statuses[0] });
  });
  const file = new File(['%PDF'], 'Paper.pdf', { type: 'application/pdf' });
  return { asked, sent, version: upload(client, 'b', 'd', file).finally(() => mock.restoreAll()) };
}

test('an upload declares a file, sends it without the token, and completes it', async () => {
  const { asked, sent, version } = await uploaded(503, 204);
  assert.equal((await end(version)).status, 'scanning');
  assert.deepEqual(await asked[0].json(), {
    fileName: 'Paper.pdf', mimeType: 'application/pdf', size: 4, sha256: '315d429b7714cedb6ad04ac31240145257692630457f3c88253c5beceac76027',
  });
  assert.deepEqual(asked.map(({ url }) => url.split('/').slice(-2).join('/')), ['d/versions', 'v/complete']);
  for (const request of sent) {
    const form = await request.formData();
    assert.deepEqual([[...form.keys()], await form.get('file').text(), request.headers.get('Authorization')], [['key', 'file'], '%PDF', null]);
  }
  assert.equal(sent.length, 2);
});

test('an upload that the store of files refuses is not completed', async () => {
  const { asked, version } = await uploaded(403);
  assert.equal((await thrown(version)).code, 'UPLOAD_REFUSED');
  assert.equal(asked.length, 1);
});

test('a delivery that is not of the service, or old, is refused', async () => {
  for (const headers of [{}, { 'webhook-id': 'm', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' }, new Headers({ 'webhook-id': 'm' })]) {
    for (const secret of ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', '', '%']) await assert.rejects(verifyWebhook('{}', headers, secret), VerificationError);
  }
});

/** The frames that `live` yields where each connection plays a script: frames, at its end the number that it is closed with. */
function heard(...scripts) {
  const opened = [];
  globalThis.WebSocket = class {
    constructor(url, protocols) {
      const script = scripts.shift() ?? [1011];
      opened.push({ url, protocols, sent: [] });
      this.sent = opened.at(-1).sent;
      setImmediate(() => {
        this.onopen();
        for (const each of script) typeof each === 'number' ? this.onclose({ code: each }) : this.onmessage({ data: typeof each === 'string' ? each : JSON.stringify(each) });
      });
    }

    send(text) {
      this.sent.push(JSON.parse(text));
    }

    close() {}
  };
  const { client } = scripted(made({ ticket: 't', url: 'wss://live.example' }));
  return { opened, rings: all(live(client, 'b')) };
}

test('it joins the board by a ticket and yields its rings alone', async () => {
  const { opened, rings } = heard([JOINED, { ...RING, room: 'me' }, RING, { type: 'pong' }, REMOVED]);
  assert.deepEqual(await end(rings), [RING]);
  assert.deepEqual(opened, [{ url: 'wss://live.example', protocols: ['board-governance.v1', 'ticket.t'], sent: [{ action: 'join', room: ROOM }] }]);
});

test('after a gap it reconnects and yields one change without ids', async () => {
  const [first, changed, second, ...more] = await end(heard([JOINED, RING, 1001], [1011], [JOINED, RING, 4001]).rings);
  assert.deepEqual([first, second, more], [RING, RING, []]);
  assert.deepEqual([changed.event, changed.ids, changed.room], ['changed', {}, ROOM]);
});

test('an error of the channel, and what is no frame, is thrown', async () => {
  assert.equal((await thrown(heard([JOINED, { type: 'error', code: 'RESOURCE_NOT_FOUND', message: 'No.', room: ROOM }]).rings)).code, 'RESOURCE_NOT_FOUND');
  for (const frame of ['<html>', '[]', 'null', '{"type":']) assert.equal((await thrown(heard([JOINED, frame]).rings)).code, 'UNREADABLE_RESPONSE');
});

test('a channel that cannot be reached is an error at first, later after five connections', async () => {
  const never = heard([1006]);
  assert.equal((await thrown(never.rings)).code, 'NO_RESPONSE');
  const later = heard([JOINED, 1001]);
  assert.equal((await thrown(later.rings)).code, 'NO_RESPONSE');
  assert.deepEqual([never.opened.length, later.opened.length], [1, 5]);
});

test('a ticket that is refused is an error', async () => {
  const { client } = scripted(() => Response.json({ error: { code: 'INVALID_API_TOKEN', message: 'Ended.' } }, { status: 401 }));
  assert.equal((await thrown(all(live(client, 'b')))).status, 401);
  assert.equal((await thrown(all(live(scripted(LOST).client, 'b')))).code, 'NO_RESPONSE');
});
