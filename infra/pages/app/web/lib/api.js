// The one place that calls the API.

import { request } from './operations.js';
import { Problem, fromResponse, noAnswer } from './problems.js';

const PATIENCE_MS = 20_000;
const NEXT_LINK = /<([^>]+)>;\s*rel="next"/;

/**
 * Calls operations with the session's credential; a refused credential is renewed once where the session can.
 *
 * What was read with an `ETag` is changed on condition that it is still so (`If-Match`): of two people who edit one thing,
 * the second is told.
 */
export class Api {
  #tags = new Map();

  constructor(session, fetcher = (...args) => fetch(...args)) {
    this.session = session;
    this.fetch = fetcher;
  }

  /** Returns the body of a successful answer; raises `Problem`. `key` makes a POST safe to repeat. */
  async call(name, { params, query, body, key } = {}) {
    const { method, address } = request(name, params, query);
    const { content } = await this.#send(method, address, body, key);
    return content;
  }

  /** Returns a resource of the versioned surface: the `data` of the answer. */
  async get(name, options) {
    return (await this.call(name, options)).data;
  }

  /** Returns one page of a list: `{items, next}`, where `next` is the cursor of the next page or null. */
  async page(name, { params, query, cursor } = {}) {
    const { data, meta } = await this.call(name, { params, query: { ...query, cursor } });
    return { items: data, next: meta?.nextCursor ?? null };
  }

  /** Returns one page of a bare array: `{items, next}`, where `next` is the address of the next page or null. */
  async bareArray(name, { params, query, cursor } = {}) {
    const { method, address } = request(name, params, query);
    const { content, link } = await this.#send(method, cursor ?? address);
    const items = Array.isArray(content) ? content : content.actionItems;
    return { items, next: local(NEXT_LINK.exec(link)?.[1]) };
  }

  async #send(method, address, body, key) {
    const first = await this.#once(method, address, body, key);
    const isRefused = first.status === 401 && this.session.canRenew;
    const response = isRefused && (await this.session.renew()) ? await this.#once(method, address, body, key) : first;
    const content = await json(response);
    if (response.ok) this.#noteTag(method, address, response.headers.get('ETag'));
    if (!response.ok) throw fromResponse(response.status, content, response.headers.get('Retry-After'));
    if (content === null) throw new Problem({ status: 502 });
    return { content, link: response.headers.get('Link') ?? '' };
  }

  /** Keeps the tag of what was read. A write makes the tag of what it wrote void, and that of what this is part of. */
  #noteTag(method, address, tag) {
    const path = pathOf(address);
    if (method === 'GET') return tag ? this.#tags.set(path, tag) : undefined;
    const around = [...this.#tags.keys()].filter((known) => path.startsWith(`${known}/`)).sort().at(-1);
    for (const changed of [path, around]) this.#tags.delete(changed);
  }

  async #once(method, address, body, key) {
    const headers = { Accept: 'application/json' };
    const tag = this.#tags.get(pathOf(address));
    if (tag && ['PATCH', 'PUT', 'DELETE'].includes(method)) headers['If-Match'] = tag;
    if (this.session.token) headers.Authorization = `Bearer ${this.session.token}`;
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    if (key) headers['Idempotency-Key'] = key;
    const options = {
      method, headers, cache: 'no-store', credentials: 'omit', redirect: 'error', referrerPolicy: 'no-referrer',
      body: body === undefined ? undefined : JSON.stringify(body), signal: AbortSignal.timeout(PATIENCE_MS),
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

async function json(response) {
  try {
    return await response.json();
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
