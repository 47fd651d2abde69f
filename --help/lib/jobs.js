// Work of the service that goes on while one is elsewhere, board packs, documents and exports: shown on every page until it is dismissed.
// It is kept with what is typed, so a reload keeps it and a sign-out ends it.

import { instantNow } from './clock.js';
import { JOBS, drafts } from './drafts.js';
import { html, nothing, relativeTime, repeat } from './ui.js';
import { t } from './texts.js';

export const PAUSE_MS = 3000;
const RUNNING = ['pending', 'uploading', 'scanning'];

// How each kind of work stands: the resource with its `status`, and the size or the reason that it has at the end.
const newest = (api, params) => api.page('listDocumentVersions', { params, query: { limit: 1 } }).then(({ items: [version] }) => version);
const LOOKS = {
  pack: newest,
  document: newest,
  export: (api, params) => api.get(params.boardId ? 'getBoardExport' : 'getMyExport', { params }),
};
const WORDS = () => ({
  pack: { running: (title) => t('jobs.thePackIsBeingMade', { title }), ready: (title) => t('jobs.thePackIsReady', { title }), open: t('meetingPack.readTheBoardPack') },
  document: { running: (title) => t('jobs.theDocumentIsBeingMade', { title }), ready: (title) => t('jobs.theDocumentIsReady', { title }), open: t('papers.openTheDocument') },
  export: { running: (title) => t('jobs.theExportIsBeingMade', { title }), ready: (title) => t('jobs.theExportIsReady', { title }), open: t('jobs.goToTheExport') },
});

export class Jobs {
  #finished = new Map();
  #isWatching = false;

  constructor(app) {
    this.app = app;
    this.#watch();
  }

  get #all() {
    return drafts.get(...JOBS) ?? [];
  }

  #keep(all) {
    if (all.length) drafts.put(...JOBS, all);
    else drafts.remove(...JOBS);
    this.app.update();
  }

  /**
   * Follows work, `{id, kind, params, title, page, result}`: it is shown but on its own `page`, and leads to `result` once it is
   * done. `finished` is called then.
   */
  follow(job, finished) {
    this.#finished.set(job.id, finished);
    if (!this.of(job.id)) this.#keep([...this.#all, { ...job, status: 'pending', since: instantNow() }]);
    this.#watch();
  }

  of(id) {
    return this.#all.find((job) => job.id === id);
  }

  dismiss(id) {
    this.#keep(this.#all.filter((job) => job.id !== id));
  }

  async #watch() {
    if (this.#isWatching) return;
    this.#isWatching = true;
    while (this.#all.some(isRunning)) {
      await Promise.all(this.#all.filter(isRunning).map((job) => this.#look(job)));
      this.app.update(); // they have taken longer
      if (this.#all.some(isRunning)) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    this.#isWatching = false;
  }

  /** What cannot be read now is asked for again; what is gone is forgotten. */
  async #look(job) {
    try {
      const { status, reason = null } = await LOOKS[job.kind](this.app.api, job.params);
      if (RUNNING.includes(status)) return;
      this.#keep(this.#all.map((each) => (each.id === job.id ? { ...each, status, reason } : each)));
      this.#finished.get(job.id)?.();
      this.read();
    } catch (error) {
      if ([403, 404].includes(error.status)) this.dismiss(job.id);
    }
  }

  /** Forgets what is ready and is read on the page that is shown; on its own page it says so. */
  read() {
    const path = globalThis.location?.pathname;
    const rest = this.#all.filter(({ status, result, page }) => status !== 'ready' || result !== path || page === path);
    if (rest.length < this.#all.length) this.#keep(rest);
  }

  render() {
    const shown = this.#all.filter(({ page }) => page !== location.pathname);
    if (!shown.length) return nothing;
    return html`<ul class="jobs no-print" aria-label=${t('jobs.whatIsBeingMade')}>${repeat(shown, ({ id }) => id, (job) => html`<li><div class="row" role="status">${this.#row(job)}</div></li>`)}</ul>`;
  }

  #row(job) {
    const words = WORDS()[job.kind];
    if (isRunning(job)) return html`<progress aria-hidden="true"></progress><span>${words.running(job.title)} <span class="soft">${t('jobs.sinceWhen', { when: relativeTime(job.since) })}</span></span>`;
    const isReady = job.status === 'ready';
    return html`
      <span>${isReady ? words.ready(job.title) : job.reason ?? t('jobs.itFailed', { title: job.title })}</span>
      ${isReady ? html`<a class="button small" href=${job.result} @click=${() => this.dismiss(job.id)}>${words.open}</a>` : nothing}
      <button type="button" class="plain small" @click=${() => this.dismiss(job.id)}>${t('documentFiles.close')}</button>`;
  }
}

function isRunning({ status }) {
  return RUNNING.includes(status);
}
