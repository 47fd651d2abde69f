// Starts the pages: the credential, the address, the view that belongs to it.

import { render } from './vendor/lit-html/lit-html.js';
import { Api } from './lib/api.js';
import { fetchConfig } from './lib/config.js';
import { preload } from './lib/preload.js';
import { Router, keepAddress, match, returnAddress } from './lib/router.js';
import { KEY, Session } from './lib/session.js';
import { drafts, hasJobs } from './lib/drafts.js';
import { Resource } from './lib/state.js';
import { device, storage } from './lib/storage.js';
import { setAccountZone } from './lib/dates.js';
import { closeMenus, html, keyed, nothing, problem } from './lib/ui.js';
import { Access } from './lib/access.js';
import { BoardContext } from './lib/board.js';
import { ROUTES } from './routes.js';
import { areKeysOn, showKeys } from './lib/keys.js';
import { boardFrame, topBar, unknownCaller, unknownZone } from './frame.js';
import { labelPage, ready, setAccountLanguage, t } from './lib/texts.js';

const main = document.getElementById('main');
const announcer = document.getElementById('announcer');
const FIRST_VIEW_MS = 1000;
const LISTEN_AFTER_MS = 1000; // a first view has the line for itself

/** What every view is given: the API, who is signed in, and the way to other views. */
class App {
  constructor() {
    this.session = new Session(storage, () => this.#forgetCaller(), device);
    drafts.keepIn(this.session.stays ? device : storage);
    this.api = new Api(this.session);
    this.config = new Resource(fetchConfig, () => this.update());
    this.router = new Router(ROUTES, (scroll) => this.#open(scroll));
    this.dialog = null;
    this.session.renewBy((token) => this.#provider().then((provider) => provider?.renew(token) ?? null));
    this.update = this.update.bind(this);
    this.access = new Access(this.api, this.update);
    this.jobs = null;
    this.board = null;
    this.view = null;
  }

  start() {
    labelPage();
    document.addEventListener('click', (event) => {
      if (event.target.closest('[data-sign-in]')) this.#signInHere();
      if (event.target.closest('[data-reload]')) this.#resources.forEach((each) => each.reload());
    });
    document.addEventListener('pointerdown', closeMenus);
    document.addEventListener('keydown', (event) => this.#shortcut(event));
    this.#keepDrafts();
    matchMedia('(max-width: 40rem)').addEventListener('change', this.update);
    addEventListener('storage', ({ key }) => key === KEY && this.#follow());
    document.addEventListener('visibilitychange', () => document.hidden || this.#follow()); // a tab that slept heard of nothing
    addEventListener('pagehide', () => { document.documentElement.dataset.isAway = ''; });
    addEventListener('pageshow', ({ persisted }) => persisted && this.#comeBack());
    addEventListener('online', () => this.#reloadFailed(0));
    this.router.start();
    if (hasJobs()) this.#loadJobs();
  }

  /** "/" and "?" outside of fields, unless switched off, and Ctrl or Command with K: the palette, and the list of keys. */
  #shortcut(event) {
    if (event.key === 'Escape') closeMenus(event);
    const isTyping = event.target.closest?.('input, select, textarea, dialog, [contenteditable]');
    const isSingle = areKeysOn() && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey;
    const isChord = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
    const opens = isChord || (isSingle && event.key === '/') ? () => this.openPalette() : isSingle && event.key === '?' ? () => showKeys(document.getElementById('keys')) : null;
    if (!opens || !this.session.token || document.querySelector('dialog[open]')) return;
    event.preventDefault();
    opens();
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

  /** Keeps what is typed into the forms of views; the browser asks before a page with something unsent is closed. */
  #keepDrafts() {
    const typed = ({ target }) => {
      if (!target.form?.matches('form.form:not([data-kept])')) return;
      target.form.dataset.draft = 'typed';
      drafts.save(location.pathname, target.form);
    };
    main.addEventListener('input', typed);
    main.addEventListener('change', typed);
    addEventListener('beforeunload', (event) => {
      if (main.querySelector('form[data-draft=typed]')) event.preventDefault();
    });
  }

  /** Fills forms that are new on the page with what was typed into them before, and shows them. */
  #restoreDrafts() {
    if (!this.route.isPublic) {
      if (!this.whoami?.data) return;
      drafts.belongTo(this.whoami.data.userId ?? 'token');
    }
    for (const form of main.querySelectorAll('form.form:not([data-draft])')) {
      form.dataset.draft = drafts.restore(location.pathname, form) ? 'typed' : '';
      if (form.dataset.draft) for (let at = form.closest('details'); at; at = at.parentElement.closest('details')) at.open = true;
    }
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
    for (const each of this.#resources) if (each.problem?.status === status) each.reload();
    this.view?.flush?.();
  }

  /** Signs in without a question where the provider still knows the person, otherwise on the page for it. */
  async #enterSignedIn(turn) {
    keepAddress(location);
    const provider = await this.#provider().catch(() => null);
    const isLeaving = await provider?.leaveSilently().catch(() => false);
    if (!isLeaving && turn === this.turn) this.signIn({ replace: true });
  }

  /** Signs in without leaving the page; the dialog is loaded then. */
  async #signInHere() {
    const { SignInDialog } = await import('./rooms/sign-in.js');
    this.dialog ??= new SignInDialog(this, document.getElementById('sign-in-dialog'));
    this.dialog.open();
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
    this.#speak(null);
    this.news = null;
    this.palette = null;
  }

  /** Shows all in the language of the account; in that of the browser where there is none. */
  #speak(ofAccount) {
    setAccountLanguage(ofAccount, () => {
      labelPage();
      this.update();
    });
  }

  /** Everything that the present view shows. */
  get #shown() {
    return [...(this.board?.resources ?? []), ...(this.view?.resources ?? [])];
  }

  get #resources() {
    return [this.whoami, this.me, this.news, this.access, ...this.#shown].filter(Boolean);
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
  async #listen() {
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
    this.isNew = true;
    this.place = scroll;
    this.update();
  }

  /** Asks what a view needs beside its own data; it all goes out at once, for nothing of it needs an answer first. */
  #enter(route, params) {
    if (this.board?.id !== params.boardId) this.board = params.boardId ? new BoardContext(this, params.boardId) : null;
    if (route.isPublic) return;
    this.caller;
    this.account;
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
    const title = typeof this.view.title === 'function' ? this.view.title() : this.view.title;
    document.title = title ? `${title} · Board Governance` : 'Board Governance';
    this.#reveal();
    if (!document.body.dataset.view) return; // nobody sees it yet, and each answer would draw it anew
    if (!this.isStarted) main.replaceChildren();
    setAccountZone(this.me?.data?.timezone ?? null);
    if (this.me?.data) this.#speak(this.me.data.language);
    render(html`${topBar(this)}${this.jobs?.render() ?? nothing}`, document.getElementById('top'));
    const isShown = !this.route.isPublic && !this.#shown.some((each) => each.problem);
    const content = keyed(this.turn, html`<div class="view">${isShown ? unknownCaller(this) : nothing}${this.route.isPublic ? nothing : unknownZone()}${this.view.render()}</div>`);
    render(this.board ? boardFrame(this, this.board, content) : content, main);
    main.setAttribute('aria-busy', this.access.isBusy);
    this.#restoreDrafts();
    this.view.drawn?.(main);
    this.dialog?.draw();
    this.palette?.draw();
    this.#settle();
    this.#listen();
  }

  /** Shows the first view once it is whole, so that nothing moves while a reader begins; after a second in any case. */
  #reveal() {
    this.patience ??= setTimeout(() => {
      this.isLate = true;
      if (!document.body.dataset.view) this.update();
    }, FIRST_VIEW_MS);
    const isWhole = !this.access.isBusy && !this.#resources.some(({ isLoading }) => isLoading);
    if (isWhole || this.isLate) document.body.dataset.view = this.route.name;
  }

  /** A new view begins at its top, with the focus on it; back returns to the place that was left. */
  #settle() {
    if (this.isNew) {
      this.isNew = false;
      if (this.isStarted) {
        scrollTo(0, 0);
        main.focus({ preventScroll: true });
      }
      this.isStarted = true;
      requestAnimationFrame(() => main.querySelector('.sections [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })); // it needs the layout
    }
    if (this.place > 0 && document.documentElement.scrollHeight - innerHeight >= this.place) {
      scrollTo(0, this.place);
      this.place = 0;
    }
  }
}

ready.then(() => new App().start());
