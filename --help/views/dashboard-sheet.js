
import { fetchDefinitions, findDefinitions } from '../lib/catalog.js';
import { figure } from '../lib/chart-values.js';
import { isPercent } from '../lib/contradictions.js';
import { csv, save } from '../lib/csv.js';
import { fieldSentence } from '../lib/field-errors.js';
import { CURRENCY_KPIS } from '../lib/kpis.js';
import { LIMITS, VALUES } from '../lib/openapi.js';
import { cellsOf, columnsOf, definitionOf, fillOf, linesOf } from '../lib/sheet.js';
import { Act, Resource } from '../lib/state.js';
import { actProblem, choice, closeAround, html, live, nothing, show } from '../lib/ui.js';
import { t } from '../lib/texts.js';
import { plain } from '../lib/written-numbers.js';
import { Problem } from '../lib/problems.js';
import { today } from '../lib/dates.js';

const PAUSE_MS = 400;
const MOST_NEAR = 5;
const LEFT_OUT = '';
const CURRENCY_LETTERS = 3;
const { decimal: DECIMALS, dateOrder: DATE_ORDERS } = VALUES.fillDashboard;
const COLUMNS = () => ({ kpi: t('dashboardSheet.kpi'), value: t('dashboardSheet.number'), date: t('dashboardSheet.day') });
const WORDS = () => ({ '.': t('dashboardSheet.aPoint'), ',': t('dashboardSheet.aComma'), dmy: t('dashboardSheet.dayFirst'), mdy: t('dashboardSheet.monthFirst') });

function nearOf(definitions, cell) {
  const found = findDefinitions(definitions, cell).slice(0, MOST_NEAR);
  return found.length ? found : [...definitions].sort((one, other) => one.label.localeCompare(other.label));
}

export class DashboardSheet {
  #pause = 0;
  #turn = 0;

  constructor(app, params, current, { changed, currency }) {
    Object.assign(this, { app, params, current, changed, newest: currency });
    this.filling = new Act(app.update);
    this.definitions = new Resource(fetchDefinitions, app.update);
    this.#begin();
  }

  #begin() {
    Object.assign(this, { text: '', rows: [], columns: null, day: this.current()?.uniform?.dataAnchorDate ?? today(), written: {}, chosen: new Map(), currency: this.newest(), errors: {}, preview: null });
  }

  render() {
    return show(this.definitions, t('dashboardSheet.theCatalog'), (definitions) => {
      const lines = this.#lines(definitions);
      return html`
        <form class="form" autocomplete="off" data-draft="" @submit=${(event) => this.#submit(event, definitions)}>
          <div class="field"><label for="sheet-${this.params.dashboardId}">${t('dashboardSheet.cellsOfTheSpreadsheet')}</label>
            <textarea id="sheet-${this.params.dashboardId}" rows="6" required .value=${live(this.text)} @input=${({ target }) => this.#paste(target.value, definitions)} aria-describedby="sheet-hint"></textarea>
            <p class="hint" id="sheet-hint">${t('dashboardSheet.pasteWhatYouHave')} <button type="button" class="plain small" @click=${() => this.#template()}>${t('dashboardSheet.downloadATemplate')}</button></p></div>
          ${this.columns ? this.#recognised(lines) : nothing}
          ${lines.length ? this.#table(lines) : nothing}
          ${this.#whole()}
          ${actProblem(this.filling)}
          <p class="row"><button type="submit" class="primary" ?disabled=${this.filling.isBusy || !lines.some(({ rogueId }) => rogueId)}>${t('dashboardSheet.fill')}</button>
            <span class="soft" role="status">${this.#standing(lines)}</span></p>
        </form>`;
    });
  }

  #lines(definitions) {
    if (!this.columns) return [];
    return linesOf(this.rows, this.columns).map((line) => {
      const named = definitionOf(definitions, line.kpi);
      const near = named ? [] : nearOf(definitions, line.kpi);
      const rogueId = this.chosen.get(line.kpi) ?? named?.rogueId ?? LEFT_OUT;
      return { ...line, near, rogueId, definition: definitions.find((each) => each.rogueId === rogueId) };
    });
  }

  #paste(text, definitions) {
    this.text = text;
    this.rows = cellsOf(text);
    this.columns = this.rows.length ? columnsOf(this.rows) : null;
    this.#look(definitions);
  }

  #set(values) {
    Object.assign(this, values);
    this.#look(this.definitions.data);
  }

  #look(definitions) {
    Object.assign(this, { preview: null, errors: {} });
    this.app.update();
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.#try(definitions), PAUSE_MS);
  }

  async #try(definitions) {
    const turn = ++this.#turn;
    const lines = this.#lines(definitions).filter(({ rogueId }) => rogueId);
    if (!lines.length) return;
    try {
      const preview = await this.#send(lines, true);
      if (turn === this.#turn) this.preview = preview;
    } catch (error) {
      if (turn === this.#turn) this.errors = error.fields ?? {};
    }
    this.app.update();
  }

  #send(lines, dryRun) {
    const csvText = fillOf(lines, this.day);
    if (csvText.length > LIMITS.fillDashboard.csv) throw new Problem({ status: 400, message: t('dashboardSheet.tooLong') });
    const written = Object.fromEntries(Object.entries(this.written).filter(([, value]) => value));
    return this.app.api.get('fillDashboard', { params: this.params, body: { csv: csvText, ...written, ...(dryRun ? { dryRun } : {}) } });
  }

  async #submit(event, definitions) {
    event.preventDefault();
    const { target } = event;
    const lines = this.#lines(definitions).filter(({ rogueId }) => rogueId);
    const done = await this.filling.run(async () => {
      try {
        this.changed(await this.#send(lines, false));
        await this.#nameCurrency(lines);
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

  async #nameCurrency(lines) {
    const isOpen = ({ rogueId, widget }) => lines.some((line) => line.rogueId === rogueId) && isAmount({ rogueId }) && !widget?.options?.currency;
    if (!this.currency || !this.current().uniform.fields.some(isOpen)) return;
    const { uniform } = await this.app.api.get('getDashboard', { params: this.params, hasWrittenNumbers: true });
    const fields = uniform.fields.map((field) => (isOpen(field) ? { ...field, widget: { type: 'currency', options: { ...field.widget?.options, currency: this.currency } } } : field));
    this.changed(plain(await this.app.api.get('updateDashboard', { params: this.params, body: { uniform: { fields } } })));
  }

  #recognised(lines) {
    const heads = this.rows[0].map((cell, at) => [String(at), this.columns.hasHeader && cell ? cell : t('dashboardSheet.column', { column: at + 1 })]);
    const id = (name) => `sheet-${this.params.dashboardId}-${name}`;
    return html`<div class="pair">
      ${Object.entries(COLUMNS()).map(([name, words]) => choice(name, words, [['-1', '–'], ...heads], { id: id(name), value: String(this.columns[name]), onChange: ({ target }) => this.#set({ columns: { ...this.columns, [name]: Number(target.value) } }) }))}
      ${this.columns.date < 0 ? html`<div class="field"><label for=${id('day')}>${t('dashboardSheet.figuresAsOf')}</label><input id=${id('day')} type="date" required .value=${this.day} @change=${({ target }) => this.#set({ day: target.value })}></div>` : nothing}
      ${lines.some(isAmount) ? html`<div class="field"><label for=${id('currency')}>${t('figureRow.currencyCode')}</label><input id=${id('currency')} maxlength=${CURRENCY_LETTERS} .value=${live(this.currency)} @change=${({ target }) => this.#set({ currency: target.value.trim().toUpperCase() })}></div>` : nothing}
      ${this.#asked('decimal', DECIMALS, t('dashboardSheet.decimalSign'))}${this.#asked('dateOrder', DATE_ORDERS, t('dashboardSheet.orderOfDates'))}
    </div>`;
  }

  #asked(name, values, words) {
    const isAsked = this.written[name] || Object.values(this.errors).some((rule) => rule.includes(name));
    if (!isAsked) return nothing;
    return choice(name, words, [['', '–'], ...values.map((each) => [each, WORDS()[each]])], { id: `sheet-${this.params.dashboardId}-${name}`, value: this.written[name] ?? '', onChange: ({ target }) => this.#set({ written: { ...this.written, [name]: target.value } }) });
  }

  #table(lines) {
    const sent = lines.filter(({ rogueId }) => rogueId);
    return html`<div class="table-scroll" role="region" aria-label=${t('dashboardSheet.whatWasRead')} tabindex="0"><table class="data">
      <thead><tr><th scope="col">${t('dashboardSheet.pasted')}</th><th scope="col">${t('dashboardSheet.kpi')}</th><th scope="col">${t('dashboardSheet.number')}</th><th scope="col">${t('dashboardSheet.day')}</th></tr></thead>
      <tbody>${lines.map((line) => this.#line(line, sent.indexOf(line)))}</tbody></table></div>`;
  }

  #line(line, index) {
    const { kpi, value, date, near, definition, rogueId } = line;
    const errors = Object.entries(this.errors).filter(([path]) => index >= 0 && path.startsWith(`csv.${index + 2}`) && !/\d/.test(path.slice(`csv.${index + 2}`.length, `csv.${index + 2}`.length + 1)));
    const read = this.preview?.uniform?.fields.find((each) => each.rogueId === rogueId);
    const options = definition && !near.includes(definition) ? [definition, ...near] : near;
    return html`<tr>
      <th scope="row">${kpi}</th>
      <td>${definition && !near.length ? definition.label : html`<select class="small" aria-label=${t('dashboardSheet.kpiOf', { name: kpi })} @change=${({ target }) => this.#choose(kpi, target.value)}>
        <option value="">${t('dashboardSheet.chooseOrLeaveOut')}</option>${options.map((each) => html`<option value=${each.rogueId} ?selected=${each.rogueId === rogueId}>${each.label}</option>`)}</select>`}</td>
      <td>${read ? this.#read(read) : value}${errors.map(([, rule]) => html`<p class="field-error">${fieldSentence(rule)}</p>`)}</td>
      <td>${date || this.day}</td></tr>`;
  }

  #read({ rogueId, value, widget }) {
    if (isAmount({ rogueId }) && this.currency && !widget?.options?.currency) return figure('currency', value, { currency: this.currency });
    return figure(widget?.type, value, widget?.options ?? {}, isPercent(rogueId));
  }

  #choose(kpi, rogueId) {
    this.chosen.set(kpi, rogueId);
    this.#look(this.definitions.data);
  }

  #whole() {
    return Object.entries(this.errors).filter(([path]) => !/^csv\.\d/.test(path)).map(([, rule]) => html`<p class="field-error" role="alert">${fieldSentence(rule)}</p>`);
  }

  #standing(lines) {
    const unclear = lines.filter(({ rogueId }) => !rogueId).length;
    return unclear ? t('dashboardSheet.unclearLines', { number: unclear }) : '';
  }

  #template() {
    const fields = (this.current()?.uniform?.fields ?? []).filter(({ rogueId }) => rogueId);
    save(t('dashboardSheet.fileName'), csv([['KPI', 'value', 'date'], ...fields.map(({ rogueId }) => [rogueId, '', this.day])]));
  }
}

function isAmount({ rogueId }) {
  return CURRENCY_KPIS.includes(rogueId);
}
