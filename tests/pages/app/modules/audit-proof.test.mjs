// Tests of what the audit log says of an entry's place in the log that nobody can rewrite.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import './load.mjs';
import { bound, loadView, settled } from './rendered.mjs';

const ORIGIN = 'https://governance.example.com';
const NOTE = 'governance.example.com/log\n300\nAAAA\n\n— governance.example.com/log BBBB\n';
const PROOF = { entryId: 'e'.repeat(24), index: 42, entry: '{"action":"meetingCreate"}', salt: 'c2FsdA==', proof: `c2sp.org/tlog-proof@v1\nindex 42\nCCCC\n\n${NOTE}` };

/** Returns all texts of what a view shows. */
function words(shown) {
  if (Array.isArray(shown)) return shown.map(words).join(' ');
  return shown?.strings ? shown.strings.map((text, index) => text + words(shown.values[index])).join('') : String(shown ?? '');
}

/** Returns what is shown of an entry after its proof was asked for. */
async function checkedBy(answer) {
  globalThis.location = { origin: ORIGIN };
  const { CheckedBy } = await loadView('history/audit-proof');
  const asked = [];
  const api = { get: async (...request) => { asked.push(request); return answer; } };
  const view = new CheckedBy({ api, update() {} }, 'b', PROOF.entryId);
  const [open] = bound(view.render(), '@click');
  assert.deepEqual(asked, [], 'nothing is read before it is asked for');
  open();
  await settled();
  assert.deepEqual(asked, [['getLogProof', { params: { boardId: 'b', entryId: PROOF.entryId } }]]);
  return view.render();
}

test('an entry says which one of the log it is, and where the key is that an auditor takes', async () => {
  const shown = words(await checkedBy(PROOF));
  for (const part of ['entry 42 of the log governance.example.com/log', `${ORIGIN}/log/key`]) assert.ok(shown.includes(part), `${part}: ${shown}`);
});

test('what is saved is what the three steps need: the entry, its salt and the proof', async () => {
  const kept = [];
  globalThis.URL.createObjectURL = (blob) => { kept.push(blob); return 'blob:1'; };
  globalThis.URL.revokeObjectURL = () => {};
  const link = { click() {} };
  globalThis.document.createElement = () => link;
  const [save] = bound(await checkedBy(PROOF), '@click');
  save();
  assert.equal(link.download, `${PROOF.entryId}.json`);
  const { entry, salt, proof } = PROOF;
  assert.deepEqual(JSON.parse(await kept[0].text()), { entry, salt, proof });
});

test('an entry without a place in the log says that it is logged within a minute', async () => {
  const shown = await checkedBy({ ...PROOF, index: null, proof: null });
  assert.deepEqual(bound(shown, '@click'), []);
  assert.ok(words(shown).includes('within a minute'));
});
