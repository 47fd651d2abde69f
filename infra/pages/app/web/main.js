// Starts the pages: the credential, the address, the view that belongs to it.

import { Api } from './lib/api.js';
import { fetchConfig } from './lib/config.js';
import { preload } from './lib/preload.js';
import { Router, keepAddress, match, returnAddress } from './lib/router.js';
import { KEY, Session } from './lib/session.js';
import { drafts, hasJobs, keepForms } from './lib/drafts.js';
import { Resource } from './lib/state.js';
import { device, storage } from './lib/storage.js';
import { closeMenus, problem } from './lib/ui.js';
import { Access } from './lib/access.js';
import { BoardContext } from './lib/board.js';
import { ROUTES } from './routes.js';
import { Drawing } from './drawing.js';
import { listenForKeys } from './lib/keys.js';
import { labelPage, ready, setAccountLanguage, t } from './lib/texts.js';

const main = document.getElementById('main');
const announcer = document.getElementById('announcer');
const LISTEN_AFTER_MS = 1000; // a first view has the line for itself

/** What every view is given: the API, who is signed in, and the way to other views. */
export class App {
  constructor() {
    this.session = new Session(storage, () => this.#forgetCaller(), device);
    drafts.keepIn(this.session.stays ? device : storage);
    /** @type {import('./lib/calls.js').Calls} */
    this.api = /** @type {any} */ (new Api(this.session));
    this.drawing = new Drawing(this);
    this.update = () => this.drawing.update();
    this.config = new Resource(fetchConfig, this.update);
    this.router = new Router(ROUTES, (scroll) => this.#open(scroll));
    this.dialog = null;
    this.session.renewBy((token) => this.#provider().then((provider) => provider?.renew(token) ?? null));
    this.access = new Access(this.api, this.update);
    this.jobs = null;
    this.board = null;
    this.view = null;
  }

  start() {
    labelPage();
    document.addEventListener('click', (event) => {
      const signIn = event.target.closest('[data-sign-in]');
      if (signIn) this.#signInHere({ isAnew: signIn.dataset.signIn === 'anew' });
      if (event.target.closest('[data-reload]')) this.resources.forEach((each) => each.reload());
    });
    document.addEventListener('pointerdown', closeMenus);
    listenForKeys(this);
    keepForms(main);
    matchMedia('(max-width: 40rem)').addEventListener('change', this.update);
    addEventListener('storage', ({ key }) => key === KEY && this.#follow());
    document.addEventListener('visibilitychange', () => document.hidden || this.#follow()); // a tab that slept heard of nothing
    addEventListener('pagehide', () => { document.documentElement.dataset.isAway = ''; });
    addEventListener('pageshow', ({ persisted }) => persisted && this.#comeBack());
    addEventListener('online', () => this.#reloadFailed(0));
    this.router.start();
    if (hasJobs()) this.#loadJobs();
  }

  /** Opens the search over boards, meetings, documents and people; it is loaded when it is first wanted. */
  async openPalette() {
    const { Palette } = await import('./palette.js');
    this.palette ??= new Palette(this, document.getElementById('palette'));
    this.palette.open();
  }

  async #loadJobs() {
    const { Jobs } = await import('./lib/jobs.js');
    return (this.jobs ??= new Jobs(this));
  }

  /** Follows work of the service on every page, until it is done; see `Jobs`. */
  async follow(job, finished) {
    (await this.#loadJobs()).follow(job, finished);
  }

  /** Another tab signed in or out: so does this one. */
  #follow() {
    const wasSignedIn = Boolean(this.session.token);
    this.session.follow();
    if (wasSignedIn && !this.session.token) {
      this.board = null;
      this.go('/');
    } else if (!wasSignedIn && this.session.token && this.route?.name === 'signIn') this.go(returnAddress(), { replace: true });
  }

  /** The page comes back from the browser's cache, hidden: where its session has ended meanwhile, it begins anew. */
  #comeBack() {
    const isOver = this.session.recall() || !(this.session.token || this.route?.isPublic);
    document.documentElement.toggleAttribute('data-is-away', isOver);
    if (isOver) location.reload();
  }

  /** Loads again what failed, and saves what waits to be saved. */
  #reloadFailed(status) {
    for (const each of this.resources) if (each.problem?.status === status) each.reload();
    this.view?.flush?.();
  }

  /** Signs in without a question where the provider still knows the person, otherwise on the page for it. */
  async #enterSignedIn(turn) {
    keepAddress(location);
    const provider = await this.#provider().catch(() => null);
    const isLeaving = await provider?.leaveSilently().catch(() => false);
    if (!isLeaving && turn === this.turn) this.signIn({ replace: true });
  }

  /** Signs in without leaving the page; the dialog is loaded then. `isAnew` as in `SignIn`. */
  async #signInHere({ isAnew }) {
    const { SignInDialog } = await import('./rooms/sign-in.js');
    this.dialog ??= new SignInDialog(this, document.getElementById('sign-in-dialog'));
    this.dialog.open({ isAnew });
  }

  /** Signs in on a page of its own, and comes back to this one. */
  signIn(options) {
    keepAddress(location);
    this.go('/app/sign-in', options);
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

  /** The caller's account, asked once a credential; a board's token has none. */
  get account() {
    this.me ??= new Resource(() => this.api.get('getMe'), this.update);
    return this.me;
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
    drafts.keepIn(this.session.stays ? device : storage);
    if (this.session.token) return [this.whoami, this.me, this.news, this.access].forEach((each) => each?.reload());
    this.access.forget();
    this.whoami = null;
    this.me = null;
    this.speak(null);
    this.news = null;
    this.palette = null;
  }

  /** Shows all in the language of the account; in that of the browser where there is none. */
  speak(ofAccount) {
    setAccountLanguage(ofAccount, () => {
      labelPage();
      this.update();
    });
  }

  /** Everything that the present view shows. */
  get shown() {
    return [...(this.board?.resources ?? []), ...(this.view?.resources ?? [])];
  }

  get resources() {
    return [this.whoami, this.me, this.news, this.access, ...this.shown].filter(Boolean);
  }

  /** Reads the notifications again; a view that did not ask for them has their number from the first ring on. */
  async refresh() {
    return this.news ? this.news.refresh() : Boolean(this.notifications);
  }

  /** What a ring of the live channel may concern: of the caller, of the board, of the view. */
  get #followed() {
    const news = { on: ['notification'], ids: {}, read: this };
    const shown = [...(this.board?.follows ?? []), ...(this.view?.follows ?? [])].map((each) => ({ ids: this.ids, ...each }));
    return [news, ...shown];
  }

  /** Follows what others do, once the first view is shown (ADR following). */
  async listen() {
    if (!document.body.dataset.view || !this.whoami?.data) return this.live?.show(null);
    this.listening ??= new Promise((resolve) => { setTimeout(resolve, LISTEN_AFTER_MS); }).then(() => import('./lib/live.js')).then(({ Live }) => new Live(this.api, () => this.#followed));
    this.live = await this.listening.catch(() => null); // without it the pages are as before
    this.live?.show(this.whoami?.data, this.session.token, this.board?.id);
  }

  /** Loads again what failed because the sign-in had ended; called after signing in on a page. */
  resume() {
    this.#reloadFailed(401);
    this.update();
  }

  async signOut() {
    const { refreshToken, isByProvider } = this.session;
    drafts.forget();
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
    if (!route.isPublic && !this.session.token) return this.#enterSignedIn(turn);
    try {
      preload(route.room);
      const create = await route.load();
      if (turn !== this.turn) return;
      this.#enter(route, params);
      this.view = create(this, params);
      if (!route.isPublic) this.access.enter([...(this.board?.actions ?? []), ...(this.view.actions ?? [])]);
    } catch (error) {
      if (turn !== this.turn) return;
      console.error(error);
      this.view = { title: t('main.thisPageCouldNotBeLoaded'), render: () => problem({ status: 0, code: 'NO_CONNECTION', fields: {} }, () => location.reload()) };
    }
    Object.assign(this, { route, ids: params });
    this.jobs?.read();
    this.drawing.begin(scroll);
  }

  /** Asks what a view needs beside its own data; it all goes out at once, for nothing of it needs an answer first. */
  #enter(route, params) {
    if (this.board?.id !== params.boardId) this.board = params.boardId ? new BoardContext(this, params.boardId) : null;
    if (route.isPublic) return;
    this.caller;
    this.account;
  }
}

ready.then(() => new App().start());
