// One figure while it is typed: its KPI, its name, how it is shown and its value.

import { KINDS, isNumber, setKind, setKpi, setOption } from '../../lib/figure-drafts.js';
import { asTyped, typedNumber } from '../../lib/typed-numbers.js';
import { html, live, longest, nothing } from '../../lib/ui.js';
import { has, t } from '../../lib/texts.js';
import { FigureGrid } from './figure-grid.js';
import { KpiPicker } from './kpi-picker.js';

const KIND_WORDS = () => ({
  number: t('figureRow.number'), currency: t('figureRow.currency'), percent: t('figureRow.percent'), text: t('figureRow.text'),
  table: t('figureRow.table'), chart: t('figureRow.chart'), share: t('figureRow.share'),
});
const CURRENCY_LETTERS = 3;

/** The unit of a duration in words, as figures say it. */
const unitName = (unit) => (has(`unit.${unit}`) ? t(`unit.${unit}`) : unit);

export class FigureRow {
  /**
   * `key` is that of the row on the page. `typed` is called when something was typed, `changed` when something was chosen,
   * `currency` returns that of the other figures.
   */
  constructor(app, definitions, draft, key, { typed, changed, currency }) {
    Object.assign(this, { app, definitions, draft, key, typed, changed, currency });
    const onValue = (done) => () => {
      draft.isTyped = true;
      done(this);
    };
    this.grid = new FigureGrid(app, `${key}-grid`, draft, { typed: onValue(typed), changed: onValue(changed) });
    this.picker = new KpiPicker(app, definitions, `${key}-kpi`, (kpi) => this.#choose(kpi));
  }

  /** The field that is typed into first. */
  get first() {
    return `#${this.key}-${this.draft.rogueId ? 'value' : 'kpi'}`;
  }

  render(error) {
    const { draft } = this;
    return html`
      ${draft.rogueId ? this.#kpi() : this.picker.render()}
      <div class="pair">
        ${this.#line('label', t('common.name'), { error, hint: nothing, most: longest('updateDashboard', 'uniform.fields.label') })}
        <div class="field"><label for="${this.key}-kind">${t('common.kind')}</label>
          <select id="${this.key}-kind" @change=${({ target }) => this.#set(() => setKind(draft, target.value))}>${this.#kinds.map((kind) => html`<option value=${kind} ?selected=${kind === draft.kind}>${KIND_WORDS()[kind]}</option>`)}</select></div>
        ${this.#shownAs()}
        ${isNumber(draft) ? this.#line('text', this.#valueLabel, { error, hint: this.#readAs, id: 'value', inputmode: 'decimal' }) : nothing}
      </div>
      ${draft.kind === 'text' ? html`<div class="field"><label for="${this.key}-value">${t('dashboard.value')}</label>
        <textarea id="${this.key}-value" rows="2" .value=${live(draft.text)} @input=${({ target }) => this.#type('text', target.value)}></textarea></div>` : nothing}
      ${['table', 'chart'].includes(draft.kind) ? this.grid.render(error) : nothing}`;
  }

  /** A share is offered to a figure that is one. */
  get #kinds() {
    return this.draft.kind === 'share' ? [...KINDS, 'share'] : KINDS;
  }

  #kpi() {
    const { rogueId } = this.draft;
    const name = this.definitions.data?.find((each) => each.rogueId === rogueId)?.label ?? rogueId;
    return html`<p class="row"><span>${t('kpiPicker.kpi')}: <a href="/api/ontology/browse/#${rogueId}" title=${t('dashboard.definitionOfLabel', { label: name })}>${name}</a></span>
      <button type="button" class="small plain" @click=${() => this.#set(() => { this.draft.rogueId = null; })}>${t('figureRow.withoutTheKpi')}</button></p>`;
  }

  #choose(kpi) {
    this.#set(() => setKpi(this.draft, kpi, this.currency(), unitName));
    requestAnimationFrame(() => document.querySelector(`#${this.key}-value, [data-entry="${this.key}"] [data-row]`)?.focus());
  }

  #line(name, text, { error, hint, id = name, inputmode = nothing, most = nothing }) {
    const isWrong = error?.at === id;
    return html`
      <div class="field"><label for="${this.key}-${id}">${text}</label>
        <input id="${this.key}-${id}" maxlength=${most} inputmode=${inputmode} autocomplete="off" aria-invalid=${isWrong ? 'true' : nothing} aria-describedby="${this.key}-${id}-error ${this.key}-${id}-hint"
          .value=${live(this.draft[name])} @input=${({ target }) => this.#type(name, target.value)}>
        <p class="field-error" id="${this.key}-${id}-error">${isWrong ? (id === 'label' ? t('fieldErrors.fillThisIn') : t('figureRow.thisIsNoNumber')) : ''}</p>
        <p class="hint" id="${this.key}-${id}-hint">${hint}</p></div>`;
  }

  get #valueLabel() {
    const { kind, options } = this.draft;
    const unit = { currency: options.currency, percent: '%', number: options.unit }[kind];
    return unit ? t('figureRow.valueInUnit', { unit }) : t('dashboard.value');
  }

  /** How the typed number is understood, where that is not how it is typed. */
  get #readAs() {
    const { kind, text } = this.draft;
    if (kind === 'share') return t('figureRow.aShareIsShown', { share: asTyped('0.12') });
    const written = typedNumber(text);
    return written === null || asTyped(written) === text.trim() ? '' : t('figureRow.readAs', { number: asTyped(written) });
  }

  /** The unit, the currency, and whether a chart has lines or bars. */
  #shownAs() {
    const { kind, options } = this.draft;
    const option = (name, text, most = nothing) => html`
      <div class="field"><label for="${this.key}-${name}">${text} <span class="optional">${t('ui.optional')}</span></label>
        <input id="${this.key}-${name}" maxlength=${most} autocomplete="off" .value=${live(options[name] ?? '')} @input=${({ target }) => this.#option(name, target.value)}></div>`;
    if (kind === 'currency') return option('currency', t('figureRow.currencyCode'), CURRENCY_LETTERS);
    if (kind === 'number') return option('unit', t('figureRow.unit'));
    return kind === 'chart' ? html`${option('unit', t('figureRow.unit'))}
      <div class="field"><label for="${this.key}-drawn">${t('figureRow.drawnAs')}</label>
        <select id="${this.key}-drawn" @change=${({ target }) => this.#set(() => setOption(this.draft, 'kind', target.value))}>
          <option value="" ?selected=${options.kind !== 'bar'}>${t('figureRow.lines')}</option><option value="bar" ?selected=${options.kind === 'bar'}>${t('figureRow.bars')}</option></select></div>` : nothing;
  }

  #option(name, value) {
    setOption(this.draft, name, name === 'currency' ? value.trim().toUpperCase() : value.trim());
    this.typed(this);
  }

  #type(name, value) {
    this.draft[name] = value;
    if (name === 'text') this.draft.isTyped = true;
    this.typed(this);
  }

  #set(change) {
    change();
    this.changed(this);
  }
}
