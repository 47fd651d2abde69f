// What is read again when the live channel rings: what is on the screen and is concerned, each thing at most once a second.

import { timeNow } from './clock.js';

const PAUSE_MS = 1000;
const SPREAD_MS = 250; // all who hear a ring do not read in the same instant
const MOST_MS = 60_000;
const MANY = 'changed'; // the event of a ring that stands for several
const ENDED = 401; // the session: whoever acts is asked to sign in again

/**
 * Reads again. `shown()` returns what the page shows, as `{on, read, isHeld, ids}`: `read` has a `refresh` (see `Resource`) and
 * is concerned by rings whose event has one of the subjects `on` (`slot` of `slot.proposed`) and whose ids are not those of
 * something else than `ids`. While `isHeld()` it waits. `isSeen()` says whether the page is on the screen.
 */
export class Follower {
  #states = new WeakMap();

  constructor(shown, isSeen = () => true) {
    Object.assign(this, { shown, isSeen });
  }

  ring({ event, ids = {} }) {
    const [subject] = event.split('.');
    const isConcerned = ({ on }) => subject === MANY || on.includes(subject);
    for (const each of this.shown()) if (isConcerned(each) && fits(each.ids, ids)) this.#mark(each);
  }

  /** Something may have been missed: everything is read again. */
  again() {
    for (const each of this.shown()) this.#mark(each);
  }

  /** The page is on the screen again: what rang meanwhile is read. */
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
    const wait = Math.max(Math.random() * SPREAD_MS, state.last + state.wait - timeNow());
    state.timer = setTimeout(() => {
      state.timer = null;
      this.#read(each, state);
    }, wait);
  }

  async #read(each, state) {
    if (!this.isSeen() || !this.shown().some(({ read }) => read === each.read)) return;
    let isOver = false;
    state.last = timeNow();
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

/** Whether a ring can be about the same thing: no id of it is another than that which is shown. */
function fits(shown, rung) {
  return Object.entries(shown ?? {}).every(([name, id]) => !(name in rung) || rung[name] === id);
}
