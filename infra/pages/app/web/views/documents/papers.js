// The papers of a meeting, one after the other in the order of its agenda, to read in place.

import { papersOf } from '../../lib/agenda-items.js';
import { Resource } from '../../lib/state.js';
import { html, show } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';
import { PaperReader } from './paper-reader.js';

const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

export default (app, params) => new PapersView(app, app.board, params);

class PapersView {
  #onKey = (event) => this.#key(event);

  constructor(app, board, params) {
    Object.assign(this, { app, board, params });
    this.reader = new PaperReader(app, board);
    this.index = 0;
    this.meeting = new Resource(() => app.api.get('getMeeting', { params }), app.update);
    this.agenda = new Resource(() => this.#load(), app.update);
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
    const papers = items.flatMap((item, index) => papersOf(item).map((id) => ({ id, item, number: index + 1 })));
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
    const { index, paper = papers[0] } = this;
    return html`
      <section class="card" aria-live="polite">
        <p class="row spread">
          <span><b>${this.reader.shown?.title ?? ''}</b> <span class="soft">${paper.number}. ${paper.item.title} · ${t('papers.numberOfAll', { item: index + 1, all: papers.length })}</span></span>
          <span class="row no-print">
            <button type="button" ?disabled=${index === 0} aria-keyshortcuts="ArrowLeft" @click=${() => this.#open(papers, index - 1)}>${t('papers.previous')}</button>
            <button type="button" ?disabled=${index === papers.length - 1} aria-keyshortcuts="ArrowRight" @click=${() => this.#open(papers, index + 1)}>${t('papers.next')}</button>
          </span>
        </p>
        ${this.reader.render()}
      </section>`;
  }

  #open(papers, index) {
    if (this.reader.opening.isBusy) return undefined;
    const paper = papers[index];
    Object.assign(this, { index, paper });
    this.app.router.query({ paper: paper.id });
    return this.reader.open(paper.id);
  }

  #key(event) {
    const step = STEPS[event.key];
    const isElsewhere = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.target.closest?.('input, select, textarea, dialog');
    const papers = this.agenda.data ?? [];
    const index = this.index + (step ?? 0);
    if (!step || isElsewhere || index < 0 || index >= papers.length) return;
    event.preventDefault();
    this.#open(papers, index);
  }
}
