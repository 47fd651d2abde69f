// The agenda of a meeting: its items with their times, presenters and papers; edited by keys and by dragging.

import { NUMBERS } from '../lib/openapi.js';
import { Act, Resource } from '../lib/state.js';
import { actProblem, closeAround, html, live, longest, nothing, pill, repeat, show } from '../lib/ui.js';
import { date, time } from '../lib/dates.js';
import { drafts } from '../lib/drafts.js';
import { titled } from '../lib/words.js';
import { t } from '../lib/texts.js';
import { Ordering } from './ordering.js';
import { ELSE, personChoice, personOf } from './person-choice.js';

const KINDS = () => [['', '–'], ['information', t('meetingAgenda.information')], ['discussion', t('meetingAgenda.discussion')], ['decision', t('meetingAgenda.decision')]];
const DRAFT = 'agenda';
const CHANGED = 412;
export const NEW_ITEM = 'new';
const FIELDS = ['id', 'title', 'minutes', 'presenterUserId', 'presenterUnregisteredUserId', 'presenterName', 'kind', 'documentIds', 'notes'];
const { minimum: LEAST_MINUTES, maximum: MOST_MINUTES } = NUMBERS.putAgenda['items.minutes'];

export class Agenda {
  resolutions = null;
  #last = 0;

  constructor(app, board, params, documents) {
    Object.assign(this, { app, board, params, documents });
    board.unregistered;
    this.resource = new Resource(() => app.api.get('getAgenda', { params }), app.update);
    this.saving = new Act(app.update);
    this.carrying = new Act(app.update);
    this.items = null;
    this.ordering = new Ordering(app, {
      prefix: 'agenda', list: () => this.items, set: (items) => { this.items = items; this.#keep(); }, titleOf: ({ title }) => title || t('meetingAgenda.theItem'),
    });
    this.actions = ['putAgenda', 'carryOver'].map((name) => [name, params]);
    this.resources = [this.resource];
    this.follows = [{ on: ['agenda', 'meeting'], read: this, isHeld: () => this.saving.isBusy || this.theirs }];
    this.path = location.pathname;
    this.theirs = null;
    this.#restore();
  }

  /** Opens the editor with what was typed and not saved. */
  #restore() {
    const kept = drafts.get(this.path, DRAFT);
    if (kept?.length) this.items = kept.map((item) => this.#keyed(item));
  }

  /** Keeps what is typed on the device until it is saved or discarded. */
  #keep() {
    drafts.put(this.path, DRAFT, this.items.map(({ key: _, isHeld: __, ...item }) => item));
  }

  get isEditing() {
    return this.items !== null;
  }

  render(meeting) {
    const { status } = meeting;
    const takesFiles = this.#takesFiles(meeting);
    return show(this.resource, t('meetingAgenda.theAgenda'), (agenda) => (this.isEditing ? this.#editor() : html`
      ${agenda.items.length ? html`<ol class="agenda shown">${agenda.items.map((item) => this.#shown(item, takesFiles))}</ol>` : html`<p class="empty">${t('meetingAgenda.nothingIsOnItYet')}</p>`}
      <p class="row no-print">
        ${status !== 'finalized' && this.board.may('putAgenda', this.params) ? html`<button type="button" @click=${() => this.#edit(agenda)}>${t('meetingAgenda.editTheAgenda')}</button>` : nothing}
        ${this.#mayCarryOver(meeting) ? this.#carryOver() : nothing}
        ${agenda.items.some(({ documentIds }) => documentIds.length) ? html`<a class="button" href=${this.board.path('meetings', this.params.meetingId, 'papers')}>${t('papers.readThePapers')}</a>` : nothing}
        ${agenda.items.length ? html`<button type="button" class="plain" @click=${() => print()}>${t('meetingAgenda.print')}</button>` : nothing}
      </p>`));
  }

  #mayCarryOver({ status }) {
    return !['finalized', 'completed'].includes(status) && this.board.may('carryOver', this.params);
  }

  /** Takes over what an earlier meeting left open. */
  #carryOver() {
    const others = this.others?.data?.items.filter(({ id }) => id !== this.params.meetingId) ?? [];
    const open = ({ target }) => {
      if (target.open) this.others ??= new Resource(() => this.app.api.page('listMeetings', { params: { boardId: this.board.id }, query: { limit: 50 } }), this.app.update);
    };
    return html`<details class="disclosure" @toggle=${open}><summary class="button">${t('meetingAgenda.carryOver')}</summary><div class="disclosure-box">
      <p class="soft">${t('meetingAgenda.whatItLeftOpenIsAdded')}</p>
      ${this.others ? show(this.others, t('common.theMeetings'), () => (others.length ? html`<ul class="plain-list">${others.map(({ id, title, startTime }) => html`
        <li><button type="button" class="small" ?disabled=${this.carrying.isBusy} @click=${(event) => this.#carry(id, event.currentTarget)}>${title}${startTime ? ` · ${date(startTime)}` : ''}</button></li>`)}</ul>` : html`<p class="empty">${t('meetingAgenda.thereIsNoOtherMeeting')}</p>`)) : nothing}
      ${actProblem(this.carrying)}</div></details>`;
  }

  async #carry(fromMeetingId, button) {
    const before = this.resource.data.items.length;
    const done = await this.carrying.run(async () => {
      this.resource.set(await this.app.api.get('carryOver', { params: this.params, body: { fromMeetingId } }));
    });
    if (!done) return;
    closeAround(button);
    this.app.say(t('meetingAgenda.itemsWereAdded', { number: this.resource.data.items.length - before }));
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
    this.documents.uploads.begin([...event.dataTransfer.files], ({ documentId }) => this.attach(id, documentId));
  }

  /** The item that a document is a paper of. */
  itemOf(documentId) {
    return this.resource.data?.items.find(({ documentIds }) => documentIds.includes(documentId));
  }

  /** Whether papers can be put on items now. */
  takesPapers({ status }) {
    return status !== 'finalized' && this.resource.isReady && !this.isEditing && this.board.may('putAgenda', this.params);
  }

  /** Makes a document a paper of one item of the agenda as it is now: of no other; of none (`''`); of a new one (`NEW_ITEM`). */
  async attach(id, documentId, title) {
    const { items } = await this.app.api.get('getAgenda', { params: this.params });
    const changed = placed(items, id, documentId, title);
    this.resource.set(await this.app.api.get('putAgenda', { params: this.params, body: body(changed) }));
  }

  #shown(item, takesFiles) {
    const presenter = this.#presenter(item);
    const facts = [item.startsAt ? time(item.startsAt) : '', item.minutes ? t('time.minutes', { number: item.minutes }) : '', presenter].filter(Boolean);
    return html`
      <li @dragover=${takesFiles ? (event) => this.#over(event) : null} @dragleave=${(event) => event.currentTarget.classList.remove('over')} @drop=${takesFiles ? (event) => this.#take(event, item) : null}>
        <b>${item.title}</b>${item.kind ? pill(KINDS().find(([kind]) => kind === item.kind)[1], 'quiet') : nothing}
        ${facts.length ? html`<span class="soft">${facts.join(' · ')}</span>` : nothing}
        ${item.notes ? html`<p class="quote">${item.notes}</p>` : nothing}
        ${this.#decision(item)}
        ${item.documentIds.length ? html`<ul class="papers">${item.documentIds.map((id) => html`<li><a href=${this.board.path('documents', id)}>${this.#titleOf(id)}</a></li>`)}</ul>` : nothing}</li>`;
  }

  /** The resolution of an item, or the way to draft it where the item is there to decide. */
  #decision({ id, kind }) {
    const resolution = this.resolutions.of(id);
    if (resolution) return html`<p><a href=${this.resolutions.pathOf(resolution)}>${titled(resolution)}</a> ${pill(resolution.status)}</p>`;
    return kind === 'decision' && this.resolutions.mayDraft ? html`<p class="no-print"><a href=${this.resolutions.newPath(id)}>${t('meetingAgenda.draftTheResolution')}</a></p>` : nothing;
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
      ${this.theirs ? this.#conflict() : nothing}
      <form class="form" @submit=${(event) => this.#save(event)} @input=${() => this.#keep()} @change=${() => this.#keep()} autocomplete="off" data-draft="" data-kept>
        <p class="soft" id="agenda-hint">${t('ordering.moveByTheButtonsOr')}</p>
        <ol class="agenda editing">${repeat(this.items, ({ key }) => key, (item, index) => this.#fields(item, index))}</ol>
        ${this.theirs ? nothing : actProblem(this.saving)}
        <p class="row">
          <button type="button" @click=${() => this.#addAndFocus()}>${t('meetingAgenda.addAnItem')}</button>
          <button type="submit" class="primary" ?disabled=${this.saving.isBusy}>${t('meetingAgenda.saveTheAgenda')}</button>
          <button type="button" class="plain" @click=${() => this.#stop()}>${t('meetingAgenda.discard')}</button>
          <span class="soft">${t('meetingAgenda.whatYouTypeIsKept')}</span>
        </p>
      </form>`;
  }

  /** What somebody else saved meanwhile, beside what is typed here. */
  #conflict() {
    return html`
      <div class="notice" role="alert">
        <p><strong>${t('common.somebodyElseHasWrittenToo')}</strong></p>
        <p class="kicker">${t('common.theirs')}</p>
        <ol>${this.theirs.items.map(({ title }) => html`<li>${title}</li>`)}</ol>
        <p class="row">
          <button type="button" class="primary" @click=${() => this.#settle(true)}>${t('common.keepYours')}</button>
          <button type="button" @click=${() => this.#settle(false)}>${t('common.takeTheirs')}</button>
        </p>
      </div>`;
  }

  /** What is kept of an item that somebody else has removed is a new item. */
  #settle(isMine) {
    const known = new Set(this.theirs.items.map(({ id }) => id));
    if (isMine) this.items = this.items.map((item) => (known.has(item.id) ? item : { ...item, id: null }));
    this.theirs = null;
    this.saving.dismiss();
    return isMine ? this.#put() : this.#stop();
  }

  /** An item is one line, with the rest of it behind "More". */
  #fields(item, index) {
    const number = index + 1;
    const on = this.ordering.of(item, index);
    const set = (name, read = (value) => value) => ({ target }) => { item[name] = read(target.value); };
    return html`
      <li class="agenda-item" data-entry="agenda-${item.key}" draggable=${item.isHeld ? 'true' : 'false'} @keydown=${on.keydown} @dragstart=${on.dragstart} @dragover=${on.dragover} @dragend=${on.dragend}>
        <div class="agenda-line">
          ${this.ordering.handle(item, index)}
          <input class="grow" id="agenda-title-${item.key}" required maxlength=${longest('putAgenda', 'items.title')} aria-label=${t('meetingAgenda.titleOfNumber', { item: number })} placeholder=${t('common.title')} aria-describedby="agenda-hint" .value=${live(item.title)} @input=${set('title')}>
          <label class="inline"><input id="agenda-minutes-${item.key}" type="number" min=${LEAST_MINUTES} max=${MOST_MINUTES} .value=${live(item.minutes ?? '')} @input=${set('minutes', (value) => (value ? Number(value) : null))}> ${t('meetingAgenda.minutes')}</label>
          <span class="row">${this.ordering.buttons(index)}
            <button type="button" class="small plain" aria-label=${t('meetingAgenda.removeNumber', { item: number })} @click=${() => this.#remove(index)}>${t('common.remove')}</button></span>
        </div>
        <details class="agenda-more"><summary>${t('meetingAgenda.more')} ${this.#summary(item)}</summary>
        <div class="pair">
          <div class="field"><label for="agenda-kind-${item.key}">${t('meetingAgenda.kind')}</label>
            <select id="agenda-kind-${item.key}" @change=${set('kind', (value) => value || null)}>${KINDS().map(([value, words]) => html`<option value=${value} ?selected=${value === (item.kind ?? '')}>${words}</option>`)}</select></div>
          ${personChoice(this.board, t('meetingAgenda.presenter'), presenterOf(item), {
            id: `agenda-presenter-${item.key}`, typed: 'items.presenterName', of: 'putAgenda', isElse: item.isElse, onChange: (value) => this.#present(item, value), onInput: (name) => { item.presenterName = name.trim() || null; },
          })}
        </div>
        <div class="field"><label for="agenda-notes-${item.key}">${t('meetingAgenda.notes')}</label>
          <textarea id="agenda-notes-${item.key}" rows="2" maxlength=${longest('putAgenda', 'items.notes')} .value=${live(item.notes ?? '')} @input=${set('notes', (value) => value || null)}></textarea></div>
        ${this.documents.list.items.length ? html`<fieldset class="checks"><legend>${t('meetingAgenda.papers')}</legend>${this.documents.list.items.map(({ id, title }) => html`
          <label><input type="checkbox" ?checked=${item.documentIds.includes(id)} @change=${(event) => attach(item, id, event.target.checked)}> <span>${title}</span></label>`)}</fieldset>` : nothing}
        </details>
      </li>`;
  }

  /** What stands behind "More" of an item. */
  #summary(item) {
    const kind = KINDS().find(([value]) => value === item.kind)?.[1];
    const papers = item.documentIds.length ? t('meetingAgenda.papersOfItem', { number: item.documentIds.length }) : '';
    return html`<span class="soft">${[kind, this.#presenter(item), papers].filter(Boolean).join(' · ')}</span>`;
  }

  #presenter({ presenterUserId, presenterUnregisteredUserId, presenterName }) {
    if (presenterUserId) return this.board.nameOf(presenterUserId);
    const person = this.board.unregistered.items.find(({ id }) => id === presenterUnregisteredUserId);
    return person?.fullName ?? presenterName ?? '';
  }

  #present(item, chosen) {
    const { userId, unregisteredUserId, name } = personOf(chosen);
    Object.assign(item, { presenterUserId: userId, presenterUnregisteredUserId: unregisteredUserId, presenterName: name, isElse: chosen === ELSE });
    this.app.update();
  }

  #add() {
    const item = this.#keyed({ title: '', minutes: null, presenterUserId: null, presenterUnregisteredUserId: null, presenterName: null, kind: null, documentIds: [], notes: null });
    this.items = [...this.items, item];
    return item;
  }

  #addAndFocus() {
    const { key } = this.#add();
    this.ordering.focus(`#agenda-title-${key}`);
  }

  #remove(index) {
    this.items = this.items.filter((_, each) => each !== index);
    this.#keep();
    this.ordering.focus('.agenda.editing + * button, .agenda.editing ~ p button');
  }

  #stop() {
    Object.assign(this, { items: null, theirs: null });
    drafts.remove(this.path, DRAFT);
    this.app.update();
  }

  #save(event) {
    event.preventDefault();
    return this.#put();
  }

  async #put() {
    const isSaved = await this.saving.run(async () => {
      this.resource.set(await this.app.api.get('putAgenda', { params: this.params, body: body(this.items) }));
    });
    if (isSaved) {
      this.#stop();
      this.app.say(t('common.saved'));
    } else if (this.saving.problem.status === CHANGED) await this.#compare();
  }

  /** Reads again what others may have saved: beside what is typed here, which stays, or in place of what is only open. */
  async refresh() {
    const before = said(this.resource.data?.items);
    const isRead = await this.resource.refresh();
    const now = said(this.resource.data?.items);
    if (!isRead || !this.isEditing || now === before || now === said(this.items)) return isRead;
    if (said(this.items) === before) this.#edit(this.resource.data);
    else this.theirs = this.resource.data;
    this.app.update();
    return isRead;
  }

  /** Reads what somebody else saved; what is typed stays. */
  async #compare() {
    await this.resource.reload();
    if (!this.resource.problem) this.theirs = this.resource.data;
    this.app.update();
  }
}

/** Returns what is said by items, for comparing. */
function said(items = []) {
  return JSON.stringify(body(items));
}

function presenterOf({ presenterUserId, presenterUnregisteredUserId, presenterName }) {
  return { userId: presenterUserId, unregisteredUserId: presenterUnregisteredUserId, name: presenterName };
}

/** Returns the body that sets these items; who is named by a link is called as they are called now. */
function body(items) {
  return { items: items.map((item) => (item.presenterUnregisteredUserId ? { ...item, presenterName: null } : item)).map((item) => Object.fromEntries(FIELDS.map((name) => [name, item[name] ?? null]).filter(([, value]) => value !== null))) };
}

/** Returns the items with a document as a paper of one of them, or of a new one, and of no other. */
function placed(items, id, documentId, title) {
  const without = items.map((item) => ({ ...item, documentIds: item.documentIds.filter((each) => each !== documentId) }));
  if (id === NEW_ITEM) return [...without, { title, documentIds: [documentId] }];
  return without.map((item) => (item.id === id ? { ...item, documentIds: [...item.documentIds, documentId] } : item));
}

function attach(item, id, isOn) {
  item.documentIds = isOn ? [...item.documentIds, id] : item.documentIds.filter((each) => each !== id);
}
