// The form that fills a dashboard from a spreadsheet, loaded when it is opened. The API alone reads what was pasted: it shows
// what would become of it, refuses lines, and asks for what nothing tells. Nothing changes before that is seen.

import { figure } from '../../lib/chart-values.js';
import { isPercent } from '../../lib/contradictions.js';
import { csv, save } from '../../lib/csv.js';
import { calendarDate, today } from '../../lib/dates.js';
import { fieldSentence } from '../../lib/field-errors.js';
import { CURRENCY_KPIS } from '../../lib/kpis.js';
import { LIMITS, VALUES } from '../../lib/openapi.js';
import { Problem } from '../../lib/problems.js';
import { Act } from '../../lib/state.js';
import { t } from '../../lib/texts.js';
import { actProblem, choice, closeAround, html, live, nothing } from '../../lib/ui.js';
import { plain } from '../../lib/written-numbers.js';

const PAUSE_MS = 400;
const CURRENCY_LETTERS = 3;
const { decimal: DECIMALS, dateOrder: DATE_ORDERS } = VALUES.putDashboardFigures;
const WORDS = () => ({ '.': t('dashboardSheet.aPoint'), ',': t('dashboardSheet.aComma'), dmy: t('dashboardSheet.dayFirst'), mdy: t('dashboardSheet.monthFirst') });
const LINE = /^csv\.(\d+)/;

export class DashboardSheet {
  #pause = 0;
  #turn = 0;

  /** `current` returns the dashboard as it is, and `changed` takes it as it is afterwards; `currency` returns the report's. */
  constructor(app, params, current, { changed, currency }) {
    Object.assign(this, { app, params, current, changed, newest: currency });
    this.filling = new Act(app.update);
    this.#begin();
  }

  #begin() {
    Object.assign(this, { text: '', written: {}, currency: this.newest(), errors: {}, preview: null });
  }

  render() {
    const id = `sheet-${this.params.dashboardId}`;
    return html`
      <form class="form" autocomplete="off" data-draft="" @submit=${(event) => this.#submit(event)}>
        <div class="field"><label for=${id}>${t('dashboardSheet.cellsOfTheSpreadsheet')}</label>
          <textarea id=${id} rows="6" required .value=${live(this.text)} @input=${({ target }) => this.#look({ text: target.value })} aria-describedby="sheet-hint"></textarea>
          <p class="hint" id="sheet-hint">${t('dashboardSheet.pasteWhatYouHave')} <button type="button" class="plain small" @click=${() => this.#template()}>${t('dashboardSheet.downloadATemplate')}</button></p></div>
        ${this.#refused()}
        <div class="pair">${this.#asked('decimal', DECIMALS, t('dashboardSheet.decimalSign'))}${this.#asked('dateOrder', DATE_ORDERS, t('dashboardSheet.orderOfDates'))}${this.#askedCurrency()}</div>
        ${this.preview ? this.#previewed() : nothing}
        ${actProblem(this.filling)}
        <p class="row"><button type="submit" class="primary" ?disabled=${this.filling.isBusy || !this.preview}>${t('dashboardSheet.fill')}</button></p>
      </form>`;
  }

  /** Asks the API what would become of it, after a pause; nothing is changed. */
  #look(values) {
    Object.assign(this, values, { preview: null, errors: {} });
    this.#turn += 1;
    this.filling.dismiss();
    clearTimeout(this.#pause);
    if (this.text.trim()) this.#pause = setTimeout(() => this.#try(this.#turn), PAUSE_MS);
  }

  async #try(turn) {
    let found;
    try {
      found = { preview: await this.#send(true) };
    } catch (error) {
      found = { errors: error.fields ?? {} };
      if (!Object.keys(found.errors).length && turn === this.#turn) this.filling.problem = error;
    }
    if (turn === this.#turn) Object.assign(this, found);
    this.app.update();
  }

  /** Sends what was pasted, as it was delimited. */
  #send(dryRun) {
    if (this.text.length > LIMITS.putDashboardFigures.csv) throw new Problem({ status: 400, message: t('dashboardSheet.tooLong') });
    const written = Object.fromEntries(Object.entries(this.written).filter(([, value]) => value));
    return this.app.api.get('putDashboardFigures', { params: this.params, body: { csv: this.text, ...written, ...(dryRun ? { dryRun } : {}) } });
  }

  async #submit(event) {
    event.preventDefault();
    const { target } = event;
    const unnamed = this.#withoutCurrency().map(({ fieldId }) => fieldId);
    const done = await this.filling.run(async () => {
      try {
        this.changed(await this.#send(false));
        await this.#nameCurrency(unnamed);
      } catch (error) {
        if (Object.keys(error.fields ?? {}).length) this.errors = error.fields;
        throw error;
      }
    });
    if (!done) return;
    closeAround(target);
    this.#begin();
    this.app.update();
  }

  /** Says of which currency the amounts are that were filled in, where neither the sheet nor the dashboard does. */
  async #nameCurrency(fieldIds) {
    if (!this.currency || !fieldIds.length) return;
    const { uniform } = await this.app.api.get('getDashboard', { params: this.params, hasWrittenNumbers: true });
    const named = (field) => ({ ...field, widget: { type: 'currency', options: { ...field.widget?.options, currency: this.currency } } });
    const fields = uniform.fields.map((field) => (fieldIds.includes(field.fieldId) ? named(field) : field));
    this.changed(plain(await this.app.api.get('updateDashboard', { params: this.params, body: { uniform: { fields } } })));
  }

  /** The figures that the sheet changes, each with what it was. */
  #figures() {
    const before = new Map((this.current().uniform?.fields ?? []).map((field) => [field.fieldId, field]));
    const stated = ({ value, isStub, widget }) => JSON.stringify([value, isStub, widget]);
    const isNew = (field) => !before.has(field.fieldId) || stated(field) !== stated(before.get(field.fieldId));
    return (this.preview?.uniform?.fields ?? []).filter(isNew).map((field) => ({ ...field, before: before.get(field.fieldId) }));
  }

  #withoutCurrency() {
    return this.#figures().filter(({ rogueId, widget }) => CURRENCY_KPIS.includes(rogueId) && !widget?.options?.currency);
  }

  #previewed() {
    const figures = this.#figures();
    return html`<p>${t('dashboardSheet.asOfDay', { day: calendarDate(this.preview.uniform.dataAnchorDate) })} ${figures.length ? nothing : t('dashboardSheet.noFigureChanges')}</p>
      ${figures.length ? html`<div class="table-scroll" role="region" aria-label=${t('dashboardSheet.whatWasRead')} tabindex="0"><table class="data">
        <thead><tr><th scope="col">${t('dashboardSheet.kpi')}</th><th scope="col">${t('dashboardSheet.before')}</th><th scope="col">${t('dashboardSheet.number')}</th></tr></thead>
        <tbody>${figures.map((field) => html`<tr><th scope="row">${field.label}</th><td>${field.before && field.before.value !== null ? this.#shown(field.before) : '–'}</td><td>${this.#shown(field)}</td></tr>`)}</tbody></table></div>` : nothing}`;
  }

  /** A number as it will be shown. */
  #shown({ rogueId, value, widget }) {
    if (CURRENCY_KPIS.includes(rogueId) && this.currency && !widget?.options?.currency) return figure('currency', value, { currency: this.currency });
    return figure(widget?.type, value, widget?.options ?? {}, isPercent(rogueId));
  }

  /** What the API refuses, each with the line as it was pasted. */
  #refused() {
    const lines = this.text.split(/\r\n|\r|\n/);
    const refused = Object.entries(this.errors).map(([path, rule]) => [Number(LINE.exec(path)?.[1] ?? 0), fieldSentence(rule)]);
    if (!refused.length) return nothing;
    return html`<div role="alert">${refused.map(([line, sentence]) => html`<p class="field-error">${line ? html`${t('dashboardSheet.line', { line })} <q>${(lines[line - 1] ?? '').trim()}</q> ` : nothing}${sentence}</p>`)}</div>`;
  }

  /** How numbers or days are written: asked only where the API says that nothing tells it. */
  #asked(name, values, words) {
    const isAsked = this.written[name] || Object.values(this.errors).some((rule) => rule.includes(`\`${name}\``));
    if (!isAsked) return nothing;
    return choice(name, words, [['', '–'], ...values.map((each) => [each, WORDS()[each]])], { id: `sheet-${this.params.dashboardId}-${name}`, value: this.written[name] ?? '', onChange: ({ target }) => this.#look({ written: { ...this.written, [name]: target.value } }) });
  }

  #askedCurrency() {
    if (!this.#withoutCurrency().length) return nothing;
    const id = `sheet-${this.params.dashboardId}-currency`;
    const chosen = ({ target }) => {
      this.currency = target.value.trim().toUpperCase();
      this.app.update();
    };
    return html`<div class="field"><label for=${id}>${t('figureRow.currencyCode')}</label><input id=${id} maxlength=${CURRENCY_LETTERS} .value=${live(this.currency)} @change=${chosen}></div>`;
  }

  /** A table with the KPIs of this dashboard, to be filled by a finance department. */
  #template() {
    const { dataAnchorDate, fields = [] } = this.current()?.uniform ?? {};
    const named = fields.filter(({ rogueId }) => rogueId);
    save(t('dashboardSheet.fileName'), csv([['KPI', 'value', 'date'], ...named.map(({ rogueId }) => [rogueId, '', dataAnchorDate ?? today()])]));
  }
}
