// The reporting cycles of a board.

import { LIMITS } from '../../lib/openapi.js';
import { DEFAULT_REMINDERS } from '../../lib/service.js';
import { Act, List } from '../../lib/state.js';
import { choice, closeAround, disclosure, field, form, html, pill, showList } from '../../lib/ui.js';
import { dateTime, fromWall, ownZone, toWall, zoneName } from '../../lib/dates.js';
import { t } from '../../lib/texts.js';

export default (app) => new CyclesView(app, app.board);

const REMINDERS = DEFAULT_REMINDERS.join(', ');

export const CYCLE_TONES = { open: 'warn', dispatched: 'accent', published: 'good' };

class CyclesView {
  title = () => t('common.cycles');

  constructor(app, board) {
    Object.assign(this, { app, board, params: { boardId: board.id } });
    this.cycles = new List((cursor) => app.api.page('listReportingCycles', { params: this.params, query: { limit: 25 }, cursor }), app.update);
    this.reports = new List((cursor) => app.api.page('listReports', { params: this.params, query: { limit: 50 }, cursor }), app.update);
    this.creating = new Act(app.update);
    this.actions = [['createReportingCycle', this.params]];
    this.resources = [this.cycles, this.reports];
  }

  render() {
    return html`
      <h1>${t('common.cycles')}</h1>
      <p class="soft">${t('cycles.aReportThatIsDue')}</p>
      ${this.board.may('createReportingCycle') ? disclosure(t('cycles.newCycle'), this.#form()) : ''}
      ${showList(this.cycles, t('cycles.theCycles'), t('cycles.thereIsNoCycleYet'), (items) => html`
        <ul class="rows">${items.map((cycle) => html`
          <li><a class="row-link" href=${this.board.path('cycles', cycle.id)}>
            <span class="grow"><b>${cycle.name}</b> <span class="soft">${t('cycles.dueWhen', { when: dateTime(cycle.dueAt) })} · ${t('cycles.sectionsDone', { done: done(cycle), number: cycle.sections.length })}</span></span>
            ${pill(cycle.status, CYCLE_TONES[cycle.status])}</a></li>`)}</ul>`)}`;
  }

  #form() {
    const open = this.reports.items.filter(({ status }) => status !== 'finalized').map(({ id, title }) => [id, title]);
    if (this.reports.isReady && !open.length) return html`<p>${t('cycles.itNeedsAReport')} <a href=${this.board.path('reports')}>${t('common.reports')}</a></p>`;
    return form({
      act: this.creating, button: t('cycles.createTheCycle'),
      submit: async ({ name, reportId, dueAt, days }, target) => {
        const body = { name, reportId, dueAt: fromWall(dueAt), remindDaysBefore: readDays(days) };
        const cycle = await this.app.api.get('createReportingCycle', { params: this.params, body, key: this.creating.keyFor(body) });
        closeAround(target);
        this.app.go(this.board.path('cycles', cycle.id));
      },
      content: html`
        ${cycleFields()}
        ${choice('reportId', t('report.report'), open, { required: true })}`,
    });
  }
}

/** The fields of a cycle: of a new one, or of one that is changed. */
export function cycleFields({ name = '', dueAt = null, remindDaysBefore = DEFAULT_REMINDERS } = {}) {
  return html`
    ${field('name', t('common.name'), { value: name, required: true, of: 'createReportingCycle' })}
    <div class="pair">
      ${field('dueAt', t('cycles.dueAt'), { type: 'datetime-local', value: dueAt ? toWall(dueAt) : '', required: true, hint: t('common.inYourTimeZone', { zoneName: zoneName(ownZone()) }) })}
      ${field('days', t('cycles.remindDaysBefore'), { value: remindDaysBefore.join(', '), hint: t('cycles.upToThreeNumbers', { most: LIMITS.createReportingCycle.remindDaysBefore, example: REMINDERS }) })}
    </div>`;
}

function done({ sections }) {
  return sections.filter(({ reviewStatus, openFlags }) => reviewStatus === 'internally_reviewed' && !openFlags).length;
}

/** Returns the numbers in a text such as "3, 1". */
export function readDays(text) {
  return text.split(/[^\d]+/).filter(Boolean).map(Number);
}
