// Starts the pages: the credential, the address, the view that belongs to it.

import { render } from './vendor/lit-html/lit-html.js';
import { Api } from './lib/api.js';
import { fetchConfig } from './lib/config.js';
import { Router, match } from './lib/router.js';
import { Session } from './lib/session.js';
import { Resource } from './lib/state.js';
import { storage } from './lib/storage.js';
import { html, keyed, nothing, problem } from './lib/ui.js';
import { Access } from './lib/access.js';
import { BoardContext } from './lib/board.js';
import { ROUTES } from './routes.js';
import { boardFrame, topBar, unknownCaller } from './frame.js';
import { SignInDialog } from './sign-in-dialog.js';

const main = document.getElementById('main');
const announcer = document.getElementById('announcer');

/** What every view is given: the API, who is signed in, and the way to other views. */
class App {
  constructor() {
    this.session = new Session(storage, () => this.#forgetCaller());
    this.api = new Api(this.session);
    this.config = new Resource(fetchConfig, () => this.update());
    this.router = new Router(ROUTES, (scroll) => this.#open(scroll));
    this.dialog = new SignInDialog(this, document.getElementById('sign-in-dialog'));
    this.session.renewBy((token) => this.#provider().then((provider) => provider?.renew(token) ?? null));
    this.update = this.update.bind(this);
    this.access = new Access(this.api, this.update);
    this.board = null;
    this.view = null;
  }

  start() {
    document.addEventListener('click', (event) => {
      if (event.target.closest('[data-sign-in]')) this.dialog.open();
      if (event.target.closest('[data-reload]')) this.#resources.forEach((each) => each.reload());
    });
    addEventListener('online', () => this.#reloadFailed(0));
    this.router.start();
  }

  #reloadFailed(status) {
    for (const each of this.#resources) if (each.problem?.status === status) each.reload();
  }

  go(address, options) {
    this.router.go(address, options);
  }

  /** Says something to people who cannot see the page, and shows it for a moment. */
  say(text) {
    announcer.textContent = text;
    announcer.className = 'toast';
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => {
      announcer.className = 'hidden';
    }, 4000);
  }

  /** Who is signed in, asked once a credential. */
  get caller() {
    this.whoami ??= new Resource(() => this.api.call('getWhoami'), this.update);
    return this.whoami;
  }

  get notifications() {
    this.news ??= new Resource(() => this.api.call('listNotifications'), this.update);
    return this.news;
  }

  async #provider() {
    const { oidc } = this.config.data ?? (await fetchConfig());
    if (!oidc) return null;
    const { Provider } = await import('./lib/oidc.js');
    return (this.oidc ??= new Provider(oidc));
  }

  provider() {
    return this.#provider();
  }

  /** Another credential: who it is, is asked again; until then the page stays as it is, with what was typed on it. */
  #forgetCaller() {
    if (this.session.token) return [this.whoami, this.access].forEach((each) => each?.reload());
    this.access.forget();
    this.whoami = null;
    this.news = null;
  }

  /** Everything that the present view shows. */
  get #shown() {
    return [...(this.board?.resources ?? []), ...(this.view?.resources ?? [])];
  }

  get #resources() {
    return [this.whoami, this.news, this.access, ...this.#shown].filter(Boolean);
  }

  /** Loads again what failed because the sign-in had ended; called after signing in on a page. */
  resume() {
    this.#reloadFailed(401);
    this.update();
  }

  async signOut() {
    const { refreshToken, isByProvider } = this.session;
    this.session.forget();
    this.board = null;
    const provider = isByProvider ? await this.#provider() : null;
    if (!(await provider?.signOut(refreshToken).catch(() => false))) this.go('/');
  }

  async #open(scroll) {
    const found = match(ROUTES, location.pathname);
    const { route, params } = found ?? { route: ROUTES.at(-1), params: {} };
    const turn = (this.turn = (this.turn ?? 0) + 1);
    this.view?.dispose?.();
    if (!route.isPublic && !this.session.token) {
      storage.setItem('board-governance.return', location.pathname + location.search);
      return this.go('/app/sign-in', { replace: true });
    }
    try {
      const { default: create } = await route.load();
      if (turn !== this.turn) return;
      this.#enter(route, params);
      this.view = create(this, params);
      if (!route.isPublic) this.access.enter([...(this.board?.actions ?? []), ...(this.view.actions ?? [])]);
    } catch (error) {
      if (turn !== this.turn) return;
      console.error(error);
      this.view = { title: 'This page could not be loaded', render: () => problem({ status: 0, code: 'NO_CONNECTION', fields: {} }, () => location.reload()) };
    }
    this.route = route;
    this.isNew = true;
    this.place = scroll;
    this.update();
  }

  /** Asks what a view needs beside its own data; it all goes out at once, for nothing of it needs an answer first. */
  #enter(route, params) {
    if (this.board?.id !== params.boardId) this.board = params.boardId ? new BoardContext(this, params.boardId) : null;
    if (!route.isPublic) this.caller;
  }

  update() {
    if (this.isWaiting) return;
    this.isWaiting = true;
    queueMicrotask(() => {
      this.isWaiting = false;
      this.#draw();
    });
  }

  #draw() {
    if (!this.view) return;
    if (!this.isStarted) main.replaceChildren();
    const title = typeof this.view.title === 'function' ? this.view.title() : this.view.title;
    document.title = title ? `${title} · Board Governance` : 'Board Governance';
    document.body.dataset.view = this.route.name;
    render(topBar(this), document.getElementById('top'));
    const isShown = !this.route.isPublic && !this.#shown.some((each) => each.problem);
    const content = keyed(this.turn, html`<div class="view">${isShown ? unknownCaller(this) : nothing}${this.view.render()}</div>`);
    render(this.board ? boardFrame(this, this.board, content) : content, main);
    main.setAttribute('aria-busy', this.access.isBusy);
    this.view.drawn?.(main);
    this.dialog.draw();
    this.#settle();
  }

  /** A new view begins at its top, with the focus on it; back returns to the place that was left. */
  #settle() {
    if (this.isNew) {
      this.isNew = false;
      scrollTo(0, 0);
      if (this.isStarted) main.focus({ preventScroll: true });
      this.isStarted = true;
      main.querySelector('.sections [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
    }
    if (this.place > 0 && document.documentElement.scrollHeight - innerHeight >= this.place) {
      scrollTo(0, this.place);
      this.place = 0;
    }
  }
}

new App().start();
