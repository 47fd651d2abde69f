// The connections of all tabs of this browser: one for each person, whatever the number of tabs (ADR following).

import { Connection } from './live-connection.js';

const PATIENCE_MS = 15_000;

/**
 * Speaks with tabs over ports. A tab says `{is: 'see', key, rooms, isHidden}` when it begins, when it shows another board and when
 * it is on the screen again, with `isAwake` after sleep and with a new credential, `{is: 'hide'}` when it is not on the screen any
 * more, `{is: 'ticket', id, given}` when it is asked, and `{is: 'bye'}`. `key` names who is signed in there. A tab hears what the
 * connection says, and `{is: 'ticket?', id}`.
 */
export class Hub {
  #groups = new Map();
  #asked = new Map();
  #last = 0;

  constructor(connect = (ticket, heard) => new Connection(ticket, heard)) {
    this.connect = connect;
  }

  add(port) {
    port.onmessage = ({ data }) => {
      if (data.is === 'ticket') this.#asked.get(data.id)?.(data);
      else if (data.is === 'bye') this.#remove(port);
      else if (data.is === 'hide') this.#hide(port);
      else if (data.is === 'see') this.#see(port, data);
    };
  }

  #see(port, { key, rooms, isHidden = false, isAwake = false }) {
    if (this.#groupOf(port)?.key !== key) this.#remove(port);
    const group = this.#groups.get(key) ?? this.#begin(key);
    group.tabs.set(port, { rooms, isHidden });
    this.#want(group);
    if (isAwake) group.connection.wake();
  }

  /** A tab that has said goodbye is hidden after that, and is none of a group. */
  #hide(port) {
    const group = this.#groupOf(port);
    if (!group) return;
    group.tabs.get(port).isHidden = true;
    this.#want(group);
  }

  #groupOf(port) {
    return [...this.#groups.values()].find(({ tabs }) => tabs.has(port));
  }

  #begin(key) {
    const group = { key, tabs: new Map() };
    this.#groups.set(key, group);
    group.connection = this.connect(() => this.#ticketFor(group), (heard) => [...group.tabs.keys()].forEach((port) => port.postMessage(heard)));
    return group;
  }

  #want({ tabs, connection }) {
    const all = [...tabs.values()];
    connection.want(new Set(all.flatMap(({ rooms }) => rooms)));
    connection.show(all.some(({ isHidden }) => !isHidden));
  }

  #remove(port) {
    const group = this.#groupOf(port);
    if (!group) return;
    group.tabs.delete(port);
    if (group.tabs.size) return this.#want(group);
    group.connection.stop();
    this.#groups.delete(group.key);
  }

  /** Asks the tab that came last; one that does not answer is gone. */
  async #ticketFor(group) {
    await null; // the tab that began the group is in it by then
    for (const port of [...group.tabs.keys()].reverse()) {
      const answer = await this.#ask(port);
      if (answer) return answer.given;
      this.#remove(port);
    }
    return undefined;
  }

  #ask(port) {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(null), PATIENCE_MS);
      this.#asked.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      port.postMessage({ is: 'ticket?', id });
    }).finally(() => this.#asked.delete(id));
  }
}
