// Drafting a resolution beside its papers, from a template or from nothing.

import { List, Resource, Act } from '../../lib/state.js';
import { card, html, nothing, show } from '../../lib/ui.js';
import { resolutionBody, resolutionForm } from './resolution-form.js';
import { PaperReader } from '../documents/paper-reader.js';
import { Templates } from './resolution-templates.js';
import { t } from '../../lib/texts.js';

export class Drafting {
  /** `draft` is what is changed, null for a new one; `send(body, key)` returns the resolution as it is then, `done` takes it. */
  constructor(app, board, { draft = null, meetingId = null, agendaItemId = null, supersedesId = null, send, done }) {
    Object.assign(this, { app, board, draft: draft ?? { meetingId, agendaItemId, supersedesId, documentIds: [] }, send, done });
    const params = { boardId: board.id };
    /** @type {(name: 'listDocuments' | 'listMeetings' | 'listCommittees' | 'listResolutions', query?: any) => any} */
    const all = (name, query) => new List((cursor) => app.api.page(name, { params, query: { limit: 100, ...query }, cursor }), app.update);
    this.documents = all('listDocuments');
    this.meetings = all('listMeetings');
    this.committees = all('listCommittees');
    this.carried = all('listResolutions', { status: 'carried' });
    this.agenda = this.draft.meetingId ? new Resource(() => app.api.get('getAgenda', { params: { ...params, meetingId: this.draft.meetingId } }), app.update) : null;
    this.saving = new Act(app.update);
    this.reader = new PaperReader(app, board);
    this.templates = new Templates(app, board, () => this.documents.items);
    this.text = '';
    this.resources = [this.documents, this.meetings, this.committees, this.carried, ...(this.agenda ? [this.agenda] : [])];
  }

  render() {
    const { members } = this.board;
    const isThere = [members, this.documents, this.meetings, this.committees, this.carried].find((each) => !each.isReady) ?? members;
    return show(isThere, t('resolutions.theDecisions'), () => html`
      ${this.draft.id ? nothing : this.templates.render()}
      ${resolutionForm({
        act: this.saving, button: this.draft.id ? t('common.save') : t('resolutionForm.saveTheDraft'), draft: this.draft, members: members.items,
        committees: this.committees.items, meetings: this.#meetings, superseded: this.carried.items.filter(({ supersededById, id }) => !supersededById && id !== this.draft.id),
        aside: card(t('common.documents'), this.#papers()), submit: (values) => this.#save(values),
      })}`);
  }

  /** The meetings that can still be decided in, and the draft's own. */
  get #meetings() {
    return this.meetings.items.filter(({ id, status }) => status !== 'finalized' || id === this.draft.meetingId);
  }

  async #save(values) {
    const body = resolutionBody(values, this.board.members.items, this.committees.items);
    if (this.draft.agendaItemId && body.meetingId === this.draft.meetingId) body.agendaItemId = this.draft.agendaItemId;
    const given = this.draft.id ? body : Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
    const saved = await this.send(given, this.saving.keyFor(given));
    await this.done(saved);
  }

  /** The papers to decide on: those of the meeting first; what is ticked belongs to the resolution. */
  #papers() {
    const ofMeeting = (this.agenda?.data?.items ?? []).flatMap(({ documentIds }) => documentIds ?? []);
    const isFirst = ({ id, meetingIds = [] }) => this.draft.documentIds.includes(id) || ofMeeting.includes(id) || meetingIds.includes(this.draft.meetingId);
    const wanted = this.text.trim().toLowerCase();
    const sorted = [...this.documents.items.filter(isFirst), ...this.documents.items.filter((each) => !isFirst(each))];
    return html`
      ${sorted.length > 8 ? html`<div class="field"><label for="papers-text">${t('frame.search')}</label><input id="papers-text" type="search" .value=${this.text} @input=${(event) => this.#search(event)}></div>` : nothing}
      <ul class="plain-list paper-choice">${sorted.map((item) => html`<li class="row" ?hidden=${wanted && !item.title.toLowerCase().includes(wanted)}>
        <label class="inline grow"><input type="checkbox" name="documentIds" value=${item.id} data-list ?checked=${this.draft.documentIds.includes(item.id)}> <span>${item.title}</span></label>
        <button type="button" class="small plain" aria-label=${t('resolutionForm.readTitle', { title: item.title })} @click=${() => this.reader.open(item.id)}>${t('resolutionForm.read')}</button></li>`)}</ul>
      ${sorted.length ? nothing : html`<p class="empty">${t('documents.thereIsNoDocumentYet')}</p>`}
      ${this.reader.render()}`;
  }

  /** A field of the page, not of the resolution. */
  #search(event) {
    event.stopPropagation();
    this.text = event.target.value;
    this.app.update();
  }
}
