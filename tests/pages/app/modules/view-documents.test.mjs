// Documents, their files, their comments, and the papers of a meeting.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ME, at, example, open, refusal, settled } from './screen.mjs';

const DOCUMENT = { ...example('getDocument'), title: 'Rules' };
const OWN = { ...example('listDocumentComments')[0], authorUserId: ME.id };
const VERSION = { ...example('listDocumentVersions')[0], status: 'ready', mimeType: 'text/plain', fileName: 'Rules.txt' };

/** Drops files on an element. */
async function drop(screen, target, ...files) {
  for (const type of ['dragover', 'drop']) target.dispatchEvent(Object.assign(new Event(type, { bubbles: true, cancelable: true }), { dataTransfer: { types: ['Files'], files } }));
  await settled();
}

test('a document is renamed and deleted by those who may, and others are offered to read it', async () => {
  const screen = await open(at('documents/:id'), { getDocument: DOCUMENT, updateDocument: ({ body }) => ({ ...DOCUMENT, ...body }), listDocumentVersions: [VERSION] });
  await screen.click('Edit');
  await screen.open('.disclosure');
  await screen.fill('#document-title', 'Rules of the board');
  await screen.click('Save');
  assert.equal(screen.text('h1'), 'Rules of the board');
  await screen.open('.menu');
  await screen.confirm('Delete', 'Delete the document');
  assert.deepEqual([screen.sent.map(([name]) => name), screen.gone], [['updateDocument', 'deleteDocument'], [at('documents')]]);
  const reader = await open(at('documents/:id'), { listDocumentVersions: [VERSION] }, { may: () => false });
  assert.deepEqual(reader.offered(), ['Read Rules.txt', 'Download Rules.txt']);
  assert.equal(reader.one('.drop'), null);
});

test('what is no paper is refused before it is sent', async () => {
  const screen = await open(at('documents/:id'), { listDocumentVersions: [] });
  assert.match(screen.text(), /There is no file yet\./);
  await drop(screen, screen.one('.drop'), new File(['<script>'], 'page.html'));
  assert.match(screen.text(), /Files of this kind are not accepted/);
  await screen.click('Remove');
  await drop(screen, screen.one('.drop'), new File([], 'empty.pdf'));
  assert.match(screen.text(), /The file is empty\./);
  assert.deepEqual(screen.sent, []);
});

test('a file is read in a frame without rights, but a PDF in one that may show it; a deleted file is gone', async () => {
  const versions = [VERSION, { ...VERSION, id: 'v2', fileName: 'Rules.pdf', mimeType: 'application/pdf' }];
  const screen = await open(at('documents/:id'), { listDocumentVersions: versions });
  for (const [name, sandbox] of [['Rules.txt', ''], ['Rules.pdf', null]]) {
    await screen.click(`Read ${name}`);
    const frame = screen.one('.viewer iframe');
    assert.deepEqual([frame.getAttribute('sandbox'), frame.getAttribute('src')], [sandbox, example('getDocumentVersionContent').url]);
  }
  await screen.click('Close');
  assert.equal(screen.one('.viewer'), null);
  await screen.open('.file .menu');
  await screen.confirm('Delete', 'Delete the file', '.file');
  assert.equal(screen.all('.file').length, 1);
});

test('an author changes and deletes a comment; an admin deletes what others wrote and changes none of it', async () => {
  const other = { ...OWN, id: 'c2', authorUserId: 'somebody', text: 'Indeed.', replyToId: OWN.id };
  const screen = await open(at('documents/:id'), { listDocumentComments: [OWN, other], updateDocumentComment: ({ body }) => ({ ...OWN, ...body }) });
  await screen.open('#comments');
  await screen.until(() => screen.all('.talk > li').length === 2);
  const own = `#comment-${OWN.id}`;
  await screen.open(`${own} .menu`);
  await screen.open(`${own} .menu .disclosure`);
  await screen.fill(`${own} .menu textarea`, 'First');
  await screen.click('Save', own);
  assert.match(screen.text(own), /First/);
  await screen.open('#comment-c2 .menu');
  assert.equal(screen.text('#comment-c2 .menu-box'), 'Delete');
  await screen.open(`${own} .menu`);
  await screen.confirm('Delete', 'Delete the comment', own);
  assert.match(screen.text('#comments'), /In reply to a comment that was deleted/);
  assert.deepEqual(screen.sent, [['updateDocumentComment', { text: 'First' }], ['deleteDocumentComment']]);
});

test('a comment tells whom it names, and an answer says to what', async () => {
  const screen = await open(at('documents/:id'), { listDocumentComments: [OWN], createDocumentComment: ({ body }) => ({ ...OWN, id: body.text, mentions: [], ...body }) });
  await screen.open('#comments');
  await screen.until(() => screen.one('.talk'));
  const form = '#comments .talk ~ .disclosure';
  await screen.open(form);
  await screen.fill(`${form} textarea`, 'Who explains this?');
  await screen.open(`${form} details`);
  await screen.fill(`${form} [name=mentions]`, true);
  await screen.click('Send', form);
  const [[, { text, mentions }]] = screen.sent;
  assert.deepEqual([text, mentions.length], ['Who explains this?', 1]);
  await screen.open(`#comment-${OWN.id} .row.no-print .disclosure`);
  await screen.fill(`#comment-${OWN.id} .row.no-print textarea`, 'I do.');
  await screen.click('Send', `#comment-${OWN.id}`);
  assert.equal(screen.sent[1][1].replyToId, OWN.id);
  await screen.sees('In reply to');
});

class Upload { upload = { addEventListener() {} }; heard = {}; status = 204; addEventListener(name, heard) { this.heard[name] = heard; } open() {} send() { this.heard.load(); } }

test('a file that makes a second document of a name leads to the first one', async () => {
  globalThis.XMLHttpRequest = Upload;
  const [first] = example('listDocuments');
  const screen = await open(at('documents'), { listDocuments: [{ ...first, title: 'Budget 2031' }], createDocument: { ...DOCUMENT, id: 'second' } });
  const send = async (name) => {
    await drop(screen, screen.one('.drop'), new File(['a,b'], name));
    await screen.until(() => screen.said.some((words) => words.includes(name)));
  };
  await send('Accounts 2031.csv');
  assert.doesNotMatch(screen.text(), /Two documents have this name/);
  await send('Budget 2031.csv');
  assert.match(screen.text(), /Two documents have this name now\./);
  assert.equal(screen.one('[role=status] a').getAttribute('href'), at(`documents/${first.id}`));
});

test('a file that is dropped on an item of the agenda is its paper; a document of the meeting is placed on it', async () => {
  globalThis.XMLHttpRequest = Upload;
  const items = example('getAgenda').items.map((item) => ({ ...item, documentIds: [] }));
  const screen = await open(at('meetings/:id'), { getAgenda: { items }, listSlots: [], createDocument: { ...DOCUMENT, id: 'paper' }, getMinutes: () => { throw refusal(404); } });
  await drop(screen, screen.all('.agenda > li')[1], new File(['a,b'], 'Accounts 2031.csv'));
  await screen.until(() => screen.sent.some(([name]) => name === 'putAgenda'));
  const sent = Object.fromEntries(screen.sent);
  assert.deepEqual([sent.createDocument.title, sent.createDocumentVersion.mimeType], ['Accounts 2031', 'text/csv']);
  assert.deepEqual(sent.putAgenda.items.map(({ documentIds }) => documentIds), [[], ['paper']]);
  screen.sent.length = 0;
  await screen.fill('#documents .place', 'new');
  assert.deepEqual(screen.sent.map(([name, { items: placed }]) => [name, placed.length]), [['putAgenda', items.length + 1]]);
});

test('the papers are read in the order of the agenda, by buttons and arrow keys', async () => {
  const items = [{ title: 'Opening', documentIds: ['p1'] }, { title: 'Accounts', documentIds: ['p2', 'p3'] }];
  const screen = await open(at('meetings/:id/papers'), {
    getAgenda: { items }, listDocumentVersions: ({ params }) => (params.documentId === 'p3' ? [] : [VERSION]),
    getDocument: ({ params }) => ({ ...DOCUMENT, title: { p1: 'First', p2: 'Second', p3: 'Elsewhere' }[params.documentId], latestVersionId: params.documentId === 'p3' ? null : VERSION.id }),
  });
  const press = async (key) => { document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })); await settled(); };
  await screen.sees('First 1. Opening · 1 of 3');
  await screen.click('Next paper');
  await screen.sees('Second 2. Accounts · 2 of 3');
  await press('ArrowRight');
  await screen.sees('Elsewhere 2. Accounts · 3 of 3');
  await screen.sees('This paper is not shown here.');
  await press('ArrowRight');
  await press('ArrowLeft');
  await screen.sees('Second 2. Accounts · 2 of 3');
  assert.deepEqual(screen.gone.at(-1), { paper: 'p2' });
});
