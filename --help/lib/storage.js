
const PROBE = 'board-governance.probe';

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

export const device = storageOf(globalThis, 'localStorage');
