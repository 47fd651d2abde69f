// The credential of this tab: in memory and in session storage, never in an address.

const KEY = 'board-governance.session';

/** The person who is signed in here; `renewal` renews a session that has ended, where the provider allows it. */
export class Session {
  #held;
  #renewal = null;
  #renewing = null;

  constructor(storage, onChange = () => {}) {
    this.storage = storage;
    this.onChange = onChange;
    this.#held = read(storage);
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

  /** Holds `{token, refreshToken?, isByProvider?}` from now on. */
  hold(credential) {
    this.#keep(credential);
    this.onChange();
  }

  #keep(credential) {
    this.#held = credential;
    write(this.storage, credential);
  }

  forget() {
    this.#held = null;
    write(this.storage, null);
    this.onChange();
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
