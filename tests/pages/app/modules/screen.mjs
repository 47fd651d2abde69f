// A view on a screen without a browser: what it shows, offers and sends. The API answers with the examples of its document, or as a test says.

import './dom.mjs';

import { readFileSync } from 'node:fs';

import { load, WEB } from './load.mjs';

const { render } = await import(new URL('vendor/lit-html/lit-html.js', WEB));
const { Api } = await load('api');
const { Access } = await load('access');
const { BoardContext } = await load('board');
const { OPERATIONS } = await load('openapi');
const { ROUTES } = await import(new URL('routes.js', WEB));
const { match } = await load('router');
const { drafts } = await load('drafts');
const { Resource } = await load('state');

const { paths } = JSON.parse(readFileSync(new URL('../../../../openapi.json', import.meta.url)));
const pattern = (template) => new RegExp(`^${template.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
const OPERATION_OF = Object.entries(OPERATIONS).map(([name, [method, template]]) => ({ name, method, pattern: pattern(template), example: exampleOf(paths[template][method.toLowerCase()]) }));
const WAIT_MS = 60_000;

function exampleOf({ responses }) {
  const [, { content }] = Object.entries(responses).find(([status]) => status.startsWith('2'));
  const { example, examples = {} } = content['application/json'] ?? {};
  return example ?? Object.values(examples)[0]?.value ?? null;
}

/** Returns the instant at which clocks of the browser's zone show a time. */
export const ownInstant = (wall) => new Date(wall).toISOString();

/** Returns a copy of what the document's example of an operation answers: its `data` where it has such. */
export function example(operation) {
  const { example: found } = OPERATION_OF.find(({ name }) => name === operation);
  return structuredClone(found?.data ?? found);
}

export const BOARD = example('getBoard');
export const ME = example('getMe');
const ANY_ID = '299600e93bb8716da00c3619';

/** Returns the address of a page of the board; `:id` stands for any id. */
export const at = (path) => `/boards/${BOARD.id}/${path.replace(':id', ANY_ID)}`;

/** An answer that refuses a request. */
export function refusal(status, { code = '', message = '', wait, ...details } = {}) {
  return Object.assign(new Error(`${status}`), { status, headers: wait ? { 'Retry-After': `${wait}` } : {}, error: { code, message, status, requestId: null, details } });
}

/** Lets all that can happen happen. */
export async function settled() {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => { setTimeout(resolve); });
}

// What the document shows an example of, and most boards do not have.
const USUAL = Object.fromEntries(['getCancellation', 'getMinutesApproval'].map((name) => [name, () => { throw refusal(404); }]));

class Screen {
  constructor(address, answers, { may = () => true, me = 'member' } = {}) {
    Object.assign(this, { answers: { ...USUAL, ...answers }, sent: [], keys: [], asked: [], said: [], gone: [], mayDo: may });
    history.replaceState(null, '', address);
    drafts.forget();
    document.body.innerHTML = '<main id="main"></main>';
    this.main = document.getElementById('main');
    const session = { token: 'a', stays: false, forget() {}, accept() {} };
    const update = () => this.#update();
    const api = new Api(session, (...args) => this.#answer(...args));
    const app = { session, api, update, view: null, board: null, jobs: null };
    app.access = new Access(api, update);
    app.router = { query: (values) => this.gone.push(values) };
    app.caller = new Resource(async () => ({ userId: me === 'token' ? null : ME.id, authType: me === 'token' ? 'board_token' : 'jwt' }), update);
    app.whoami = app.caller;
    app.account = app.me = new Resource(() => api.get('getMe'), update);
    app.config = new Resource(async () => ({ oidc: null, demo: [] }), update);
    app.provider = async () => null;
    app.notifications = new Resource(() => api.call('listNotifications'), update);
    Object.assign(app, { go: (path) => this.gone.push(path), say: (words) => this.said.push(words), follow: (...job) => this.gone.push(job), signIn: () => this.gone.push('sign-in') });
    this.app = app;
  }

  async begin() {
    const { route, params } = match(ROUTES, location.pathname);
    const create = await route.load();
    if (params.boardId) this.app.board = new BoardContext(this.app, params.boardId);
    this.app.view = create(this.app, params);
    if (!route.isPublic) this.app.access.enter([...(this.app.board?.actions ?? []), ...(this.app.view.actions ?? [])]);
    this.#update();
    await settled();
    await this.until(() => !this.one('.loading') && !this.app.access.isBusy);
    return this;
  }

  get view() {
    return this.app.view;
  }

  #update() {
    if (this.isWaiting || !this.app?.view) return;
    this.isWaiting = true;
    queueMicrotask(() => {
      this.isWaiting = false;
      render(this.app.view.render(), this.main);
      this.app.view.drawn?.(this.main);
    });
  }

  async #answer(address, { method, body, headers = {} }) {
    const url = new URL(address, location.href);
    const { name, pattern: found, example: usual } = OPERATION_OF.find((each) => each.method === method && each.pattern.test(url.pathname));
    const request = { params: found.exec(url.pathname).groups ?? {}, query: Object.fromEntries(url.searchParams), body: body && JSON.parse(body) };
    this.asked.push([name, { ...request.params, ...request.query }]);
    if (name === 'evaluateAccessBatch' && !this.answers[name]) return this.#evaluated(request.body);
    if (method !== 'GET') {
      this.sent.push(request.body === undefined ? [name] : [name, request.body]);
      this.keys.push(headers['Idempotency-Key']);
    }
    try {
      const own = this.answers[name];
      const given = own === undefined ? structuredClone(usual?.data ?? usual) : await (typeof own === 'function' ? own(request) : own);
      return Response.json(usual?.data !== undefined ? { meta: { nextCursor: null, hasMore: false }, data: given } : given);
    } catch (error) {
      if (!error.status) throw error;
      return Response.json({ error: error.error }, { status: error.status, headers: error.headers });
    }
  }

  #evaluated({ evaluations }) {
    const decided = evaluations.map(({ action }) => this.mayDo(action.name)).map((decision) => ({ decision, context: decision ? null : { status: 403 } }));
    return Response.json({ evaluations: decided });
  }

  // -- what is shown

  all(selector) {
    return [...document.querySelectorAll(selector)];
  }

  one(selector) {
    return document.querySelector(selector);
  }

  /** The words of an element as they can be read, with single blanks: without what is closed. */
  text(selector = '#main') {
    return this.all(selector).map(visibleText).join(' ').replace(/\s+/g, ' ').replace(/ (?=[.,:;])/g, '').trim();
  }

  /** The words of what can be pressed. */
  offered(within = '#main') {
    return this.all(`${within} :is(button, summary.button)`).filter(isVisible).map(wordsOf);
  }

  async until(holds, what = holds) {
    const end = performance.now() + WAIT_MS;
    while (!holds()) {
      if (performance.now() > end) throw new Error(`It never came to hold: ${what}\n${this.text()}`);
      await new Promise((resolve) => { setTimeout(resolve, 1); });
    }
  }

  /** Waits until words can be read. */
  sees(words, selector = '#main') {
    return this.until(() => this.text(selector).includes(words), `“${words}” in ${selector}`);
  }

  // -- what a person does

  button(words, within = 'body') {
    const found = this.all(`${within} :is(button, a, summary, label)`).filter(isVisible).find((element) => wordsOf(element) === words);
    if (!found) throw new Error(`No button “${words}” in ${within} among: ${this.all(`${within} :is(button, a, summary, label)`).filter(isVisible).map(wordsOf).join(' | ')}`);
    return found;
  }

  async click(words, within) {
    await this.press(this.button(words, within));
  }

  async press(element) {
    element.click();
    await settled();
  }

  /** Presses a button that asks first, and answers yes. */
  async confirm(words, yes = words, within = 'body') {
    const button = this.button(words, within);
    await this.press(button);
    const box = button.nextElementSibling;
    await this.press([...box.querySelectorAll('button')].find((element) => wordsOf(element) === yes));
  }

  /** Opens a menu or a disclosure that is closed. */
  async open(selector) {
    const [details] = this.all(selector);
    if (!details) throw new Error(`Nothing to open: ${selector}`);
    details.open = true;
    details.dispatchEvent(new Event('toggle'));
    await settled();
  }

  /** Types into a field, or chooses a value of it. */
  async fill(selector, value) {
    const field = this.one(selector);
    if (!field) throw new Error(`No field ${selector}`);
    if (field.type === 'checkbox' || field.type === 'radio') field.checked = value;
    else field.value = value;
    for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
    await settled();
  }
}

function isHidden(element) {
  return element.matches('select, .hidden, dialog:not([open])') || (element.parentElement?.matches('details:not([open])') && element.tagName !== 'SUMMARY');
}

function isVisible(element) {
  for (let at = element; at; at = at.parentElement) if (isHidden(at)) return false;
  return true;
}

function visibleText(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data;
  if (node.nodeType !== Node.ELEMENT_NODE || isHidden(node)) return '';
  return [...node.childNodes].map(visibleText).join(/^(P|LI|DIV|TD|TH|H\d|DT|DD|LABEL|BUTTON|SUMMARY|OPTION)$/.test(node.tagName) ? '' : ' ');
}

function wordsOf(element) {
  return (element.getAttribute('aria-label') ?? visibleText(element)).replace(/\s+/g, ' ').trim();
}

/**
 * Shows the view of an address. `answers` are those of operations by name: the data, or a function of `{params, query, body}`;
 * `may` says which operations the caller may call.
 */
export function open(address, answers = {}, options = {}) {
  return new Screen(address, answers, options).begin();
}
