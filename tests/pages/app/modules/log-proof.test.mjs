// Tests of what the pages check of an entry's place in the log that nobody can rewrite.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';
import { KEY, proven } from './log.mjs';

const { checked, says } = await load('log-proof');
const ENTRY = '{"_id":"e","action":"meetingCreate","details":{"id":"m","title":"Spring"}}';
const verdict = async (proof, key = KEY) => {
  const { isIncluded, isSigned } = await checked(proof, key);
  return [isIncluded, isSigned];
};

test('an entry of a log of any size is found in it, and the log’s key has signed that', async () => {
  for (let size = 1; size < 12; size += 1) {
    for (let index = 0; index < size; index += 1) assert.deepEqual(await verdict(proven(ENTRY, index, size)), [true, true], `${index} of ${size}`);
  }
  const { index, size, log } = await checked(proven(ENTRY), KEY);
  assert.deepEqual([index, size, log], [2, 7, 'governance.example.com/log']);
});

test('another entry, salt, index or path is not in the log', async () => {
  const proof = proven(ENTRY);
  const [, , first, second] = proof.proof.split('\n');
  const others = [
    { ...proof, entry: ENTRY.replace('Spring', 'Summer') }, { ...proof, salt: Buffer.alloc(32).toString('base64') },
    { ...proof, proof: proof.proof.replace('index 2', 'index 3') }, { ...proof, proof: proof.proof.replace('index 2', 'index 7') },
    { ...proof, proof: proof.proof.replace(`${first}\n`, '') }, { ...proof, proof: proof.proof.replace(`${first}\n`, `${first}\n${second}\n`) },
  ];
  for (const other of others) assert.equal((await checked(other, KEY)).isIncluded, false);
});

test('a checkpoint that another key has signed, or that was changed, is not signed', async () => {
  const proof = proven(ENTRY);
  const [name, id, bytes] = KEY.trim().split(/\+(.{8})\+/);
  assert.deepEqual(await verdict(proof, `${name}+00000000+${bytes}`), [true, false]);
  const other = Buffer.from(bytes, 'base64');
  other[5] ^= 1;
  assert.deepEqual(await verdict(proof, `${name}+${id}+${other.toString('base64')}`), [true, false]);
  assert.equal((await checked({ ...proof, proof: proof.proof.replace('\n7\n', '\n8\n') }, KEY)).isSigned, false);
  assert.equal((await checked({ ...proof, proof: proof.proof.replace(`\n${name}\n`, '\nother.example.com/log\n') }, KEY)).isSigned, false, 'a checkpoint of another log');
});

test('an entry says what was logged if every field that was logged is the same, in any order', () => {
  const shown = { action: 'meetingCreate', _id: 'e', details: { title: 'Spring', id: 'm' }, changes: [] };
  assert.ok(says(ENTRY, shown));
  for (const other of [{ ...shown, action: 'meetingDelete' }, { ...shown, details: { title: 'Spring' } }, { ...shown, details: { ...shown.details, more: 1 } }]) assert.ok(!says(ENTRY, other));
});
