// Checks in the browser that an entry is in the log that nobody can rewrite: by its hash, the proof and the log's signed checkpoint.

const PROOF = /^c2sp\.org\/tlog-proof@v1\nindex (\d+)\n((?:[A-Za-z0-9+/]{43}=\n)*)\n(.+)$/s;
const CHECKPOINT = /^(.+)\n(\d+)\n([A-Za-z0-9+/]{43}=)\n/;
const KEY_ID_BYTES = 4;

const bytesOf = (base64) => Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
const joined = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
const sha256 = async (...parts) => new Uint8Array(await crypto.subtle.digest('SHA-256', joined(...parts)));
const isSame = (one, other) => one.length === other.length && one.every((byte, at) => byte === other[at]);

/**
 * Returns what a proof shows: `{index, size, log, isIncluded, isSigned}`. `isIncluded` says whether the entry is in the tree of the
 * checkpoint, `isSigned` whether the log's key signed that; null where this browser knows no Ed25519. `key` is the text of `/log/key`.
 */
export async function checked({ entry, salt, proof }, key) {
  const [, index, hashes, note] = PROOF.exec(proof);
  const [, log, size, root] = CHECKPOINT.exec(note);
  const leaf = await sha256([0], await sha256(bytesOf(salt), new TextEncoder().encode(entry)));
  const path = hashes.split('\n').filter(Boolean).map(bytesOf);
  const found = await rootOf(leaf, Number(index), Number(size), path);
  return { index: Number(index), size: Number(size), log, isIncluded: Boolean(found) && isSame(found, bytesOf(root)), isSigned: await isSignedBy(note, key.trim()) };
}

/** Returns the root that a leaf and its path make (RFC 9162, 2.1.3.2); null where the path has another length. */
async function rootOf(leaf, index, size, path) {
  if (index >= size) return null;
  let [at, last, hash] = [index, size - 1, leaf];
  for (const sibling of path) {
    if (last === 0) return null;
    if (at % 2 === 1 || at === last) {
      hash = await sha256([1], sibling, hash);
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
    } else hash = await sha256([1], hash, sibling);
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 ? hash : null;
}

async function isSignedBy(note, key) {
  const [name, id] = key.split('+');
  const end = note.indexOf('\n\n');
  const line = note.slice(end + 2).split('\n').find((each) => each.startsWith(`— ${name} `));
  const signed = line ? bytesOf(line.split(' ')[2]) : new Uint8Array();
  const hex = [...signed.slice(0, KEY_ID_BYTES)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  if (!line || hex !== id || !note.startsWith(`${name}\n`)) return false;
  try {
    const publicKey = await crypto.subtle.importKey('raw', bytesOf(key.slice(name.length + id.length + 2)).slice(1), { name: 'Ed25519' }, false, ['verify']);
    return await crypto.subtle.verify({ name: 'Ed25519' }, publicKey, signed.slice(KEY_ID_BYTES), new TextEncoder().encode(note.slice(0, end + 1)));
  } catch (error) {
    if (error.name === 'NotSupportedError') return null;
    return false;
  }
}

/** Whether an entry, as it was logged, says what the page shows of it; a field that was not logged is no contradiction. */
export function says(logged, shown) {
  return Object.entries(JSON.parse(logged)).every(([name, value]) => sorted(value) === sorted(shown[name]));
}

function sorted(value) {
  return JSON.stringify(value, (_, each) => (each?.constructor === Object ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1))) : each));
}
