// Sends a file straight to the bucket, by the form that the API gave for it.

import { Problem, noAnswer } from './problems.js';

const PATIENCE_MS = 3_600_000;

/** Returns the SHA-256 of a file, in hexadecimal digits. */
export async function sha256(file) {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Sends a file by its form; `progress` is called with the share that has been sent. Raises `Problem`. */
export function send({ url, fields }, file, progress, open = () => new XMLHttpRequest()) {
  const body = new FormData();
  Object.entries(fields).forEach(([name, value]) => body.append(name, value));
  body.append('file', file);
  return new Promise((resolve, reject) => {
    const request = open();
    request.open('POST', url);
    request.timeout = PATIENCE_MS;
    request.upload.addEventListener('progress', ({ loaded, total }) => progress(total ? loaded / total : 0));
    request.addEventListener('load', () => (request.status < 300 ? resolve() : reject(new Problem({ status: request.status, code: 'NOT_TAKEN' }))));
    request.addEventListener('error', () => reject(noAnswer(null, globalThis.navigator?.onLine ?? true)));
    request.addEventListener('timeout', () => reject(noAnswer({ name: 'TimeoutError' }, true)));
    request.send(body);
  });
}
