// The year of a board: months across, matters of the work plan down, what is missing in words. A list on a narrow screen.

import { ANY } from '../../lib/access.js';
import { date, today } from '../../lib/dates.js';
import { MONTHS, STATUSES, TONES, meetingsFor, missing, monthName } from '../../lib/plan.js';
import { Act, List, Resource } from '../../lib/state.js';
import { actProblem, confirmButton, disclosure, html, menu, nothing, pill, repeat, show, showList } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';
import { matterForm } from './matter-form.js';
import { Templates } from './templates.js';

export default (app) => new YearView(app, app.board);

class YearView {
  title = () => t('year.year');

  constructor(app, board) {
    const asked = Number(new URLSearchParams(location.search).get('year'));
    Object.assign(this, { app, board, params: { boardId: board.id }, acts: new Map() });
    this.year = asked >= 1000 && asked < 3000 ? asked : Number(today().slice(0, 4));
    const whole = (name) => new List((cursor) => app.api.page(name, { params: this.params, query: { limit: 100, order: 'asc' }, cursor }), app.update, { isWhole: true });
    this.matters = whole('listPlanItems');
    this.committees = whole('listCommittees');
    this.templates = new Templates(app, board);
    this.#read();
    const matter = { ...this.params, planItemId: ANY };
    this.actions = [['createPlanItem', this.params], ...['updatePlanItem', 'deletePlanItem', 'placePlanItem'].map((name) => [name, matter]), ...this.templates.actions];
    this.follows = [
      { on: ['plan_item'], read: this.matters }, { on: ['plan_item', 'agenda', 'minutes', 'meeting'], read: { refresh: () => this.standing.refresh() } },
      { on: ['template'], read: this.templates.list },
    ];
  }

  get resources() {
    return [this.matters, this.committees, this.standing, this.meetings, this.templates.list];
  }

  /** Reads how matters stand in the year that is shown, and its meetings. */
  #read() {
    const { api, update } = this.app;
    const { year } = this;
    this.standing = new Resource(() => api.get('getPlanYear', { params: { ...this.params, year } }), update);
    const span = { startAfter: `${year - 1}-12-31T23:59:59.999Z`, startBefore: `${year + 1}-01-01T00:00:00Z` };
    this.meetings = new List((cursor) => api.page('listMeetings', { params: this.params, query: { limit: 100, order: 'asc', ...span }, cursor }), update, { isWhole: true });
  }

  #show(year) {
    this.year = year;
    this.app.router.query({ year: String(year) });
    this.#read();
    this.app.update();
  }

  act(id) {
    if (!this.acts.has(id)) this.acts.set(id, new Act(this.app.update));
    return this.acts.get(id);
  }

  render() {
    return html`
      <div class="row spread"><h1>${t('year.yearNumber', { year: String(this.year) })}</h1>
        <p class="row no-print">${[-1, 1].map((step) => html`<button type="button" @click=${() => this.#show(this.year + step)}>${String(this.year + step)}</button>`)}</p></div>
      <p class="soft">${t('year.whatIsDueEachYear')}</p>
      ${showList(this.matters, t('year.thePlan'), t('year.thereIsNoMatterYet'), (matters) => show(this.standing, t('year.thePlan'), (standing) => html`
        ${this.#missing(matters, standing)}${this.#table(matters, standing)}`))}
      ${this.board.may('createPlanItem') ? disclosure(t('year.newMatter'), this.#form('new', t('year.addTheMatter'), (body) => this.#create(body))) : nothing}
      ${this.templates.render()}`;
  }

  #form(id, button, submit, matter = {}) {
    return matterForm({ act: this.act(id), button, submit, matter, board: this.board, committees: this.committees.items });
  }

  /** What is missing, in a sentence each. */
  #missing(matters, { matters: standing }) {
    const titles = new Map(matters.map(({ id, title }) => [id, title]));
    const rows = missing(standing, this.year, today()).filter(({ planItemId }) => titles.has(planItemId));
    if (!rows.length) return html`<p>${t('year.nothingIsMissing')}</p>`;
    const words = (row) => t(row.status === 'missed' ? 'year.wasMissed' : 'year.isOnNoAgenda', { title: titles.get(row.planItemId), month: monthName(row.month) });
    return html`<section aria-label=${t('year.whatIsMissing')}><h2>${t('year.whatIsMissing')}</h2><ul>${rows.map((row) => html`<li>${words(row)}</li>`)}</ul></section>`;
  }

  #table(matters, { matters: standing }) {
    const byMatter = new Map(standing.map(({ planItemId, months }) => [planItemId, new Map(months.map((each) => [each.month, each]))]));
    return html`
      <div class="table-scroll" tabindex="0" role="group" aria-label=${t('year.thePlanOf', { year: String(this.year) })}><table class="year">
        <thead><tr><th scope="col">${t('year.matter')}</th>${MONTHS.map((month) => html`<th scope="col" aria-label=${monthName(month)}>${monthName(month, 'short')}</th>`)}</tr></thead>
        <tbody>${repeat(matters, ({ id }) => id, (matter) => html`<tr>
          <th scope="row">${this.#matter(matter)}</th>
          ${MONTHS.map((month) => this.#cell(month, byMatter.get(matter.id)?.get(month)))}</tr>`)}</tbody>
      </table></div>`;
  }

  #cell(month, standing) {
    if (!standing) return html`<td></td>`;
    const words = STATUSES()[standing.status];
    const shown = pill(words, TONES[standing.status]);
    return html`<td class="due" data-month=${monthName(month)}>${standing.meetingId ? html`<a href=${this.board.path('meetings', standing.meetingId)}>${shown}</a>` : shown}</td>`;
  }

  #matter(matter) {
    const owner = matter.ownerUserId ? this.board.nameOf(matter.ownerUserId) : '';
    const committee = this.committees.items.find(({ id }) => id === matter.committeeId)?.name ?? '';
    return html`<div class="row"><span class="grow">${matter.title}<span class="soft">${[owner, committee, matter.source].filter(Boolean).map((part) => html` · ${part}`)}</span></span>
      ${this.board.may('updatePlanItem', { planItemId: ANY }) ? this.#menu(matter) : nothing}</div>`;
  }

  #menu(matter) {
    const act = this.act(`of ${matter.id}`);
    const params = { ...this.params, planItemId: matter.id };
    const meetings = meetingsFor(matter, this.meetings.items, this.year);
    const remove = () => act.run(async () => {
      await this.app.api.call('deletePlanItem', { params });
      this.matters.replace(this.matters.items.filter(({ id }) => id !== matter.id));
    });
    return menu(matter.title, html`
      ${disclosure(t('common.edit'), this.#form(`edit ${matter.id}`, t('common.save'), (body) => this.#save(matter, body), matter))}
      ${meetings.length ? disclosure(t('year.putOnAnAgenda'), html`<ul class="plain-list">${meetings.map((meeting) => html`
        <li><button type="button" class="small" ?disabled=${act.isBusy} @click=${() => this.#place(act, params, meeting)}>${meeting.title} · ${date(meeting.startTime)}</button></li>`)}</ul>`) : nothing}
      ${actProblem(act)}
      ${confirmButton({ act, text: t('common.delete'), yes: t('common.deleteName', { name: matter.title }), question: t('year.theMatterIsDeleted'), run: remove })}`);
  }

  async #create(body) {
    const created = await this.app.api.get('createPlanItem', { params: this.params, body, key: this.act('new').keyFor(body) });
    this.matters.replace([...this.matters.items, created]);
    await this.standing.reload();
  }

  async #save({ id }, body) {
    const changed = await this.app.api.get('updatePlanItem', { params: { ...this.params, planItemId: id }, body });
    this.matters.replace(this.matters.items.map((each) => (each.id === id ? changed : each)));
    await this.standing.reload();
  }

  async #place(act, params, { id: meetingId, title }) {
    const done = await act.run(() => this.app.api.call('placePlanItem', { params, body: { meetingId } }));
    if (!done) return;
    await this.standing.reload();
    this.app.say(t('year.itIsOnTheAgendaOf', { title }));
  }
}
