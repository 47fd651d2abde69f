// The papers of a meeting, one after the other in the order of its agenda, to read in place.

import { isPdf, isShown } from '../lib/file-types.js';
import { Act, Resource } from '../lib/state.js';
import { actProblem, html, nothing, show } from '../lib/ui.js';
import { t } from '../lib/texts.js';

const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

export default (app, params) => new PapersView(app, app.board, params);

class PapersView {
  #onKey = (event) => this.#key(event);

  constructor(app, board, params) {
    Object.assign(this, { app, board, params });
    this.meeting = new Resource(() => app.api.get('getMeeting', { params }), app.update);
    this.agenda = new Resource(() => this.#load(), app.update);
    this.opening = new Act(app.update);
    this.shown = null;
    this.actions = [];
    this.resources = [this.meeting, this.agenda];
    document.addEventListener('keydown', this.#onKey);
  }

  title = () => t('papers.papersOf', { title: this.meeting.data?.title ?? t('common.meeting') });

  dispose() {
    document.removeEventListener('keydown', this.#onKey);
  }

  /** Returns the papers in the order of the agenda, each with its item; the first one, or that of the address, is opened. */
  async #load() {
    const { items } = await this.app.api.get('getAgenda', { params: this.params });
    const papers = items.flatMap((item, index) => item.documentIds.map((id) => ({ id, item, number: index + 1 })));
    const wanted = new URLSearchParams(location.search).get('paper');
    if (papers.length) this.#open(papers, Math.max(0, papers.findIndex(({ id }) => id === wanted)));
    return papers;
  }

  render() {
    return html`
      <p class="no-print"><a href=${this.board.path('meetings', this.params.meetingId)}>${t('papers.backToTheMeeting')}</a></p>
      <h1>${this.title()}</h1>
      ${show(this.agenda, t('papers.thePapers'), (papers) => (papers.length ? this.#reader(papers) : html`<p class="empty">${t('papers.thereAreNoPapers')}</p>`))}`;
  }

  #reader(papers) {
    const { index, paper, title } = this.shown ?? { index: 0, paper: papers[0], title: '' };
    return html`
      <section class="card" aria-live="polite">
        <p class="row spread">
          <span><b>${title}</b> <span class="soft">${paper.number}. ${paper.item.title} · ${t('papers.numberOfAll', { item: index + 1, all: papers.length })}</span></span>
          <span class="row no-print">
            <button type="button" ?disabled=${index === 0} aria-keyshortcuts="ArrowLeft" @click=${() => this.#open(papers, index - 1)}>${t('papers.previous')}</button>
            <button type="button" ?disabled=${index === papers.length - 1} aria-keyshortcuts="ArrowRight" @click=${() => this.#open(papers, index + 1)}>${t('papers.next')}</button>
          </span>
        </p>
        ${actProblem(this.opening)}
        ${this.#viewer()}
      </section>`;
  }

  /** PDF is shown in a frame without a sandbox, which no browser's own viewer works in; the bucket's origin keeps it apart. */
  #viewer() {
    if (!this.shown || this.opening.isBusy) return nothing;
    const { url, title, type, paper } = this.shown;
    if (!url) return html`<p>${t('papers.itIsNotShownHere')} <a href=${this.board.path('documents', paper.id)}>${t('papers.openTheDocument')}</a></p>`;
    return html`<p class="row no-print"><a class="button" href=${url} target="_blank" rel="noopener noreferrer">${t('documentFiles.open')}</a><a class="button" href=${this.board.path('documents', paper.id)}>${t('papers.openTheDocument')}</a></p>
      <div class="viewer">${isPdf(type)
      ? html`<iframe src=${url} title=${title} referrerpolicy="no-referrer"></iframe>`
      : html`<iframe src=${url} title=${title} referrerpolicy="no-referrer" sandbox></iframe>`}</div>`;
  }

  #open(papers, index) {
    const paper = papers[index];
    return this.opening.run(async () => {
      this.shown = { index, paper, title: '', url: '' };
      const params = { boardId: this.board.id, documentId: paper.id };
      const { title, mimeType, latestVersionId } = await this.app.api.get('getDocument', { params });
      const isReadable = latestVersionId && isShown(mimeType);
      const url = isReadable ? await this.#address({ ...params, versionId: latestVersionId }) : '';
      if (this.shown.paper === paper) this.shown = { index, paper, title, type: mimeType, url };
      this.app.router.query({ paper: paper.id });
    });
  }

  /** A document without files names as its latest version what it likes: that leads to no file. */
  async #address(params) {
    try {
      return (await this.app.api.get('getDocumentVersionContent', { params, query: { disposition: 'inline' } })).url;
    } catch (error) {
      if (error.status === 404) return '';
      throw error;
    }
  }

  #key(event) {
    const step = STEPS[event.key];
    const isElsewhere = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.target.closest?.('input, select, textarea, dialog');
    const papers = this.agenda.data ?? [];
    const index = (this.shown?.index ?? 0) + (step ?? 0);
    if (!step || isElsewhere || index < 0 || index >= papers.length) return;
    event.preventDefault();
    this.#open(papers, index);
  }
}
