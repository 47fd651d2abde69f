// The figures of a dashboard filled in by hand: saved when a field is left, and checked once they are saved.

import { fetchDefinitions } from '../../lib/catalog.js';
import { currencyOf, differing, draftOf, errorOf, fieldsOf, isBlank, newDraft, signatureOf } from '../../lib/figure-drafts.js';
import { Act, Resource } from '../../lib/state.js';
import { text } from '../../lib/chart-values.js';
import { asTyped } from '../../lib/typed-numbers.js';
import { actProblem, confirmButton, html, longest, nothing, repeat, show } from '../../lib/ui.js';
import { plain } from '../../lib/written-numbers.js';
import { t } from '../../lib/texts.js';
import { figureId } from './dashboard-checks.js';
import { FigureRow } from './figure-row.js';
import { Ordering } from '../ordering.js';

// A figure that is moved by several keys is saved once.
const PAUSE_MS = 600;
const CHANGED = 412;
const EXAMPLE = '1234.50';

export class FigureEditor {
  #last = 0;
  #pause = 0;
  #work = null;
  #isUnsaved = false;
  #isRefused = false;
  #leaving = (event) => this.#isUnsaved && event.preventDefault();

  /** `changed` takes the dashboard as it was saved; `done` is called when the editor is closed; `currency` returns the report's. */
  constructor(app, params, checks, { changed, done, currency }) {
    Object.assign(this, { app, params, checks, changed, done, currency, rows: null, theirs: null, known: [] });
    this.resource = new Resource(() => this.#read(), app.update);
    this.definitions = new Resource(fetchDefinitions, app.update);
    this.saving = new Act(app.update);
    this.removing = new Act(app.update);
    this.ordering = new Ordering(app, {
      prefix: this.#prefix, list: () => this.rows, set: (rows) => this.#order(rows), titleOf: ({ row }) => row.draft.label || t('figureEditor.theFigure'),
    });
    addEventListener('beforeunload', this.#leaving);
  }

  get #prefix() {
    return `fill-${this.params.dashboardId}`;
  }

  dispose() {
    removeEventListener('beforeunload', this.#leaving);
    return this.#flush();
  }

  /** Returns the figures as the API has them now, their numbers as they are written. */
  async #read() {
    const dashboard = await this.app.api.get('getDashboard', { params: this.params, hasWrittenNumbers: true });
    this.changed(plain(dashboard));
    return [...dashboard.uniform.fields].sort((one, other) => orderOf(one) - orderOf(other));
  }

  render(mayDecide) {
    return show(this.resource, t('figureEditor.theFigures'), (fields) => {
      if (!this.rows) this.#begin(fields);
      return this.#editor(mayDecide);
    });
  }

  #begin(fields) {
    this.known = fields;
    this.rows = fields.map((field) => this.#keyed(draftOf(field, t('dashboard.period'))));
    if (!this.rows.length) this.#add();
    this.#readChecks();
  }

  #readChecks() {
    if (this.rows.some(({ row }) => row.draft.rogueId)) this.checks.begin(this.params.dashboardId);
  }

  #keyed(draft) {
    this.#last += 1;
    const row = new FigureRow(this.app, this.definitions, draft, `${this.#prefix}-${this.#last}`, {
      typed: (each) => this.#typed(each), changed: (each) => this.#chosen(each), currency: () => currencyOf(this.#drafts) || this.currency(),
    });
    return { key: this.#last, row, isUnsaved: false };
  }

  get #drafts() {
    return this.rows.map(({ row }) => row.draft);
  }

  #editor(mayDecide) {
    const isFull = this.rows.length >= longest('updateDashboard', 'uniform.fields');
    return html`
      ${this.theirs ? this.#conflict() : nothing}
      <p class="soft">${t('figureEditor.savedWhenYouLeaveAField', { example: asTyped(EXAMPLE) })} ${t('ordering.moveByTheButtonsOr')}</p>
      <ol class="agenda editing" @change=${() => this.#later()}>${repeat(this.rows, ({ key }) => key, (entry, index) => this.#row(entry, index, mayDecide))}</ol>
      ${this.theirs ? nothing : actProblem(this.saving)}
      <p class="soft" role="status" id="${this.#prefix}-state">${this.#state()}</p>
      <p class="row">
        <button type="button" ?disabled=${isFull} @click=${() => this.#addAndFocus()}>${t('figureEditor.addAFigure')}</button>
        <button type="button" class="primary" ?disabled=${this.saving.isBusy || this.theirs !== null} @click=${() => this.#close()}>${t('figureEditor.done')}</button>
      </p>`;
  }

  #state() {
    if (this.saving.isBusy) return t('common.saving');
    if (this.#isRefused) return t('figureEditor.notSavedCorrectFirst');
    return this.#isUnsaved || this.saving.problem ? t('common.notSavedYet') : t('common.allIsSaved');
  }

  #row(entry, index, mayDecide) {
    const { row } = entry;
    const on = this.ordering.of(entry, index);
    const name = row.draft.label || t('figureEditor.theFigure');
    return html`
      <li class="agenda-item figure-row" id=${figureId(this.params.dashboardId, row.draft.fieldId)} tabindex="-1" data-entry="${this.#prefix}-${entry.key}" draggable=${entry.isHeld ? 'true' : 'false'} @keydown=${on.keydown} @dragstart=${on.dragstart} @dragover=${on.dragover} @dragend=${on.dragend}>
        <div class="row spread">
          ${this.ordering.handle(entry, index)}
          <span class="row">
            ${this.ordering.buttons(index)}
            ${confirmButton({
              act: this.removing, text: html`${t('common.remove')}<span class="hidden"> ${name}</span>`, yes: t('figureEditor.removeTheFigure'),
              question: t('figureEditor.nameIsTakenOut', { name }), run: () => this.#remove(entry),
            })}
          </span>
        </div>
        ${row.render(this.#isRefused && !isBlank(row.draft) ? errorOf(row.draft) : null)}
        ${entry.isUnsaved ? nothing : this.checks.of({ id: this.params.dashboardId }, row.draft, mayDecide, true)}
      </li>`;
  }

  #add() {
    const entry = this.#keyed(newDraft(crypto.randomUUID(), t('dashboard.period')));
    this.rows = [...this.rows, entry];
    return entry;
  }

  #addAndFocus() {
    this.ordering.focus(this.#add().row.first);
  }

  #remove(entry) {
    this.rows = this.rows.filter((each) => each !== entry);
    this.#note();
    this.#later();
    this.ordering.focus(`#${this.#prefix}-state + p button`);
  }

  #order(rows) {
    this.rows = rows;
    this.#note();
    this.#later();
  }

  #note(row = null) {
    const entry = this.rows.find((each) => each.row === row);
    if (entry) entry.isUnsaved = true;
    this.#isUnsaved = true;
    this.#isRefused = false;
  }

  #typed(row) {
    this.#note(row);
    this.app.update();
  }

  #chosen(row) {
    this.#note(row);
    this.#later();
    this.app.update();
  }

  // -- saving

  /** Saves soon. Half of a number is never saved: it could contradict others, and people would be told. */
  #later() {
    clearTimeout(this.#pause);
    if (this.#isUnsaved && !this.theirs) this.#pause = setTimeout(() => this.#save(), PAUSE_MS);
  }

  async #flush() {
    clearTimeout(this.#pause);
    await this.#work;
    if (this.#isUnsaved && !this.theirs) await this.#save();
  }

  async #close() {
    await this.#flush();
    if (!this.#isUnsaved) this.done();
    else if (this.#isRefused) this.ordering.focus(`[data-entry^="${this.#prefix}-"] [aria-invalid]`);
  }

  #save() {
    if (this.saving.isBusy) return this.#later();
    this.#isRefused = this.#drafts.some((each) => !isBlank(each) && errorOf(each));
    if (!this.#isRefused) this.#work = this.#send();
    this.app.update();
    return this.#work;
  }

  async #send() {
    const sent = this.rows.filter(({ row }) => !isBlank(row.draft));
    const fields = fieldsOf(this.#drafts);
    this.#isUnsaved = false;
    for (const each of this.rows) each.isUnsaved = false;
    const isSaved = await this.saving.run(async () => {
      const body = { uniform: { fields } };
      this.#taken(sent, fields, await this.app.api.get('updateDashboard', { params: this.params, body }));
    });
    if (isSaved) return undefined;
    this.#isUnsaved = true;
    for (const each of sent) each.isUnsaved = true;
    return this.saving.problem.status === CHANGED ? this.#compare() : undefined;
  }

  #taken(sent, fields, saved) {
    this.known = fields;
    sent.forEach(({ row }, index) => { row.draft.field = fields[index]; });
    this.changed(saved);
    this.#readChecks();
  }

  // -- two who write

  /** Shows what somebody else wrote; what is typed is saved at once if they changed none of the figures. */
  async #compare() {
    const theirs = await this.#read().catch(() => null);
    if (!theirs) return undefined;
    if (signatureOf(theirs) === signatureOf(this.known)) return this.#send();
    this.theirs = theirs;
    return this.app.update();
  }

  #conflict() {
    const mine = fieldsOf(this.#drafts);
    return html`
      <div class="notice" role="alert">
        <p><strong>${t('common.somebodyElseHasWrittenToo')}</strong></p>
        ${differing(this.theirs, mine).map(({ label, theirs, mine: own }) => html`
          <h3>${label}</h3>
          <div class="beside"><div><p class="kicker">${t('common.theirs')}</p>${said(theirs)}</div><div><p class="kicker">${t('common.yours')}</p>${said(own)}</div></div>`)}
        <p class="row">
          <button type="button" class="primary" @click=${() => this.#settle(false)}>${t('common.keepYours')}</button>
          <button type="button" @click=${() => this.#settle(true)}>${t('common.takeTheirs')}</button>
        </p>
      </div>`;
  }

  #settle(areTheirs) {
    const { theirs } = this;
    Object.assign(this, { theirs: null, known: theirs });
    this.saving.dismiss();
    if (!areTheirs) return this.#save();
    this.#isUnsaved = false;
    this.#begin(theirs);
    return this.app.update();
  }
}

function orderOf({ displayOrder }) {
  return Number(displayOrder.text);
}

/** What a figure states, in short. */
function said(field) {
  if (!field) return html`<p class="said">${t('figureEditor.isNotThere')}</p>`;
  const value = plain(field.value ?? null);
  const isGrid = value !== null && typeof value === 'object';
  return html`<p class="said">${field.label}: ${isGrid ? t('figureEditor.cellsOfAGrid') : (field.value?.text ?? text(value))}</p>`;
}
