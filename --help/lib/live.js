// The live channel in a tab: says what the tab sees, gets tickets for the connection, and passes on what rings.

import { timeNow } from './clock.js';
import { Follower } from './following.js';

const MOMENT_MS = 3000; // for joining a room; what a view shows is not older than that

export class Live {
  #document;
  #port;
  #shows = { key: null, token: null, boardId: null };
  #opened = 0;

  /** `followed` as in `Follower`; the port leads to the connection that all tabs share. */
  constructor(api, followed, { port = null, view = globalThis } = {}) {
    this.api = api;
    const { document } = view;
    this.#document = document;
    this.follower = new Follower(followed, () => !this.#isHidden);
    this.#take(port ?? this.#share());
    view.addEventListener('pagehide', () => this.#port.postMessage({ is: 'bye' }));
    view.addEventListener('pageshow', ({ persisted }) => persisted && this.#wake());
    view.addEventListener('online', () => this.#wake());
    document.addEventListener('visibilitychange', () => (this.#isHidden ? this.#port.postMessage({ is: 'hide' }) : this.#wake()));
  }

  /** Says who is signed in here (`whoami`, null for nobody), with which credential, and which board the page shows. */
  show(who, token, boardId = null) {
    const key = who && who.authType !== 'board_token' ? [who.userId, who.authType, ...(who.scopes ?? [])].join(' ') : null;
    const before = this.#shows;
    if (key === before.key && token === before.token && boardId === before.boardId) return;
    this.#shows = { key, token, boardId };
    if (boardId !== before.boardId) this.#opened = timeNow();
    if (key) this.#see({ isAwake: token !== before.token });
    else if (before.key) this.#port.postMessage({ is: 'bye' });
  }

  get #isHidden() {
    return this.#document.visibilityState === 'hidden';
  }

  get #rooms() {
    return this.#shows.boardId ? [`boards/${this.#shows.boardId}`] : [];
  }

  #see(more = {}) {
    const { key } = this.#shows;
    if (key) this.#port.postMessage({ is: 'see', key, rooms: this.#rooms, isHidden: this.#isHidden, ...more });
  }

  #wake() {
    this.#see({ isAwake: true });
    this.follower.seen();
  }

  /** A port to the worker of all tabs, or to a connection of this tab where the browser has no such workers. */
  #share() {
    try {
      const worker = new SharedWorker(new URL('../live-worker.js', import.meta.url), { type: 'module' });
      worker.addEventListener('error', () => {
        this.#take(alone());
        this.#see();
      }, { once: true });
      return worker.port;
    } catch {
      return alone();
    }
  }

  #take(port) {
    this.#port = port;
    port.onmessage = ({ data }) => this.#heard(data);
  }

  async #heard({ is, id, ring, room }) {
    if (is === 'ticket?') this.#port.postMessage({ is: 'ticket', id, given: await this.#ticket() });
    else if (is === 'ring') this.follower.ring(ring);
    else if (is === 'again' || (is === 'left' && this.#rooms.includes(room))) this.follower.again();
    else if (is === 'joined' && this.#rooms.includes(room) && timeNow() - this.#opened > MOMENT_MS) this.follower.again();
  }

  /** Returns a ticket, null where the caller gets none, undefined where there is none now. */
  async #ticket() {
    try {
      const { ticket, url } = await this.api.get('createLiveTicket');
      return { ticket, url };
    } catch ({ status }) {
      const mayPass = status === 0 || status === 429 || status >= 500;
      return mayPass ? undefined : null;
    }
  }
}

function alone() {
  const { port1, port2 } = new MessageChannel();
  import('./live-hub.js').then(({ Hub }) => new Hub().add(port2)).catch(() => {}); // what is said until then waits in the port
  return port1;
}
