// What a tab keeps for itself: in session storage, or in memory where the browser lets pages store nothing.

const PROBE = 'board-governance.probe';

/** Texts that last until the page is left. */
export class MemoryStorage {
  #held = new Map();

  getItem(key) {
    return this.#held.get(key) ?? null;
  }

  setItem(key, text) {
    this.#held.set(key, text);
  }

  removeItem(key) {
    this.#held.delete(key);
  }
}

/** Returns the session storage of a window, or memory: reading the property fails where site data are blocked. */
export function storageOf(view) {
  try {
    view.sessionStorage.setItem(PROBE, PROBE);
    view.sessionStorage.removeItem(PROBE);
    return view.sessionStorage;
  } catch {
    return new MemoryStorage();
  }
}

export const storage = storageOf(globalThis);
