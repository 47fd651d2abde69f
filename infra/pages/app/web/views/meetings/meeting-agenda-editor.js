// The editor of a meeting's agenda, loaded once it is opened: by keys and by dragging.

import { NUMBERS } from '../../lib/openapi.js';
import { DRAFT, KINDS, body, editable, said, titleOf } from '../../lib/agenda-items.js';
import { Act } from '../../lib/state.js';
import { beginning, readAgenda } from '../../lib/pasted-lines.js';
import { actProblem, html, isEnter, live, longest, nothing, repeat } from '../../lib/ui.js';
import { drafts } from '../../lib/drafts.js';
import { t } from '../../lib/texts.js';
import { Ordering } from '../ordering.js';
import { audienceChoice } from './in-camera.js';
import { ELSE, personChoice, personOf } from '../members/person-choice.js';

const CHANGED = 412;
const LONGEST_TITLE = longest('putAgenda', 'items.title');
const LONGEST_NOTES = longest('putAgenda', 'items.notes');
const { minimum: LEAST_MINUTES, maximum: MOST_MINUTES } = NUMBERS.putAgenda['items.minutes'];

export class AgendaEditor {
  #last = 0;

  /** @param {import('./meeting-agenda.js').Agenda} agenda @param {any[]} items */
  constructor(agenda, items) {
    const { app, board, params, documents } = agenda;
    Object.assign(this, { app, board, params, documents, agenda, theirs: null });
    this.saving = new Act(app.update);
    this.ordering = new Ordering(app, {
      prefix: 'agenda', list: () => this.items, set: (items) => { this.items = items; this.#keep(); }, titleOf: ({ title }) => title || t('meetingAgenda.theItem'),
    });
    this.#begin(items);
  }

  /** Whether what others save has to wait. */
  get isHeld() {
    return this.saving.isBusy || this.theirs !== null;
  }

  #begin(items) {
    this.items = items.map((item) => this.#keyed(editable(item)));
    if (!this.items.length) this.#add();
  }

  #keyed(item) {
    this.#last += 1;
    return { ...item, key: this.#last };
  }

  /** Keeps what is typed on the device until it is saved or discarded. */
  #keep() {
    drafts.put(this.agenda.path, DRAFT, this.items.map(({ key: _, isHeld: __, ...item }) => item));
  }

  render() {
    return html`
      ${this.theirs ? this.#conflict() : nothing}
      <form class="form" @submit=${(event) => this.#save(event)} @input=${() => this.#keep()} @change=${() => this.#keep()} autocomplete="off" data-draft="" data-kept>
        <p class="soft" id="agenda-hint">${t('ordering.moveByTheButtonsOr')} ${t('meetingAgenda.pasteAList')}</p>
        <ol class="agenda editing">${repeat(this.items, ({ key }) => key, (item, index) => this.#fields(item, index))}</ol>
        ${this.theirs ? nothing : actProblem(this.saving)}
        <p class="row">
          <button type="button" @click=${() => this.#addAndFocus()}>${t('meetingAgenda.addAnItem')}</button>
          <button type="submit" class="primary" ?disabled=${this.isHeld}>${t('meetingAgenda.saveTheAgenda')}</button>
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
        <ol>${this.theirs.items.map((item) => html`<li>${titleOf(item)}</li>`)}</ol>
        <p class="row">
          <button type="button" class="primary" @click=${() => this.#keepMine(this.items)}>${t('common.keepYours')}</button>
          <button type="button" @click=${() => this.#stop()}>${t('common.takeTheirs')}</button>
          <button type="button" @click=${() => this.#keepBoth()}>${t('common.keepBoth')}</button>
        </p>
      </div>`;
  }

  /** What is kept of an item that somebody else has removed is a new item. */
  #keepMine(items) {
    const known = new Set(this.theirs.items.map(({ id }) => id));
    this.items = items.map((item) => (known.has(item.id) ? item : { ...item, id: null }));
    this.theirs = null;
    this.saving.dismiss();
    return this.#put();
  }

  /** Items are as they are here; those that only the other one has stand behind them. */
  #keepBoth() {
    const mine = new Set(this.items.map(({ id }) => id).filter(Boolean));
    const added = this.theirs.items.filter(({ id }) => !mine.has(id));
    const kept = this.items.filter((item) => !isBlank(item));
    return this.#keepMine([...kept, ...added.map((item) => this.#keyed(editable(item)))]);
  }

  /** An item is one line, with the rest of it behind "More". */
  #fields(item, index) {
    const number = index + 1;
    if (item.withheld) return html`<li class="agenda-item" data-entry="agenda-${item.key}"><p class="soft">${titleOf(item)}</p></li>`;
    const on = this.ordering.of(item, index);
    const set = (name, read = (value) => value) => ({ target }) => { item[name] = read(target.value); };
    return html`
      <li class="agenda-item" data-entry="agenda-${item.key}" draggable=${item.isHeld ? 'true' : 'false'} @keydown=${on.keydown} @dragstart=${on.dragstart} @dragover=${on.dragover} @dragend=${on.dragend}>
        <div class="agenda-line">
          ${this.ordering.handle(item, index)}
          <input class="grow" id="agenda-title-${item.key}" ?required=${this.items.length === 1 || !isBlank(item)} maxlength=${LONGEST_TITLE} aria-label=${t('meetingAgenda.titleOfNumber', { item: number })} placeholder=${t('common.title')} aria-describedby="agenda-hint" .value=${live(item.title)} @input=${set('title')} @keydown=${(event) => this.#enter(event, index)} @paste=${(event) => this.#paste(event, index)}>
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
        ${audienceChoice(this.board, item.audience, `agenda-${item.key}`, (audience) => this.#choose(item, audience))}
        ${this.documents.list.items.length ? html`<fieldset class="checks"><legend>${t('meetingAgenda.papers')}</legend>${this.documents.list.items.map(({ id, title }) => html`
          <label><input type="checkbox" ?checked=${item.documentIds.includes(id)} @change=${(event) => attach(item, id, event.target.checked)}> <span>${title}</span></label>`)}</fieldset>` : nothing}
        </details>
      </li>`;
  }

  /** What stands behind "More" of an item. */
  #summary(item) {
    const kind = KINDS().find(([value]) => value === item.kind)?.[1];
    const papers = item.documentIds.length ? t('meetingAgenda.papersOfItem', { number: item.documentIds.length }) : '';
    return html`<span class="soft">${[kind, this.agenda.presenter(item), papers].filter(Boolean).join(' · ')}</span>`;
  }

  /** Puts an item in camera, or opens it. */
  #choose(item, audience) {
    Object.assign(item, { audience, isOpened: !audience });
    this.#keep();
    this.app.update();
  }

  #present(item, chosen) {
    const { userId, unregisteredUserId, name } = personOf(chosen);
    Object.assign(item, { presenterUserId: userId, presenterUnregisteredUserId: unregisteredUserId, presenterName: name, isElse: chosen === ELSE });
    this.app.update();
  }

  #blank() {
    return this.#keyed({ title: '', minutes: null, presenterUserId: null, presenterUnregisteredUserId: null, presenterName: null, kind: null, documentIds: [], notes: null });
  }

  #add() {
    const item = this.#blank();
    this.items = [...this.items, item];
    return item;
  }

  #addAndFocus() {
    const { key } = this.#add();
    this.ordering.focus(`#agenda-title-${key}`);
  }

  /** Enter in a title goes on to the next item, as in a list. */
  #enter(event, index) {
    if (!isEnter(event)) return;
    event.preventDefault();
    const next = this.items[index + 1];
    if (next) this.ordering.focus(`#agenda-title-${next.key}`);
    else if (this.items[index].title.trim()) this.#addAndFocus();
  }

  /** Makes an item of each line of a list that is pasted; the first fills a title that is empty. */
  #paste(event, index) {
    const text = event.clipboardData.getData('text/plain');
    if (!/\S.*[\n\u2028]\s*\S/.test(text)) return;
    event.preventDefault();
    const read = readAgenda(text).map(({ title, minutes, notes }) => ({ title: beginning(title, LONGEST_TITLE), minutes: minutes && Math.min(minutes, MOST_MINUTES), notes: notes && beginning(notes, LONGEST_NOTES) }));
    const at = this.items[index];
    if (!at.title.trim()) Object.assign(at, read.shift());
    const added = read.map((item) => ({ ...this.#blank(), ...item }));
    this.items = this.items.toSpliced(index + 1, 0, ...added);
    this.#keep();
    this.ordering.focus(`#agenda-title-${(added.at(-1) ?? at).key}`);
  }

  #remove(index) {
    this.items = this.items.filter((_, each) => each !== index);
    this.#keep();
    this.ordering.focus('.agenda.editing + * button, .agenda.editing ~ p button');
  }

  #stop() {
    this.agenda.editor = null;
    drafts.remove(this.agenda.path, DRAFT);
    this.app.update();
  }

  #save(event) {
    event.preventDefault();
    return this.isHeld ? undefined : this.#put();
  }

  async #put() {
    const isSaved = await this.saving.run(async () => {
      this.agenda.resource.set(await this.app.api.get('putAgenda', { params: this.params, body: body(this.items.filter((item) => !isBlank(item))) }));
    });
    if (isSaved) {
      this.#stop();
      this.app.say(t('common.saved'));
    } else if (this.saving.problem.status === CHANGED) await this.#readTheirs();
  }

  /** The agenda, which was `before` (see `said`), was read again: it stands beside what is typed here, which stays, or in place of what is only open. */
  compare(before) {
    const { data } = this.agenda.resource;
    const now = said(data?.items);
    if (now === before || now === said(this.items)) return;
    if (said(this.items) === before) this.#begin(data.items);
    else this.theirs = data;
    this.app.update();
  }

  /** Reads what somebody else saved; what is typed stays. */
  async #readTheirs() {
    await this.agenda.resource.reload();
    if (!this.agenda.resource.problem) this.theirs = this.agenda.resource.data;
    this.app.update();
  }
}

function presenterOf({ presenterUserId, presenterUnregisteredUserId, presenterName }) {
  return { userId: presenterUserId, unregisteredUserId: presenterUnregisteredUserId, name: presenterName };
}

/** Whether nothing was typed into a new item: it is not saved. */
function isBlank({ id, title, minutes, presenterUserId, presenterUnregisteredUserId, presenterName, kind, documentIds, notes }) {
  return !id && !title.trim() && !documentIds.length && ![minutes, presenterUserId, presenterUnregisteredUserId, presenterName, kind, notes].some(Boolean);
}

function attach(item, id, isOn) {
  item.documentIds = isOn ? [...item.documentIds, id] : item.documentIds.filter((each) => each !== id);
}
