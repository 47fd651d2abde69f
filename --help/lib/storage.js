// What the pages keep: for a tab, or for all tabs of the device; in memory where the browser lets pages store nothing.

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

/** Returns a storage of a window, or memory: reading the property fails where site data are blocked. */
export function storageOf(view, name = 'sessionStorage') {
  try {
    view[name].setItem(PROBE, PROBE);
    view[name].removeItem(PROBE);
    return view[name];
  } catch {
    return new MemoryStorage();
  }
}

export const storage = storageOf(globalThis);

/** What every tab of this browser shares. */
export const device = storageOf(globalThis, 'localStorage');
