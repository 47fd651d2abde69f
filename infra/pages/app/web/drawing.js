// Draws the view of the present address in its frame, and where a reader begins on it.

import { render } from './vendor/lit-html/lit-html.js';
import { setAccountZone } from './lib/dates.js';
import { drafts, restoreForms } from './lib/drafts.js';
import { html, keyed, nothing } from './lib/ui.js';
import { boardFrame, topBar, unknownCaller, unknownZone } from './frame.js';

const main = document.getElementById('main');
const FIRST_VIEW_MS = 1000;

/** The page as it is seen; it is drawn once for all changes of a turn. */
export class Drawing {
  constructor(app) {
    Object.assign(this, { app, isWaiting: false, isNew: false, isStarted: false, isLate: false, place: 0, reader: null });
  }

  /** A new view, at the place that was left where one comes back to it. */
  begin(place) {
    Object.assign(this, { isNew: true, place });
    this.update();
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
    const { app } = this;
    const { view, route, board, me, jobs } = app;
    if (!view) return;
    if (this.#isOfAnother()) return this.#beginAnew();
    const title = typeof view.title === 'function' ? view.title() : view.title;
    document.title = title ? `${title} · Board Governance` : 'Board Governance';
    this.#reveal();
    if (!document.body.dataset.view) return; // nobody sees it yet, and each answer would draw it anew
    if (!this.isStarted) main.replaceChildren();
    setAccountZone(me?.data?.timezone ?? null);
    if (me?.data) app.speak(me.data.language);
    render(html`${topBar(app)}${jobs?.render() ?? nothing}`, document.getElementById('top'));
    const isShown = !route.isPublic && !app.shown.some((each) => each.problem);
    const content = keyed(app.turn, html`<div class="view">${isShown ? unknownCaller(app) : nothing}${route.isPublic ? nothing : unknownZone()}${view.render()}</div>`);
    render(board ? boardFrame(app, board, content) : content, main);
    main.setAttribute('aria-busy', app.access.isBusy);
    this.#restore();
    view.drawn?.(main);
    app.dialog?.draw();
    app.palette?.draw();
    this.#settle();
    app.listen();
  }

  /** Whether somebody else is signed in by now than who the page was drawn for: in another tab while this one slept, or in its dialog. */
  #isOfAnother() {
    const { whoami } = this.app;
    if (!whoami) this.reader = null;
    else if (whoami.data) this.reader ??= readerOf(whoami.data);
    return Boolean(whoami?.data) && this.reader !== readerOf(whoami.data);
  }

  /** Nothing of the page is the reader's: not what it shows, nor what was typed on it. */
  #beginAnew() {
    render(nothing, main);
    location.reload();
  }

  /** What was typed before is shown to who typed it: not before it is known who reads. */
  #restore() {
    const { route, whoami } = this.app;
    if (!route.isPublic) {
      if (!whoami?.data) return;
      drafts.belongTo(readerOf(whoami.data));
    }
    restoreForms(main);
  }

  /** Shows the first view once it is whole, so that nothing moves while a reader begins; after a second in any case. */
  #reveal() {
    this.patience ??= setTimeout(() => {
      this.isLate = true;
      if (!document.body.dataset.view) this.update();
    }, FIRST_VIEW_MS);
    const isWhole = !this.app.access.isBusy && !this.app.resources.some(({ isLoading }) => isLoading);
    if (isWhole || this.isLate) document.body.dataset.view = this.app.route.name;
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

/** Whose page it is, by who is signed in: a user's, or a board token's. */
function readerOf({ userId }) {
  return userId ?? 'token';
}
