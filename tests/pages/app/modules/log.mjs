// A log that nobody can rewrite, in small: its key, and the proof of an entry as the API answers it.

import { createHash, generateKeyPairSync, sign } from 'node:crypto';

const sha256 = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest();
const [LEAF, NODE] = [Buffer.from([0]), Buffer.from([1])];
const LOG = 'governance.example.com/log';
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const typed = Buffer.concat([Buffer.from([1]), publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)]);
const keyId = sha256(Buffer.from(`${LOG}\n`), typed).subarray(0, 4);

/** The verifier key, as `/log/key` has it. */
export const KEY = `${LOG}+${keyId.toString('hex')}+${typed.toString('base64')}\n`;

const split = (size) => 2 ** Math.floor(Math.log2(size - 1));
const treeOf = (leaves) => (leaves.length === 1 ? leaves[0] : sha256(NODE, treeOf(leaves.slice(0, split(leaves.length))), treeOf(leaves.slice(split(leaves.length)))));

function pathOf(leaves, index) {
  if (leaves.length === 1) return [];
  const at = split(leaves.length);
  if (index < at) return [...pathOf(leaves.slice(0, at), index), treeOf(leaves.slice(at))];
  return [...pathOf(leaves.slice(at), index - at), treeOf(leaves.slice(0, at))];
}

/** Returns the proof of an entry, as number `index` of a log of a size. */
export function proven(entry, index = 2, size = 7) {
  const salt = Buffer.alloc(32, 7);
  const leaves = Array.from({ length: size }, (_, at) => sha256(LEAF, sha256(Buffer.from(`${at}`))));
  leaves[index] = sha256(LEAF, sha256(salt, Buffer.from(entry)));
  const note = `${LOG}\n${size}\n${treeOf(leaves).toString('base64')}\n`;
  const signed = `${note}\n— witness.example.com AAAA\n— ${LOG} ${Buffer.concat([keyId, sign(null, Buffer.from(note), privateKey)]).toString('base64')}\n`;
  const path = pathOf(leaves, index).map((hash) => `${hash.toString('base64')}\n`).join('');
  return { object: 'log_proof', entryId: JSON.parse(entry)._id, index, entry, salt: salt.toString('base64'), proof: `c2sp.org/tlog-proof@v1\nindex ${index}\n${path}\n${signed}` };
}
