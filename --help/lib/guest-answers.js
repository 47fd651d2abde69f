// What a guest answered, remembered on this device, so that it can be seen and changed later. The link itself is not kept.

import { timeNow } from './clock.js';

const PREFIX = 'board-governance.guest ';
const KEPT_MS = 90 * 86_400_000;

/** Returns the browser's lasting storage, or null where pages may store nothing. */
export function lastingStorage(view = globalThis) {
  try {
    return view.localStorage ?? null;
  } catch {
    return null;
  }
}

/** The address and the answers of a guest under one link: `{email, answers: {slotId: {vote, comment}}}`. */
export class GuestAnswers {
  #key;

  constructor(storage, key) {
    this.storage = storage;
    this.#key = key;
  }

  /** Opens what is remembered for a link, under a digest of its token; forgets what is three months old. */
  static async of(token, storage = lastingStorage(), now = timeNow()) {
    if (storage) forgetOld(storage, now);
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
    return new GuestAnswers(storage, PREFIX + [...new Uint8Array(digest).slice(0, 12)].map((byte) => byte.toString(16).padStart(2, '0')).join(''));
  }

  read() {
    return parsed(this.storage?.getItem(this.#key)) ?? { email: '', answers: {} };
  }

  keep(email, answers, now = timeNow()) {
    try {
      this.storage?.setItem(this.#key, JSON.stringify({ email, answers, at: now }));
    } catch {
      // A browser whose storage is full or closed forgets; the answers are with the board all the same.
    }
  }

  forget() {
    this.storage?.removeItem(this.#key);
  }
}

function forgetOld(storage, now) {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index));
  for (const key of keys) {
    if (key?.startsWith(PREFIX) && !(parsed(storage.getItem(key))?.at > now - KEPT_MS)) storage.removeItem(key);
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
