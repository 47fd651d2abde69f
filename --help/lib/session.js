
import { MemoryStorage } from './storage.js';

export const KEY = 'board-governance.session';

export class Session {
  #held;
  #renewal = null;
  #renewing = null;

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

  follow() {
    if (this.token && !this.stays) return;
    const credential = read(this.device);
    if (credential?.token === this.token) return;
    this.#held = credential;
    this.stays = Boolean(credential);
    this.onChange();
  }

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
