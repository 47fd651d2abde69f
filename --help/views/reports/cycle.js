// A reporting cycle: its sections with their owners, how far each is, and what is done with the whole.

import { timeNow } from '../../lib/clock.js';
import { Act, Resource } from '../../lib/state.js';
import { actProblem, closeAround, confirmButton, disclosure, form, html, menu, pill, relativeTime, show } from '../../lib/ui.js';
import { dateTime } from '../../lib/dates.js';
import { CYCLE_TONES, cycleFields, readDays } from './cycles.js';
import { instantOf } from '../meetings/meeting-form.js';
import { t } from '../../lib/texts.js';

const DAY = 86_400_000;

export default (app, params) => new CycleView(app, app.board, params);

class CycleView {
  constructor(app, board, params) {
    Object.assign(this, { app, board, params });
    this.cycle = new Resource(() => app.api.get('getReportingCycle', { params }), app.update);
    for (const name of ['changing', 'dispatching', 'publishing', 'deleting']) this[name] = new Act(app.update);
    this.actions = ['updateReportingCycle', 'dispatchReportingCycle', 'publishReportingCycle', 'deleteReportingCycle'].map((name) => [name, params]);
    this.resources = [this.cycle];
  }

  title = () => this.cycle.data?.name ?? t('cycle.cycle');

  render() {
    return show(this.cycle, t('cycle.theCycle'), (cycle) => html`
      <div class="row spread"><h1>${cycle.name}</h1>${pill(cycle.status, CYCLE_TONES[cycle.status])}</div>
      <p>${cycle.status === 'published' ? t('cycle.publishedOn', { when: dateTime(cycle.publishedAt) }) : html`${t('cycles.dueWhen', { when: dateTime(cycle.dueAt) })} (${relativeTime(cycle.dueAt)})`}
        · <a href=${this.board.path('reports', cycle.reportId)}>${t('cycle.openTheReport')}</a></p>
      ${cycle.dispatchedAt ? html`<p class="soft">${t('cycle.dispatchedOn', { when: dateTime(cycle.dispatchedAt) })}</p>` : ''}
      ${this.#reminders(cycle)}
      <div class="row no-print">${this.#buttons(cycle)}</div>
      ${actProblem(this.dispatching)}
      <h2>${t('cycle.sections')}</h2>
      ${cycle.sections.length ? html`<ul class="rows">${cycle.sections.map((section) => this.#section(cycle, section))}</ul>` : html`<p class="empty">${t('cycle.theReportHasNoSections')}</p>`}`);
  }

  #section(cycle, section) {
    return html`
      <li><a class="row-link" href=${this.board.path('reports', cycle.reportId)}>
        <span class="grow"><b>${section.sectionName || t('cycle.unnamedSection')}</b>
          <span class="soft">${section.ownerUserId ? this.board.nameOf(section.ownerUserId) : t('cycle.nobodyOwnsIt')}</span></span>
        ${section.openFlags ? html`<span class="pill bad">${t('cycle.openFlags', { number: section.openFlags })}</span>` : ''}
        ${section.overdue ? html`<span class="pill bad">${t('cycle.overdue')}</span>` : ''}
        ${pill(section.reviewStatus)}</a></li>`;
  }

  /** When owners were and will be reminded; of a published cycle nobody is. */
  #reminders({ status, dueAt, remindDaysBefore, createdAt }) {
    if (status === 'published') return '';
    const due = Date.parse(dueAt), now = timeNow();
    const times = [...remindDaysBefore.map((days) => due - days * DAY), due].filter((at) => at > Date.parse(createdAt));
    return html`<p class="soft">${t('cycle.reminders')}: ${times.map((at) => reminder(dateTime(new Date(at).toISOString()), at <= now)).join(', ')}</p>`;
  }

  #buttons(cycle) {
    if (cycle.status === 'published') return this.board.may('deleteReportingCycle', this.params) ? menu(cycle.name, this.#delete()) : '';
    const complete = cycle.sections.every(({ reviewStatus, openFlags }) => reviewStatus === 'internally_reviewed' && !openFlags);
    const publish = () => this.publishing.run(async () => {
      this.cycle.set(await this.app.api.get('publishReportingCycle', { params: this.params, body: { force: !complete } }));
      this.app.say(t('cycle.thePackageIsPublished'));
    });
    return html`
      ${this.board.may('updateReportingCycle', this.params) ? this.#edit(cycle) : ''}
      ${cycle.status === 'open' && this.board.may('dispatchReportingCycle', this.params) ? html`<button type="button" class="primary" ?disabled=${this.dispatching.isBusy} @click=${() => this.#dispatch()}>${t('cycle.dispatch')}</button>` : ''}
      ${this.board.may('publishReportingCycle', this.params) ? confirmButton({ act: this.publishing, text: t('cycle.publish'), keep: t('ui.notNow'), yes: complete ? t('cycle.publish') : t('cycle.publishAnyway'), question: t(complete ? 'cycle.allMembersAreTold' : 'cycle.sectionsAreNotComplete'), run: publish }) : ''}
      ${this.board.may('deleteReportingCycle', this.params) ? menu(cycle.name, this.#delete()) : ''}`;
  }

  #edit(cycle) {
    return disclosure(t('common.edit'), form({
      act: this.changing, button: t('common.save'), keep: true,
      submit: async ({ name, dueAt, days }, target) => {
        const body = { name, dueAt: instantOf(dueAt, cycle.dueAt), remindDaysBefore: readDays(days) };
        this.cycle.set(await this.app.api.get('updateReportingCycle', { params: this.params, body }));
        closeAround(target);
        this.app.say(t('common.saved'));
      },
      content: cycleFields(cycle),
    }));
  }

  #dispatch() {
    this.dispatching.run(async () => {
      this.cycle.set(await this.app.api.get('dispatchReportingCycle', { params: this.params }));
      this.app.say(t('cycle.theOwnersAreTold'));
    });
  }

  #delete() {
    return confirmButton({
      act: this.deleting, text: t('common.delete'), yes: t('cycle.deleteTheCycle'), question: t('cycle.theReportStays'),
      run: () => this.deleting.run(async () => {
        await this.app.api.call('deleteReportingCycle', { params: this.params });
        this.app.go(this.board.path('cycles'), { replace: true });
      }),
    });
  }
}

function reminder(when, isPast) {
  return isPast ? t('cycle.reminded', { when }) : t('cycle.reminds', { when });
}
