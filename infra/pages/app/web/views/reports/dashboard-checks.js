// Whether the figures of a dashboard agree with the inputs of their formulas, and what was decided where they do not.

import { formulaOf, inWords, meant, shortest } from '../../lib/contradictions.js';
import { Act, Resource } from '../../lib/state.js';
import { actProblem, area, closeAround, disclosure, form, html, nothing } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';

/** Returns the id of the element that shows a figure. */
export const figureId = (dashboardId, fieldId) => `figure-${dashboardId}-${encodeURIComponent(fieldId)}`;

const REASONS = () => ({
  missing_input: t('checks.missingInput'), stub: t('checks.stub'), other_date: t('checks.otherDate'), other_period: t('checks.otherPeriod'),
  contradictory_inputs: t('checks.contradictoryInputs'), division_by_zero: t('checks.divisionByZero'), not_a_number: t('checks.notANumber'), not_real: t('checks.notReal'),
});

export class DashboardChecks {
  #found = null;

  constructor(app, params) {
    Object.assign(this, { app, params });
    this.deciding = new Act(app.update);
  }

  /** How many contradictions are neither mended nor dismissed. */
  get open() {
    const { figures, flags } = this.#found?.data ?? { figures: [], flags: [] };
    return figures.filter(({ status, flagId }) => status === 'contradicts' && flags.find(({ id }) => id === flagId)?.status !== 'dismissed').length;
  }

  /** Reads the checks of a dashboard, unless they were read before. */
  begin(dashboardId) {
    this.#found ??= new Resource(() => this.#load(dashboardId), this.app.update);
  }

  /** Reads the checks of a dashboard again, if they were read before: a figure of its report has changed. */
  reload() {
    this.#found?.reload();
  }

  /**
   * Returns what is said of a figure; nothing before the checks were read. That it cannot be checked is said where it is
   * edited: `isEdited`.
   */
  of(item, field, mayDecide, isEdited = false) {
    const { figures, flags } = this.#found?.data ?? { figures: [], flags: [] };
    const check = figures.find(({ fieldId }) => fieldId === field.fieldId);
    if (check?.status === 'agrees') return html`<p class="soft check">${t('checks.agreesWithItsFormula')}</p>`;
    if (isEdited && check?.reason) return html`<p class="soft check">${t('checks.notChecked', { reason: REASONS()[check.reason] ?? check.reason })}</p>`;
    if (check?.status !== 'contradicts') return nothing;
    return this.#contradiction(item, check, flags.find(({ id }) => id === check.flagId), mayDecide);
  }

  async #load(dashboardId) {
    const params = { ...this.params, dashboardId };
    const { figures } = await this.app.api.get('getDashboardChecks', { params });
    const isFlagged = figures.some(({ flagId }) => flagId);
    const flags = isFlagged ? (await this.app.api.page('listDashboardFlags', { params, query: { limit: 100 } })).items : [];
    return { figures, flags };
  }

  #contradiction(item, check, flag, mayDecide) {
    const isDismissed = flag?.status === 'dismissed';
    return html`
      <div class="check ${isDismissed ? 'soft' : 'notice'}">
        ${this.#said(check)}
        ${isDismissed ? html`<p>${t('checks.dismissedBecause', { reason: flag.reason })}</p>` : nothing}
        ${flag && mayDecide ? this.#decision(item, flag, isDismissed) : nothing}
        ${actProblem(this.deciding)}
      </div>`;
  }

  /** What is stated, what the inputs give, and what may have been meant; each input leads to its figure. */
  #said({ rogueId, stated, computed, inputs }) {
    const said = (number) => inWords(number, rogueId);
    const [values, better, formula] = [{ stated: said(shortest(stated)), computed: said(shortest(computed)) }, meant({ stated, computed }), formulaOf(rogueId, inputs)];
    const numberOf = (input) => inWords(shortest(input), input.rogueId);
    const offer = better === null ? nothing : html` ${t('checks.didYouMean', { number: said(better) })}`;
    if (!formula) return html`<p>${t('checks.youState', values)}${offer}</p><ul>${inputs.map((input) => html`<li>${this.#input(input, numberOf(input))} ${nameOf(input)}</li>`)}</ul>`;
    const parts = formula.map((part) => (typeof part === 'string' ? part : this.#input(part, grouped(numberOf(part)))));
    return html`<p>${t('checks.youStateButFormulaIs', { ...values, formula: html`<span class="formula">${parts}</span>` })}${offer}</p>`;
  }

  #input({ name, dashboardId, fieldId }, words) {
    const id = figureId(dashboardId, fieldId);
    const go = (event) => {
      const shown = document.getElementById(id);
      if (!shown) return;
      event.preventDefault();
      shown.scrollIntoView({ block: 'center' });
      shown.focus();
    };
    return html`<a href=${`#${id}`} title=${nameOf({ name })} aria-label="${nameOf({ name })}: ${words}" @click=${go}>${words}</a>`;
  }

  #decision(item, flag, isDismissed) {
    /** @type {(name: 'putDashboardFlagDismissal' | 'deleteDashboardFlagDismissal', body?: any) => Promise<void>} */
    const decide = async (name, body) => {
      await this.app.api.get(name, { params: { ...this.params, dashboardId: item.id, flagId: flag.id }, body });
      await this.#found.reload();
    };
    if (isDismissed) return html`<button type="button" class="no-print" ?disabled=${this.deciding.isBusy} @click=${() => this.deciding.run(() => decide('deleteDashboardFlagDismissal'))}>${t('checks.takeTheDismissalBack')}</button>`;
    return html`<div class="no-print">${disclosure(t('checks.dismiss'), form({
      act: this.deciding, button: t('checks.dismiss'),
      submit: async ({ reason }, target) => {
        await decide('putDashboardFlagDismissal', { reason });
        closeAround(target);
      },
      content: area('reason', t('checks.whyTheFiguresStay'), { id: `reason-${flag.id}`, of: 'putDashboardFlagDismissal', isRequired: true }),
    }))}</div>`;
  }
}

function nameOf({ name }) {
  return name.replaceAll('_', ' ');
}

/** A negative number in brackets. */
function grouped(number) {
  return /^\d/.test(number) ? number : `(${number})`;
}
