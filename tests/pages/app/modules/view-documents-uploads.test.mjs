// Files on their way to the bucket, and the way back from the provider.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';
import { appOf, loadView, settled } from './rendered.mjs';

const { Problem } = await load('problems');

// -- files on their way

class FakeUpload {
  static sent = 0;

  static statuses = [];

  upload = { addEventListener() {} };

  #heard = {};

  addEventListener(name, heard) {
    this.#heard[name] = heard;
  }

  open() {}

  send() {
    FakeUpload.sent += 1;
    this.status = FakeUpload.statuses.shift() ?? 204;
    this.#heard.load();
  }
}

async function uploadOf(complete, statuses = []) {
  globalThis.XMLHttpRequest = FakeUpload;
  Object.assign(FakeUpload, { sent: 0, statuses });
  const { Uploads } = await loadView('documents/file-uploads');
  const app = appOf({
    createDocumentVersion: () => ({ id: 'v', upload: { url: 'https://bucket.test', fields: {} } }),
    completeDocumentVersion: () => complete.shift()(),
  });
  const arrived = [];
  const uploads = new Uploads(app, async () => ({}), (version) => arrived.push(version.status));
  await uploads.begin([new File(['%PDF-1.7'], 'Paper.pdf')]);
  const [upload] = uploads.begun;
  return { arrived, upload, declared: () => app.asked.filter(([name]) => name === 'createDocumentVersion').length };
}

const refused = (status) => () => { throw new Problem({ status }); };
const ready = () => ({ status: 'ready' });

test('a file that is in the bucket is not sent again where only its completion failed', async () => {
  const { arrived, upload, declared } = await uploadOf([refused(503), ready]);
  await upload.act.retry();
  assert.deepEqual([arrived, FakeUpload.sent, declared()], [['ready'], 1, 1]);
});

test('a file that did not arrive as it was declared is declared and sent again', async () => {
  const { arrived, upload, declared } = await uploadOf([refused(409), ready]);
  await upload.act.retry();
  assert.deepEqual([arrived, FakeUpload.sent, declared()], [['ready'], 2, 2]);
});

test('a file that the bucket refused is declared again, for its form may be over', async () => {
  const { arrived, upload, declared } = await uploadOf([ready], [403]);
  await upload.act.retry();
  assert.deepEqual([arrived, FakeUpload.sent, declared()], [['ready'], 2, 2]);
});

// -- the way back from the provider

test('the code is out of the address before anybody is asked about it', async () => {
  const { default: create } = await loadView('account/callback');
  const happened = [];
  globalThis.location = { href: 'https://pages.test/app/callback?code=c&state=s' };
  globalThis.history = { replaceState: (_state, _title, address) => happened.push(address) };
  create({ update() {}, provider: async () => (happened.push('provider'), null) });
  await settled();
  assert.deepEqual(happened, ['/app/callback', 'provider']);
});
