
import { request } from './operations.js';
import { Problem, fromResponse, noAnswer } from './problems.js';
import { fromJson, toJson } from './written-numbers.js';

const PATIENCE_MS = 20_000;
const NEXT_LINK = /<([^>]+)>;\s*rel="next"/;
const CHANGES = ['PATCH', 'PUT', 'DELETE'];
const UNCHANGED = 304;
const MOST_ANSWERS = 100;

export class Api {
  #tags = new Map();
  #turns = new Map();
  #answers = new Map();

  constructor(session, fetcher = (...args) => fetch(...args)) {
    this.session = session;
    this.fetch = fetcher;
  }

  async call(name, { params, query, body, key, isShared = false, hasWrittenNumbers = false } = {}) {
    const { method, address } = request(name, params, query);
    const { content } = await this.#send(method, address, body, key, { isShared, hasWrittenNumbers });
    return content;
  }

  async get(name, options) {
    return (await this.call(name, options)).data;
  }

  async page(name, { params, query, cursor } = {}) {
    const { data, meta } = await this.call(name, { params, query: { ...query, cursor } });
    return { items: data, next: meta?.nextCursor ?? null };
  }

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

  #noteRead(path, turn, tag) {
    if (tag && turn === this.#turns.get(path)) this.#tags.set(path, tag);
  }

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
    const options = {
      method, headers, cache: 'no-store', credentials: 'omit', redirect: 'error', referrerPolicy: 'no-referrer',
      body: body === undefined ? undefined : toJson(body), keepalive: method === 'DELETE', signal: AbortSignal.timeout(PATIENCE_MS),
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

function local(address) {
  if (!address) return null;
  const url = new URL(address, 'https://here.invalid');
  return url.pathname + url.search;
}
