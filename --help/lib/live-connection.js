// One connection to the live channel: the rooms that it is in, and how it comes back. It says what it hears, nothing of itself.

import { timeNow } from './clock.js';

const PROTOCOL = 'board-governance.v1';
const TICK_MS = 15_000;
const QUIET_MS = 540_000; // the platform closes what is silent for ten minutes
const ASLEEP_MS = 90_000; // timers of a hidden page come once a minute
const PATIENCE_MS = 10_000;
const STEADY_MS = 60_000;
const LEAST_MS = 1000;
const MOST_MS = 60_000;
const LATER = ['RATE_LIMITED', 'LIMIT_REACHED'];

/**
 * Joins the rooms that are wanted, for as long as it is wanted itself. While no tab is on the screen it is not kept: it ends where
 * it would have to ping, a lost one does not come back, and it comes back when it is shown. It says to `heard`: `{is: 'ring', ring}`; `{is: 'joined',
 * room}`; `{is: 'left', room}` of a room that the caller has lost; `{is: 'again'}` where something may have been missed.
 *
 * `ticket()` returns `{ticket, url}`, null where there is none for this caller, undefined where there is none now.
 */
export class Connection {
  #ticket;
  #heard;
  #open;
  #wanted = new Set();
  #joined = new Set();
  #refused = new Set();
  #socket = null;
  #turn = 0;
  #failures = 0;
  #timers = {};
  #wasOpen = false;
  #isUnwanted = false;
  #isShown = true;
  #since = null;
  #seen = timeNow();
  #said = timeNow();

  constructor(ticket, heard, open = (url, protocols) => new WebSocket(url, protocols)) {
    [this.#ticket, this.#heard, this.#open] = [ticket, heard, open];
    this.#timers.tick = setInterval(() => this.#tick(), TICK_MS);
    this.#connect();
  }

  get #isOpen() {
    return this.#socket?.readyState === 1;
  }

  /** Joins these rooms and leaves the others. */
  want(rooms) {
    for (const room of this.#joined) if (!rooms.has(room)) this.#leave(room);
    for (const room of this.#refused) if (!rooms.has(room)) this.#refused.delete(room);
    this.#wanted = new Set(rooms);
    this.#join();
  }

  /** Says whether a tab is on the screen; a connection that rested comes back when one is. */
  show(isShown) {
    const isBack = isShown && !this.#isShown;
    this.#isShown = isShown;
    if (isBack) this.wake();
  }

  /** Looks after itself at once: after sleep, or where a page has a new credential. */
  wake() {
    if (this.#isUnwanted || !this.#isShown) return;
    if (this.#isOpen) this.#ping();
    else if (!this.#socket && !this.#timers.opening) this.#connect();
  }

  stop() {
    this.#isUnwanted = true;
    clearInterval(this.#timers.tick);
    this.#end();
  }

  #end() {
    this.#turn += 1;
    this.#since = null;
    this.#joined.clear();
    for (const name of ['later', 'opening', 'pong']) this.#forget(name);
    this.#socket?.close();
    this.#socket = null;
  }

  #wait(name, milliseconds, act) {
    clearTimeout(this.#timers[name]);
    this.#timers[name] = setTimeout(() => {
      this.#timers[name] = null;
      act();
    }, milliseconds);
  }

  #forget(name) {
    clearTimeout(this.#timers[name]);
    this.#timers[name] = null;
  }

  async #connect() {
    const turn = ++this.#turn;
    this.#forget('later');
    this.#wait('opening', PATIENCE_MS * 2, () => this.#lost(turn));
    const given = await this.#ticket().catch(() => undefined);
    if (turn !== this.#turn) return;
    if (given === null) this.#forget('opening'); // until a page says that it has a new credential
    else if (given === undefined) this.#lost(turn);
    else this.#begin(given, turn);
  }

  #begin({ ticket, url }, turn) {
    this.#wait('opening', PATIENCE_MS, () => this.#lost(turn));
    const socket = this.#open(url, [PROTOCOL, `ticket.${ticket}`]);
    this.#socket = socket;
    socket.onopen = () => turn === this.#turn && this.#opened();
    socket.onmessage = ({ data }) => turn === this.#turn && this.#took(data);
    socket.onclose = () => this.#lost(turn);
  }

  #opened() {
    this.#forget('opening');
    this.#said = this.#since = timeNow();
    if (this.#wasOpen) this.#heard({ is: 'again' });
    this.#wasOpen = true;
    this.#join();
  }

  /** Comes back after a pause that grows, and differs from client to client. */
  #lost(turn) {
    if (turn !== this.#turn) return;
    const wasSteady = this.#since && timeNow() - this.#since >= STEADY_MS;
    this.#end();
    this.#failures = wasSteady ? 0 : this.#failures + 1;
    if (!this.#isShown) return;
    const most = Math.min(MOST_MS, LEAST_MS * 2 ** this.#failures);
    this.#wait('later', most / 2 + Math.random() * (most / 2), () => this.#connect());
  }

  #tick() {
    const now = timeNow();
    const hasSlept = now - this.#seen > ASLEEP_MS;
    this.#seen = now;
    if (hasSlept) {
      this.#heard({ is: 'again' });
      this.wake();
    } else if (this.#isOpen && now - this.#said >= QUIET_MS) {
      if (!this.#isShown) return this.#end();
      this.#ping();
      this.#join();
    }
  }

  /** Asks whether the other end is there; where it is not, this connection is over. */
  #ping() {
    const turn = this.#turn;
    this.#send({ action: 'ping' });
    this.#wait('pong', PATIENCE_MS, () => this.#lost(turn));
  }

  #send(message) {
    this.#said = timeNow();
    this.#socket.send(JSON.stringify(message));
  }

  #join() {
    if (!this.#isOpen) return;
    for (const room of this.#wanted) if (!this.#joined.has(room) && !this.#refused.has(room)) this.#send({ action: 'join', room });
  }

  #leave(room) {
    this.#joined.delete(room);
    if (this.#isOpen) this.#send({ action: 'leave', room });
  }

  #took(data) {
    const message = parsed(data);
    const { type, room, code, reason } = message;
    if (type === 'pong') this.#forget('pong');
    else if (type === 'ring') this.#heard({ is: 'ring', ring: message });
    else if (type === 'joined') this.#noteJoined(room);
    else if (type === 'error' && room && !LATER.includes(code)) this.#refused.add(room);
    else if (type === 'left' && reason) {
      this.#joined.delete(room);
      this.#refused.add(room);
      this.#heard({ is: 'left', room });
    }
  }

  #noteJoined(room) {
    if (!this.#wanted.has(room)) return this.#leave(room);
    this.#joined.add(room);
    this.#heard({ is: 'joined', room });
  }
}

function parsed(data) {
  try {
    return JSON.parse(data) ?? {};
  } catch {
    return {};
  }
}
