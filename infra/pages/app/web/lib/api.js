// The one place that calls the API.

import { request } from './operations.js';
import { Problem, fromResponse, noAnswer } from './problems.js';
import { fromJson, toJson } from './written-numbers.js';

const PATIENCE_MS = 20_000;
const NEXT_LINK = /<([^>]+)>;\s*rel="next"/;
const CHANGES = ['PATCH', 'PUT', 'DELETE'];
const UNCHANGED = 304;
const MOST_ANSWERS = 100;

/**
 * Calls operations with the session's credential; a refused credential is renewed once where the session can.
 *
 * What was read with an `ETag` is changed on condition that it is still so (`If-Match`): of two people who edit one thing,
 * the second is told. The tag that is kept for an address is that of the answer which the page shows. So a view that shows
 * the answer of any other request in place of a resource must read the resource again. What was read with an `ETag` before is
 * asked for with it again (`If-None-Match`): where it is unchanged the content is the very object that was returned then.
 */
export class Api {
  #tags = new Map();
  #turns = new Map();
  #answers = new Map();

  /** @param {any} session @param {typeof fetch} [fetcher] */
  constructor(session, fetcher = (...args) => fetch(...args)) {
    this.session = session;
    this.fetch = fetcher;
  }

  /**
   * Returns the body of a successful answer; raises `Problem`. `key` makes a POST safe to repeat. What is read with
   * `isShared` is changed without a condition: others add to it all the time, and a change takes nothing of that away.
   * `hasWrittenNumbers` reads numbers as they are written. `padding` is white space behind the body, which hides its length.
   *
   * What each operation takes and returns is in `calls.d.ts`.
   *
   * @param {string} name @param {any} [options]
   */
  async call(name, { params, query, body, key, isShared = false, hasWrittenNumbers = false, padding = '' } = {}) {
    const { method, address } = request(name, params, query);
    const text = body === undefined ? undefined : toJson(body) + padding;
    const { content } = await this.#send(method, address, text, key, { isShared, hasWrittenNumbers });
    return content;
  }

  /** Returns a resource of the versioned surface: the `data` of the answer. */
  async get(name, options) {
    return (await this.call(name, options)).data;
  }

  /** Returns one page of a list: `{items, next}`, where `next` is the cursor of the next page or null. @param {string} name @param {any} [options] */
  async page(name, { params, query, cursor } = {}) {
    const { data, meta } = await this.call(name, { params, query: { ...query, cursor } });
    return { items: data, next: meta?.nextCursor ?? null };
  }

  /** Returns one page of a bare array: `{items, next}`, where `next` is the address of the next page or null. @param {string} name @param {any} [options] */
  async bareArray(name, { params, query, cursor } = {}) {
    const { method, address } = request(name, params, query);
    const { content, link } = await this.#send(method, cursor ?? address);
    const items = Array.isArray(content) ? content : content.actionItems;
    return { items, next: local(NEXT_LINK.exec(link)?.[1]) };
  }

  async #send(method, address, body, key, { isShared = false, hasWrittenNumbers = false } = {}) {
    const path = pathOf(address);
    const turn = method === 'GET' ? this.#nextTurn(path) : null;
    const known = method === 'GET' && !hasWrittenNumbers ? this.#known(address) : undefined;
    const first = await this.#once(method, address, body, key, known?.tag);
    const isRefused = first.status === 401 && this.session.canRenew;
    const response = isRefused && (await this.session.renew()) ? await this.#once(method, address, body, key, known?.tag) : first;
    if (known && response.status === UNCHANGED) {
      this.#noteRead(path, turn, isShared ? null : known.tag);
      return known.answer;
    }
    const content = await json(response, hasWrittenNumbers ? fromJson : JSON.parse);
    if (!response.ok) throw fromResponse(response.status, content, response.headers.get('Retry-After'));
    if (content === null) throw new Problem({ status: 502 });
    const answer = { content, link: response.headers.get('Link') ?? '' };
    const tag = response.headers.get('ETag');
    if (method === 'GET' && tag && !hasWrittenNumbers) this.#keep(address, { tag, answer, token: this.session.token });
    if (method === 'GET') this.#noteRead(path, turn, isShared ? null : tag);
    else if (CHANGES.includes(method) && this.#tags.has(path)) return this.#noteChange(method, address, tag, answer);
    return answer;
  }

  /** The last answer of an address to this credential. */
  #known(address) {
    const known = this.#answers.get(address);
    return known?.token === this.session.token ? known : undefined;
  }

  #keep(address, answer) {
    this.#answers.delete(address);
    this.#answers.set(address, answer);
    if (this.#answers.size > MOST_ANSWERS) this.#answers.delete(this.#answers.keys().next().value);
  }

  #nextTurn(path) {
    const turn = (this.#turns.get(path) ?? 0) + 1;
    this.#turns.set(path, turn);
    return turn;
  }

  /** Keeps the tag of what was read, unless the page drops that: a later read was begun, or a change was answered since. */
  #noteRead(path, turn, tag) {
    if (tag && turn === this.#turns.get(path)) this.#tags.set(path, tag);
  }

  /**
   * Keeps the tag of what a change left, and returns what the page is to show of it. Where the answer has no tag, that is
   * read again; if it cannot be, the old tag stays and refuses the next change.
   */
  async #noteChange(method, address, tag, answer) {
    const path = pathOf(address);
    this.#nextTurn(path);
    if (method === 'DELETE') this.#tags.delete(path);
    else if (tag) this.#tags.set(path, tag);
    else return this.#send('GET', address).catch(() => answer);
    return answer;
  }

  async #once(method, address, body, key, known) {
    const headers = { Accept: 'application/json' };
    if (known) headers['If-None-Match'] = known;
    const tag = this.#tags.get(pathOf(address));
    if (tag && CHANGES.includes(method)) headers['If-Match'] = tag;
    if (this.session.token) headers.Authorization = `Bearer ${this.session.token}`;
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    if (key) headers['Idempotency-Key'] = key;
    /** @type {RequestInit} */
    const options = {
      method, headers, cache: 'no-store', credentials: 'omit', redirect: 'error', referrerPolicy: 'no-referrer',
      body, keepalive: method === 'DELETE', signal: AbortSignal.timeout(PATIENCE_MS),
    };
    try {
      return await this.fetch(address, options);
    } catch (error) {
      throw noAnswer(error, globalThis.navigator?.onLine ?? true);
    }
  }
}

function pathOf(address) {
  return address.split('?', 1)[0];
}

async function json(response, parse) {
  try {
    return parse(await response.text());
  } catch {
    return null;
  }
}

/** The path and query of an address of this API, whatever host it names: the credential goes nowhere else. */
function local(address) {
  if (!address) return null;
  const url = new URL(address, 'https://here.invalid');
  return url.pathname + url.search;
}
