// Choosing the KPI that a figure is: a search over the public catalog, by name and by what else a KPI is called.

import { fetchDefinition, findDefinitions } from '../../lib/catalog.js';
import { Act } from '../../lib/state.js';
import { actProblem, html, live, nothing } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';

export class KpiPicker {
  #text = '';
  #at = 0;
  #isFocused = false;

  /** `definitions` is the catalog as a resource; `choose` takes the whole definition of what was chosen. */
  constructor(app, definitions, id, choose) {
    Object.assign(this, { app, definitions, id, choose });
    this.choosing = new Act(app.update);
  }

  render() {
    const found = findDefinitions(this.definitions.data ?? [], this.#text);
    const isOpen = this.#isFocused && found.length > 0;
    return html`
      <div class="field kpi-picker" @focusin=${() => this.#focus(true)} @focusout=${() => this.#focus(false)}>
        <label for=${this.id}>${t('kpiPicker.kpi')} <span class="optional">${t('ui.optional')}</span></label>
        <input id=${this.id} type="text" role="combobox" aria-expanded=${isOpen} aria-controls="${this.id}-found" aria-autocomplete="list" aria-describedby="${this.id}-hint"
          aria-activedescendant=${isOpen ? `${this.id}-${this.#at}` : nothing} placeholder=${t('kpiPicker.nameOrAlias')} autocomplete="off" spellcheck="false" .value=${live(this.#text)}
          @input=${(event) => this.#type(event.target.value)} @keydown=${(event) => this.#key(event, found)}>
        <ul id="${this.id}-found" role="listbox" aria-label=${t('kpiPicker.found')} ?hidden=${!isOpen}>${found.map((entry, index) => html`
          <li role="option" id="${this.id}-${index}" aria-selected=${index === this.#at} @pointerdown=${(event) => event.preventDefault()} @click=${() => this.#take(entry)}><span>${entry.label}</span>${entry.aliases.length ? html`<small>${entry.aliases.join(', ')}</small>` : nothing}</li>`)}</ul>
        <p class="hint" id="${this.id}-hint" role="status">${this.#hint(isOpen)}</p>
        ${actProblem(this.choosing)}
      </div>`;
  }

  #hint(isOpen) {
    if (!this.#text.trim()) return t('kpiPicker.aFigureOfAKpi');
    if (this.definitions.problem) return t('kpiPicker.theCatalogCouldNotBeRead');
    if (!this.definitions.isReady) return t('common.oneMoment');
    return isOpen ? t('kpiPicker.arrowKeysChooseEnterTakes') : t('kpiPicker.noKpiIsCalledThat');
  }

  #focus(isFocused) {
    this.#isFocused = isFocused;
    this.app.update();
  }

  #type(text) {
    this.#text = text;
    this.#at = 0;
    if (text && this.definitions.problem) this.definitions.reload();
    this.app.update();
  }

  #key(event, found) {
    const to = { ArrowDown: this.#at + 1, ArrowUp: this.#at - 1 + found.length }[event.key];
    if (event.key === 'Enter' && found[this.#at]) this.#take(found[this.#at]);
    else if (event.key === 'Escape') this.#type('');
    else if (to !== undefined && !event.altKey && found.length) this.#at = to % found.length;
    else return;
    event.preventDefault();
    this.app.update();
  }

  #take({ rogueId }) {
    return this.choosing.run(async () => {
      this.choose(await fetchDefinition(rogueId));
      this.#type('');
    });
  }
}
