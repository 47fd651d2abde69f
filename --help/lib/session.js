// The credential: in memory and in the browser's storage, of the tab or of the device, never in an address.

import { MemoryStorage } from './storage.js';

export const KEY = 'board-governance.session';

/** The person who is signed in here; `renewal` renews a session that has ended, where the provider allows it. */
export class Session {
  #held;
  #renewal = null;
  #renewing = null;

  /** `storage` is the tab's, `device` that of all tabs: who stays signed in is so in each of them. */
  constructor(storage, onChange = () => {}, device = new MemoryStorage()) {
    Object.assign(this, { storage, onChange, device });
    const ofTab = read(storage);
    this.stays = !ofTab && Boolean(read(device));
    this.#held = ofTab ?? read(device);
  }

  get token() {
    return this.#held?.token ?? null;
  }

  get refreshToken() {
    return this.#held?.refreshToken ?? null;
  }

  get isByProvider() {
    return Boolean(this.#held?.isByProvider);
  }

  get canRenew() {
    return Boolean(this.#renewal && this.refreshToken);
  }

  renewBy(renewal) {
    this.#renewal = renewal;
  }

  /** Holds `{token, refreshToken?, isByProvider?}` from now on: for this tab, or for all tabs of the device. */
  hold(credential, { stays = false } = {}) {
    this.stays = stays;
    this.#keep(credential);
    this.onChange();
  }

  #keep(credential) {
    this.#held = credential;
    write(this.storage, this.stays ? null : credential);
    if (this.stays || !credential) write(this.device, credential);
  }

  forget() {
    this.#keep(null);
    this.onChange();
  }

  /** Takes over what another tab did: it signed in, renewed the credential or signed out. A tab of its own stays as it is. */
  follow() {
    if (this.token && !this.stays) return;
    const credential = read(this.device);
    if (credential?.token === this.token) return;
    this.#held = credential;
    this.stays = Boolean(credential);
    this.onChange();
  }

  /**
   * Holds what is kept by now, after the page stood in the browser's cache and heard nothing of other pages. Returns whether that
   * is another credential than before.
   */
  recall() {
    const before = this.token;
    const ofTab = read(this.storage);
    this.#held = ofTab ?? read(this.device);
    this.stays = !ofTab && Boolean(this.#held);
    return this.token !== before;
  }

  /** Renews the credential once for all requests that were refused; returns whether the session goes on with a new one. */
  renew() {
    this.#renewing ??= this.#renewOnce().finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  async #renewOnce() {
    const renewed = this.#held;
    const ofDevice = this.stays ? read(this.device) : null;
    if (ofDevice && ofDevice.token !== renewed.token) { // another tab was faster; a refresh token may work only once
      this.#held = ofDevice;
      return true;
    }
    try {
      const credential = await this.#renewal(this.refreshToken);
      if (!credential || this.#held !== renewed) return false; // somebody signed out or in meanwhile
      this.#keep(credential);
      return true;
    } catch {
      return false;
    }
  }
}

function read(storage) {
  try {
    return JSON.parse(storage.getItem(KEY));
  } catch {
    return null;
  }
}

function write(storage, credential) {
  if (credential) storage.setItem(KEY, JSON.stringify(credential));
  else storage.removeItem(KEY);
}
