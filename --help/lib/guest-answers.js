
const PREFIX = 'board-governance.guest ';
const KEPT_MS = 90 * 86_400_000;

export function lastingStorage(view = globalThis) {
  try {
    return view.localStorage ?? null;
  } catch {
    return null;
  }
}

export class GuestAnswers {
  #key;

  constructor(storage, key) {
    this.storage = storage;
    this.#key = key;
  }

  static async of(token, storage = lastingStorage(), now = Date.now()) {
    if (storage) forgetOld(storage, now);
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
    return new GuestAnswers(storage, PREFIX + [...new Uint8Array(digest).slice(0, 12)].map((byte) => byte.toString(16).padStart(2, '0')).join(''));
  }

  read() {
    return parsed(this.storage?.getItem(this.#key)) ?? { email: '', answers: {} };
  }

  keep(email, answers, now = Date.now()) {
    try {
      this.storage?.setItem(this.#key, JSON.stringify({ email, answers, at: now }));
    } catch {
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
