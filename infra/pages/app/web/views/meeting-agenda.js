// The agenda of a meeting: its items with their times, presenters and papers; edited by keys and by dragging.

import { NUMBERS } from '../lib/openapi.js';
import { Act, Resource } from '../lib/state.js';
import { actProblem, html, live, longest, nothing, pill, repeat, show } from '../lib/ui.js';
import { time } from '../lib/dates.js';
import { personName } from '../lib/words.js';
import { t } from '../lib/texts.js';
import { Ordering } from './ordering.js';

const KINDS = () => [['', '–'], ['information', t('meetingAgenda.information')], ['discussion', t('meetingAgenda.discussion')], ['decision', t('meetingAgenda.decision')]];
const FIELDS = ['id', 'title', 'minutes', 'presenterUserId', 'presenterName', 'kind', 'documentIds', 'notes'];
const { minimum: LEAST_MINUTES, maximum: MOST_MINUTES } = NUMBERS.putAgenda['items.minutes'];

export class Agenda {
  #last = 0;

  constructor(app, board, params, documents) {
    Object.assign(this, { app, board, params, documents });
    this.resource = new Resource(() => app.api.get('getAgenda', { params }), app.update);
    this.saving = new Act(app.update);
    this.items = null;
    this.ordering = new Ordering(app, {
      prefix: 'agenda', list: () => this.items, set: (items) => { this.items = items; }, titleOf: ({ title }) => title || t('meetingAgenda.theItem'),
    });
    this.actions = [['putAgenda', params]];
  }

  get isEditing() {
    return this.items !== null;
  }

  render(meeting) {
    const { status } = meeting;
    const takesFiles = this.#takesFiles(meeting);
    return show(this.resource, t('meetingAgenda.theAgenda'), (agenda) => (this.isEditing ? this.#editor() : html`
      ${agenda.items.length ? html`<ol class="agenda">${agenda.items.map((item) => this.#shown(item, takesFiles))}</ol>` : html`<p class="empty">${t('meetingAgenda.nothingIsOnItYet')}</p>`}
      <p class="row no-print">
        ${status !== 'finalized' && this.board.may('putAgenda', this.params) ? html`<button type="button" @click=${() => this.#edit(agenda)}>${t('meetingAgenda.editTheAgenda')}</button>` : nothing}
        ${agenda.items.some(({ documentIds }) => documentIds.length) ? html`<a class="button" href=${this.board.path('meetings', this.params.meetingId, 'papers')}>${t('papers.readThePapers')}</a>` : nothing}
        ${agenda.items.length ? html`<button type="button" class="plain" @click=${() => print()}>${t('meetingAgenda.print')}</button>` : nothing}
      </p>`));
  }

  /** Whether files may be dropped on an item: they become documents of the meeting, and papers of the item. */
  #takesFiles({ status }) {
    return status !== 'finalized' && this.board.may('putAgenda', this.params) && this.board.may('createDocument');
  }

  #over(event) {
    if (![...event.dataTransfer.items].some(({ kind }) => kind === 'file')) return;
    event.preventDefault();
    event.currentTarget.classList.add('over');
  }

  #take(event, { id }) {
    event.preventDefault();
    event.currentTarget.classList.remove('over');
    this.documents.uploads.begin([...event.dataTransfer.files], ({ documentId }) => this.#attach(id, documentId));
  }

  /** Adds a paper to an item of the agenda as it is now. */
  async #attach(id, documentId) {
    const { items } = await this.app.api.get('getAgenda', { params: this.params });
    const changed = items.map((item) => (item.id === id && !item.documentIds.includes(documentId) ? { ...item, documentIds: [...item.documentIds, documentId] } : item));
    this.resource.set(await this.app.api.get('putAgenda', { params: this.params, body: body(changed) }));
  }

  #shown(item, takesFiles) {
    const presenter = item.presenterUserId ? this.board.nameOf(item.presenterUserId) : item.presenterName;
    const facts = [item.startsAt ? time(item.startsAt) : '', item.minutes ? t('time.minutes', { number: item.minutes }) : '', presenter ?? ''].filter(Boolean);
    return html`
      <li @dragover=${takesFiles ? (event) => this.#over(event) : null} @dragleave=${(event) => event.currentTarget.classList.remove('over')} @drop=${takesFiles ? (event) => this.#take(event, item) : null}>
        <b>${item.title}</b> ${item.kind ? pill(KINDS().find(([kind]) => kind === item.kind)[1], 'quiet') : nothing}
        ${facts.length ? html`<span class="soft">${facts.join(' · ')}</span>` : nothing}
        ${item.notes ? html`<p class="quote">${item.notes}</p>` : nothing}
        ${item.documentIds.length ? html`<ul class="papers">${item.documentIds.map((id) => html`<li><a href=${this.board.path('documents', id)}>${this.#titleOf(id)}</a></li>`)}</ul>` : nothing}</li>`;
  }

  #titleOf(id) {
    return this.documents.list.items.find((each) => each.id === id)?.title ?? t('meetingAgenda.aPaper');
  }

  #edit({ items }) {
    this.items = items.map((item) => this.#keyed(Object.fromEntries(FIELDS.map((name) => [name, item[name]]))));
    if (!this.items.length) this.#add();
    this.app.update();
  }

  #keyed(item) {
    this.#last += 1;
    return { ...item, key: this.#last };
  }

  #editor() {
    return html`
      <form class="form" @submit=${(event) => this.#save(event)} autocomplete="off">
        <p class="soft" id="agenda-hint">${t('ordering.moveByTheButtonsOr')}</p>
        <ol class="agenda editing">${repeat(this.items, ({ key }) => key, (item, index) => this.#fields(item, index))}</ol>
        ${actProblem(this.saving)}
        <p class="row">
          <button type="button" @click=${() => this.#addAndFocus()}>${t('meetingAgenda.addAnItem')}</button>
          <button type="submit" class="primary" ?disabled=${this.saving.isBusy}>${t('meetingAgenda.saveTheAgenda')}</button>
          <button type="button" class="plain" @click=${() => this.#stop()}>${t('ui.cancel')}</button>
        </p>
      </form>`;
  }

  #fields(item, index) {
    const number = index + 1;
    const on = this.ordering.of(item, index);
    const set = (name, read = (value) => value) => ({ target }) => { item[name] = read(target.value); };
    return html`
      <li class="agenda-item" data-entry="agenda-${item.key}" draggable=${item.isHeld ? 'true' : 'false'} @keydown=${on.keydown} @dragstart=${on.dragstart} @dragover=${on.dragover} @dragend=${on.dragend}>
        <div class="row spread">
          ${this.ordering.handle(item, index)}
          <span class="row">
            ${this.ordering.buttons(index)}
            <button type="button" class="small plain" aria-label=${t('meetingAgenda.removeNumber', { item: number })} @click=${() => this.#remove(index)}>${t('common.remove')}</button>
          </span>
        </div>
        <div class="field"><label for="agenda-title-${item.key}">${t('common.title')}</label>
          <input id="agenda-title-${item.key}" required maxlength=${longest('putAgenda', 'items.title')} aria-describedby="agenda-hint" .value=${live(item.title)} @input=${set('title')}></div>
        <div class="pair">
          <div class="field"><label for="agenda-minutes-${item.key}">${t('meetingAgenda.minutes')}</label>
            <input id="agenda-minutes-${item.key}" type="number" min=${LEAST_MINUTES} max=${MOST_MINUTES} .value=${live(item.minutes ?? '')} @input=${set('minutes', (value) => (value ? Number(value) : null))}></div>
          <div class="field"><label for="agenda-kind-${item.key}">${t('meetingAgenda.kind')}</label>
            <select id="agenda-kind-${item.key}" @change=${set('kind', (value) => value || null)}>${KINDS().map(([value, words]) => html`<option value=${value} ?selected=${value === (item.kind ?? '')}>${words}</option>`)}</select></div>
          <div class="field"><label for="agenda-presenter-${item.key}">${t('meetingAgenda.presenter')}</label>
            <select id="agenda-presenter-${item.key}" @change=${(event) => present(item, event.target.value)}>
              <option value="">${item.presenterName ?? '–'}</option>${this.#presenters(item).map(([id, name]) => html`<option value=${id} ?selected=${id === item.presenterUserId}>${name}</option>`)}</select></div>
        </div>
        <div class="field"><label for="agenda-notes-${item.key}">${t('meetingAgenda.notes')}</label>
          <textarea id="agenda-notes-${item.key}" rows="2" maxlength=${longest('putAgenda', 'items.notes')} .value=${live(item.notes ?? '')} @input=${set('notes', (value) => value || null)}></textarea></div>
        ${this.documents.list.items.length ? html`<fieldset class="checks"><legend>${t('meetingAgenda.papers')}</legend>${this.documents.list.items.map(({ id, title }) => html`
          <label><input type="checkbox" ?checked=${item.documentIds.includes(id)} @change=${(event) => attach(item, id, event.target.checked)}> <span>${title}</span></label>`)}</fieldset>` : nothing}
      </li>`;
  }

  #presenters({ presenterUserId }) {
    const members = this.board.members.items.map((member) => [member.userId, personName(member)]);
    const isGone = presenterUserId && !members.some(([id]) => id === presenterUserId);
    return isGone ? [...members, [presenterUserId, this.board.nameOf(presenterUserId)]] : members;
  }

  #add() {
    const item = this.#keyed({ title: '', minutes: null, presenterUserId: null, presenterName: null, kind: null, documentIds: [], notes: null });
    this.items = [...this.items, item];
    return item;
  }

  #addAndFocus() {
    const { key } = this.#add();
    this.ordering.focus(`#agenda-title-${key}`);
  }

  #remove(index) {
    this.items = this.items.filter((_, each) => each !== index);
    this.ordering.focus('.agenda.editing + * button, .agenda.editing ~ p button');
  }

  #stop() {
    this.items = null;
    this.app.update();
  }

  #save(event) {
    event.preventDefault();
    return this.saving.run(async () => {
      this.resource.set(await this.app.api.get('putAgenda', { params: this.params, body: body(this.items) }));
      this.items = null;
      this.app.say(t('common.saved'));
    });
  }
}

/** Returns the body that sets these items. */
function body(items) {
  return { items: items.map((item) => Object.fromEntries(FIELDS.map((name) => [name, item[name] ?? null]).filter(([, value]) => value !== null))) };
}

function present(item, userId) {
  item.presenterUserId = userId || null;
  if (userId) item.presenterName = null;
}

function attach(item, id, isOn) {
  item.documentIds = isOn ? [...item.documentIds, id] : item.documentIds.filter((each) => each !== id);
}
