
const PAUSE_MS = 1000;
const SPREAD_MS = 250; // all who hear a ring do not read in the same instant
const MOST_MS = 60_000;
const ENDED = 401; // the session: whoever acts is asked to sign in again

export class Follower {
  #states = new WeakMap();

  constructor(shown, isSeen = () => true) {
    Object.assign(this, { shown, isSeen });
  }

  ring({ event, ids = {} }) {
    const [subject] = event.split('.');
    for (const each of this.shown()) if (each.on.includes(subject) && fits(each.ids, ids)) this.#mark(each);
  }

  again() {
    for (const each of this.shown()) this.#mark(each);
  }

  seen() {
    for (const each of this.shown()) if (this.#stateOf(each).isStale) this.#plan(each);
  }

  #stateOf({ read }) {
    if (!this.#states.has(read)) this.#states.set(read, { isStale: false, isReading: false, timer: null, last: -Infinity, wait: PAUSE_MS });
    return this.#states.get(read);
  }

  #mark(each) {
    this.#stateOf(each).isStale = true;
    this.#plan(each);
  }

  #plan(each) {
    const state = this.#stateOf(each);
    if (!this.isSeen() || state.timer || state.isReading) return;
    const wait = Math.max(Math.random() * SPREAD_MS, state.last + state.wait - Date.now());
    state.timer = setTimeout(() => {
      state.timer = null;
      this.#read(each, state);
    }, wait);
  }

  async #read(each, state) {
    if (!this.isSeen() || !this.shown().some(({ read }) => read === each.read)) return;
    let isOver = false;
    state.last = Date.now();
    if (!each.isHeld?.()) {
      Object.assign(state, { isStale: false, isReading: true });
      try {
        state.isStale ||= !(await each.read.refresh());
        state.wait = PAUSE_MS;
      } catch (error) {
        Object.assign(state, { isStale: true, wait: Math.min(MOST_MS, state.wait * 2) });
        if (error.status === ENDED) isOver = true;
      }
      state.isReading = false;
    }
    if (state.isStale && !isOver) this.#plan(each);
  }
}

function fits(shown, rung) {
  return Object.entries(shown ?? {}).every(([name, id]) => !(name in rung) || rung[name] === id);
}
