// Delivering a paper by the link of a mail: what the page says of each state, in which order a file is sent, and what is refused in words.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';
import { open as shown, refusal, settled } from './screen.mjs';

const { setAccountZone } = await load('dates');

const SLOT = { object: 'paper_slot', title: 'Forecast', dueAt: '2026-11-27T17:00:00.000Z', instructions: 'Two pages.\nWith figures.', status: 'requested', note: null, files: [] };
const OF_THE_FRAME = ['getMe', 'listNotifications'];
const FILE = { fileName: 'Forecast.pdf', size: 184_320, status: 'ready' };
const open = (getPaperSlot, answers = {}) => shown('/paper/T', { getPaperSlot, ...answers });
const state = (screen) => screen.text('.notice[role=status]');
const asked = (screen) => screen.asked.map(([name]) => name).filter((name) => !OF_THE_FRAME.includes(name));
const gone = () => { throw refusal(404); };

class Bucket {
  static sent = [];

  upload = { addEventListener() {} };

  status = 204;

  #heard = {};

  addEventListener(name, heard) {
    this.#heard[name] = heard;
  }

  open(_, url) {
    Bucket.sent.push(url);
  }

  send() {
    this.#heard.load();
  }
}

/** Drops files on the place for them. */
async function drop(screen, ...names) {
  globalThis.XMLHttpRequest = Bucket;
  Bucket.sent.length = 0;
  const files = names.map((name) => new File(['%PDF-1.7'], name));
  screen.one('.drop').dispatchEvent(Object.assign(new Event('drop', { bubbles: true, cancelable: true }), { dataTransfer: { files } }));
  await settled();
  await screen.until(() => !screen.view.uploads.begun.some(({ act }) => act.isBusy));
  await settled();
}

test('the page says what is asked for by when in the zone of the reader, and asks the API for nothing else', async () => {
  setAccountZone('Asia/Tokyo');
  const screen = await open(SLOT);
  assert.equal(screen.text('h1'), 'Forecast');
  assert.match(screen.text(), /Due Sat,? 28 Nov 2026, 02:00 Times are in your zone, Asia\/Tokyo\./);
  setAccountZone(null);
  assert.equal(screen.one('.said').textContent, SLOT.instructions);
  assert.equal(state(screen), 'Nothing is delivered yet.');
  assert.deepEqual([screen.all('.files'), asked(screen)], [[], ['getPaperSlot']]);
  assert.equal(screen.one('.pill'), null);
});

test('a paper that is late is said to be, until it is delivered', async () => {
  const late = { ...SLOT, dueAt: '2026-11-20T17:00:00.000Z' };
  assert.equal((await open(late)).text('.pill'), 'Overdue');
  assert.equal((await open({ ...late, status: 'delivered' })).one('.pill'), null);
});

test('one choice of a file delivers it: it is declared, sent to the bucket and completed, and the page shows what came of it', async () => {
  let slot = SLOT;
  const screen = await open(() => slot, {
    createPaperSlotVersion: { id: 'v1', upload: { url: 'https://bucket.test', fields: {} } },
    completePaperSlotVersion: ({ params }) => {
      assert.deepEqual([{ ...params }, Bucket.sent], [{ paperToken: 'T', versionId: 'v1' }, ['https://bucket.test']]);
      slot = { ...SLOT, status: 'delivered', files: [FILE] };
      return { id: 'v1', status: 'ready' };
    },
  });
  assert.deepEqual(screen.all('.drop label').map(({ htmlFor }) => htmlFor), [screen.one('input[type=file]').id]);
  assert.equal(screen.one('input[type=file]').multiple, false);
  await drop(screen, 'Forecast.pdf');
  const [[declared, { fileName, mimeType, size }], [completed]] = screen.sent;
  assert.deepEqual([declared, fileName, mimeType, size, completed], ['createPaperSlotVersion', 'Forecast.pdf', 'application/pdf', 8, 'completePaperSlotVersion']);
  assert.deepEqual(asked(screen), ['getPaperSlot', 'createPaperSlotVersion', 'completePaperSlotVersion', 'getPaperSlot']);
  assert.match(state(screen), /^Your paper is delivered and is being reviewed/);
  assert.match(screen.text('.files'), /Forecast\.pdf Latest 184\.3 kB · received/);
  assert.deepEqual(screen.said, ['Forecast.pdf is uploaded.']);
});

test('what was delivered can be replaced: the latest file that arrived is marked', async () => {
  const files = [{ ...FILE, fileName: 'Third.pdf', status: 'rejected' }, { ...FILE, fileName: 'Second.pdf' }, { ...FILE, fileName: 'First.pdf' }];
  const screen = await open({ ...SLOT, status: 'delivered', files });
  const shownFiles = screen.all('.files li').map((row) => row.textContent.replace(/\s+/g, ' ').trim());
  assert.match(shownFiles[0], /^Third\.pdf 184\.3 kB · did not pass the scan for malware/);
  assert.match(shownFiles[1], /^Second\.pdf Latest/);
  assert.match(shownFiles[2], /^First\.pdf 184/);
  assert.match(screen.text(), /Deliver a newer file/);
  assert.ok(screen.one('.drop input'));
});

test('a paper that was returned says why, and takes a new file', async () => {
  const screen = await open({ ...SLOT, status: 'returned', note: 'The figures\nof May', files: [FILE] });
  assert.equal(state(screen), 'The paper was returned to you. Deliver a new file.');
  assert.equal(screen.one('.quote').textContent, 'The figures\nof May');
  assert.ok(screen.one('.drop input'));
});

test('a file that is scanned is not delivered yet, and the page looks again when it is asked to', async () => {
  let slot = { ...SLOT, files: [{ ...FILE, status: 'scanning' }] };
  const screen = await open(() => slot);
  assert.match(state(screen), /^Your file has arrived and is being scanned for malware/);
  slot = { ...SLOT, status: 'delivered', files: [FILE] };
  await screen.click('Check again');
  await screen.sees('Your paper is delivered');
  assert.ok(!screen.offered().includes('Check again'));
});

test('a link that has ended says what to do, also where it ended while a file was sent', async () => {
  const ended = /^This link does not work ?It has ended.*ask the person who asked you for the paper\.$/;
  const before = await open(gone);
  assert.match(before.text(), ended);
  assert.equal(before.view.title(), 'This link does not work');
  const meanwhile = await open(SLOT, { createPaperSlotVersion: gone });
  await drop(meanwhile, 'Forecast.pdf');
  assert.match(meanwhile.text(), ended);
  assert.deepEqual(Bucket.sent, []);
});

test('a file that cannot be taken is refused in words, and nothing is sent', async () => {
  const screen = await open(SLOT);
  await drop(screen, 'One.pdf', 'Two.pdf');
  assert.match(screen.text('.problem'), /^Drop one file at a time/);
  await drop(screen, 'Forecast.exe');
  assert.match(screen.text('.problem'), /^Files of this kind are not accepted/);
  assert.deepEqual([screen.sent, Bucket.sent], [[], []]);
  const decided = await open(SLOT, { createPaperSlotVersion: () => { throw refusal(409, { reason: 'DECIDED' }); } });
  await drop(decided, 'Forecast.pdf');
  assert.match(decided.text('.problem'), /The paper is approved, or it is not needed any more\./);
});
