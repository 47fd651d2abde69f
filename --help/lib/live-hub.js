
import { Connection } from './live-connection.js';

const PATIENCE_MS = 15_000;

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
      else if (data.is === 'see') this.#see(port, data);
    };
  }

  #see(port, { key, rooms, isAwake = false }) {
    if (this.#groupOf(port)?.key !== key) this.#remove(port);
    const group = this.#groups.get(key) ?? this.#begin(key);
    group.rooms.set(port, rooms);
    this.#want(group);
    if (isAwake) group.connection.wake();
  }

  #groupOf(port) {
    return [...this.#groups.values()].find(({ rooms }) => rooms.has(port));
  }

  #begin(key) {
    const group = { key, rooms: new Map() };
    this.#groups.set(key, group);
    group.connection = this.connect(() => this.#ticketFor(group), (heard) => [...group.rooms.keys()].forEach((port) => port.postMessage(heard)));
    return group;
  }

  #want({ rooms, connection }) {
    connection.want(new Set([...rooms.values()].flat()));
  }

  #remove(port) {
    const group = this.#groupOf(port);
    if (!group) return;
    group.rooms.delete(port);
    if (group.rooms.size) return this.#want(group);
    group.connection.stop();
    this.#groups.delete(group.key);
  }

  async #ticketFor(group) {
    await null; // the tab that began the group is in it by then
    for (const port of [...group.rooms.keys()].reverse()) {
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
      this.#asked.set(id, (answer) => resolve(answer, clearTimeout(timer)));
      port.postMessage({ is: 'ticket?', id });
    }).finally(() => this.#asked.delete(id));
  }
}
