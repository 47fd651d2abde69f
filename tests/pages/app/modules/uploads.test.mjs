// Files are named by their endings, hashed, and sent by the form, whose fields come before the file.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { load } from './load.mjs';

const { send, sha256 } = await load('uploads');
const { ENDINGS, isPdf, isShown, typeOf } = await load('file-types');
const { schemas } = JSON.parse(readFileSync(new URL('../../../../openapi.json', import.meta.url))).components;

class FakeRequest extends EventTarget {
  upload = new EventTarget();

  constructor(answer) {
    super();
    this.answer = answer;
  }

  open(method, url) {
    Object.assign(this, { method, url });
  }

  send(body) {
    this.body = body;
    this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded: 1, total: 4 }));
    this.status = Number(this.answer) || 0;
    this.dispatchEvent(new Event(this.status ? 'load' : this.answer));
  }
}

const FORM = { url: 'https://files.example/', fields: { key: 'k', policy: 'p' } };

test('the types of files are those that the API accepts', () => {
  const types = new Set(ENDINGS.split(',').map((ending) => typeOf(`x${ending}`)));
  assert.deepEqual([...types].sort(), [...schemas.FileType.enum].sort());
  for (const name of ['x.html', 'x.svg', 'x.exe', 'x', 'pdf', 'x.pdf.js']) assert.equal(typeOf(name), '', name);
  assert.equal(typeOf('A.b.PDF'), 'application/pdf');
  for (const [name, stated, type] of [
    ['a.csv', 'application/vnd.ms-excel', 'text/csv'], ['a.csv', '', 'text/csv'], ['a.docx', 'application/zip', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['a.JFIF', 'image/pjpeg', 'image/jpeg'], ['Minutes 3.12', 'application/pdf', 'application/pdf'], ['scan', 'image/jpeg', 'image/jpeg'],
    ['page', 'text/html', ''], ['a.exe', 'application/pdf', ''], ['a', '', ''], ['a', 'toString', ''],
  ]) assert.equal(typeOf(name, stated), type, `${name} ${stated}`);
});

test('what a browser would run is not shown', () => {
  assert.deepEqual([...schemas.FileType.enum].filter(isShown), ['application/pdf', 'image/jpeg', 'image/png', 'image/webp', 'text/plain']);
  assert.ok(isPdf('application/pdf') && !isPdf('image/png'));
});

test('a checksum has 64 hexadecimal digits', async () => {
  assert.equal(await sha256(new Blob(['abc'])), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('the file is the last field of the form, and its progress is told', async () => {
  const [request, told] = [new FakeRequest(204), []];
  await send(FORM, new Blob(['abc']), (share) => told.push(share), () => request);
  assert.deepEqual([request.method, request.url], ['POST', FORM.url]);
  assert.deepEqual([...request.body.keys()], ['key', 'policy', 'file']);
  assert.deepEqual(told, [0.25]);
});

test('a file that is refused, cut off or never answered is a problem', async () => {
  const sent = (answer) => send(FORM, new Blob(['abc']), () => {}, () => new FakeRequest(answer));
  for (const status of [300, 403]) await assert.rejects(sent(status), { status, code: 'NOT_TAKEN' });
  await assert.rejects(sent('error'), { status: 0, code: 'NO_CONNECTION' });
  await assert.rejects(sent('timeout'), { status: 0, code: 'NO_ANSWER' });
});
