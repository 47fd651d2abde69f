// The sealed file of approved minutes on the meeting's page: made, shown, and taken back signed.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ME, at, example, open } from './screen.mjs';

const HERE = at('meetings/:id');
const DOCUMENT = { ...example('createMinutesDocument'), latestVersionId: null };
const APPROVED = { ...example('approveMinutes'), version: 2, signatures: [] };

/** Opens a finalized meeting whose minutes are approved, and its sealed files. */
async function opened(documents, answers = {}, options = {}) {
  const screen = await open(HERE, {
    getMeeting: { ...example('getMeeting'), status: 'finalized' }, getMinutes: { ...example('getMinutes'), status: 'final' }, getMinutesApproval: APPROVED,
    getMinutesSigners: { ...example('getMinutesSigners'), signers: [{ userId: ME.id, role: 'Chair' }] }, listMinutesRemarks: [],
    listDocuments: documents, ...answers,
  }, options);
  await screen.until(() => screen.one('#sealed-file'));
  screen.one('#sealed-file').open = true;
  return screen;
}

test('a manager makes the sealed file in two clicks, after a question, and sees that it is being made', async () => {
  let made = [];
  const screen = await opened(() => made, { createMinutesDocument: () => { made = [DOCUMENT]; return DOCUMENT; } });
  await screen.sees('There is no sealed file yet.');
  await screen.click('Make the sealed file', '#sealed-file');
  assert.match(screen.text('.confirm-box[open]'), /every member of the board can read/);
  assert.deepEqual(screen.sent, []);
  await screen.click('Make the sealed file', '.confirm-box[open]');
  await screen.sees('is being made');
  assert.deepEqual(screen.sent, [['createMinutesDocument']]);
  assert.match(screen.text('#sealed-file'), /not a qualified electronic signature/);
});

test('a file that could not be made says why, and is made again in two clicks', async () => {
  const failed = { ...example('listDocumentVersions')[0], status: 'failed', size: null, reason: 'The log did not take the approval in a day.' };
  const later = { ...DOCUMENT, id: 'b'.repeat(24) };
  let made = [DOCUMENT];
  const screen = await opened(() => made, {
    listDocumentVersions: ({ params }) => [params.documentId === DOCUMENT.id ? failed : { ...failed, status: 'uploading', reason: null }],
    createMinutesDocument: () => { made = [later, DOCUMENT]; return later; },
  });
  await screen.sees('could not be made: The log did not take the approval in a day.', '#sealed-file');
  assert.doesNotMatch(screen.text('#sealed-file'), /is being made/);
  await screen.click('Make the sealed file again', '#sealed-file');
  await screen.click('Make the sealed file again', '.confirm-box[open]');
  await screen.sees('is being made', '#sealed-file');
  assert.deepEqual(screen.sent, [['createMinutesDocument']]);
  assert.ok(screen.offered('#sealed-file').includes('Make the sealed file'), 'the newest one has not failed');
});

test('a copy that was signed elsewhere is taken once a file is ready, by managers alone', async () => {
  const ready = await opened([{ ...DOCUMENT, latestVersionId: 'a'.repeat(24) }]);
  await ready.sees('Signed elsewhere');
  assert.ok(ready.one('#sealed-file #signed-choose'), 'its input has a name of its own: the papers of the meeting have one, too');
  const waiting = await opened([DOCUMENT]);
  await waiting.sees('is being made');
  assert.equal(waiting.one('#signed-choose'), null);
  const reader = await opened([{ ...DOCUMENT, latestVersionId: 'a'.repeat(24) }], {}, { may: (name) => name !== 'createMinutesDocument' });
  await reader.sees(DOCUMENT.title, '#sealed-file a');
  assert.equal(reader.one('#signed-choose'), null);
  assert.ok(!reader.offered('#sealed-file').includes('Make the sealed file'));
});
