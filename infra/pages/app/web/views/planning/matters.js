// The matters of the work plan: how each stands in a year, adding several at once, and what may be done with one.

import { ANY } from '../../lib/access.js';
import { date } from '../../lib/dates.js';
import { lineOf, meetingsFor, readItems } from '../../lib/plan.js';
import { Problem } from '../../lib/problems.js';
import { Act, List, Resource } from '../../lib/state.js';
import { actProblem, area, choice, confirmButton, disclosure, form, html, menu, nothing, wordMenu } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';
import { matterForm } from './matter-form.js';

const WHOLE = { isWhole: true };

export class Matters {
  constructor(app, board, year) {
    Object.assign(this, { app, board, params: { boardId: board.id }, acts: new Map(), keys: new Map() });
    const query = { limit: 100, order: 'asc' };
    this.list = new List((cursor) => app.api.page('listPlanItems', { params: this.params, query, cursor }), app.update, WHOLE);
    this.committees = new List((cursor) => app.api.page('listCommittees', { params: this.params, query, cursor }), app.update, WHOLE);
    this.show(year);
    const one = { ...this.params, planItemId: ANY };
    this.actions = [['createPlanItem', this.params], ...['updatePlanItem', 'deletePlanItem', 'placePlanItem'].map((name) => [name, one])];
  }

  /** Reads how the matters stand in another year. */
  show(year) {
    this.year = year;
    this.standing = new Resource(() => this.app.api.get('getPlanYear', { params: { ...this.params, year: String(year) } }), this.app.update);
  }

  get resources() {
    return [this.list, this.committees, this.standing];
  }

  act(id) {
    if (!this.acts.has(id)) this.acts.set(id, new Act(this.app.update));
    return this.acts.get(id);
  }

  /** The committees that the caller is in, as a choice. */
  get own() {
    return this.committees.items.filter(({ memberIds }) => memberIds.includes(this.board.member?.id)).map(({ id, name }) => [id, name]);
  }

  /** Who is to do a matter, who alone sees it, and what requires it. */
  facts(matter) {
    const owner = matter.ownerUserId ? this.board.nameOf(matter.ownerUserId) : '';
    return [owner, this.committeeName(matter), matter.source].filter(Boolean);
  }

  committeeName({ committeeId }) {
    return this.committees.items.find(({ id }) => id === committeeId)?.name;
  }

  /** How many others are in the committee of something. */
  othersIn({ committeeId }) {
    return Math.max(0, (this.committees.items.find(({ id }) => id === committeeId)?.memberIds.length ?? 1) - 1);
  }

  /** The form that adds matters, a line each; those of a request that failed stay in it. */
  adding() {
    if (!this.board.may('createPlanItem')) return nothing;
    const { own } = this;
    return disclosure(t('year.newMatters'), form({
      act: this.act('new'), button: t('year.addTheMatters'), submit: (values, target) => this.#add(values, target.elements.matters),
      content: html`
        ${area('matters', t('year.matters'), { id: 'matters-new', rows: 6, isRequired: true, hint: t('year.oneMatterALine') })}
        ${own.length ? choice('committeeId', t('year.seenBy'), [['', t('year.theWholeBoard')], ...own], { id: 'matters-committee' }) : nothing}`,
    }));
  }

  async #add({ matters, committeeId }, field) {
    const read = readItems(matters);
    const undated = read.find(({ months }) => !months);
    if (undated) throw new Problem({ status: 400, message: t('year.sayTheMonthsOf', { title: undated.title }) });
    try {
      for (const [at, { title, minutes, months, notes }] of read.entries()) {
        await this.#create({ title, minutes, months, notes, committeeId: committeeId || null });
        field.value = read.slice(at + 1).map(lineOf).join('\n');
      }
      this.app.say(t('year.mattersWereAdded', { number: read.length }));
    } finally {
      this.standing.refresh();
    }
    field.focus();
  }

  /** Creates a matter; the same one again after a failure, and not twice. */
  async #create(body) {
    const of = JSON.stringify(body);
    if (!this.keys.has(of)) this.keys.set(of, crypto.randomUUID());
    const created = await this.app.api.get('createPlanItem', { params: this.params, body, key: this.keys.get(of) });
    this.keys.delete(of);
    this.list.replace([...this.list.items, created]);
  }

  /** What may be done with a matter; `meetings` are those of the year. */
  menu(matter, meetings) {
    if (!this.board.may('updatePlanItem', { planItemId: ANY })) return nothing;
    const act = this.act(`of ${matter.id}`);
    const fitting = meetingsFor(matter.months, meetings, this.year);
    const remove = () => act.run(async () => {
      await this.app.api.call('deletePlanItem', { params: { ...this.params, planItemId: matter.id } });
      this.list.replace(this.list.items.filter(({ id }) => id !== matter.id));
    });
    return menu(matter.title, html`
      ${disclosure(t('common.edit'), matterForm({ act: this.act(`edit ${matter.id}`), submit: (body) => this.#save(matter, body), matter, board: this.board, own: this.own }))}
      ${fitting.length ? disclosure(t('year.putOnAnAgenda'), this.#places(matter, fitting)) : nothing}
      ${confirmButton({ act, text: t('common.delete'), yes: t('common.deleteName', { name: matter.title }), question: t('year.theMatterIsDeleted'), run: remove })}`);
  }

  /** One press where one meeting can take a matter, and the choice where several can. */
  placings(matter, meetings) {
    const [{ title, startTime }] = meetings;
    if (meetings.length > 1) return wordMenu(t('year.putOnAnAgenda'), this.#places(matter, meetings));
    return this.#placing(matter, meetings[0], t('year.putOnTheAgendaOf', { title: `${title} · ${date(startTime)}` }));
  }

  #places(matter, meetings) {
    return html`<ul class="plain-list">${meetings.map((meeting) => html`<li>${this.#placing(matter, meeting, `${meeting.title} · ${date(meeting.startTime)}`)}</li>`)}</ul>`;
  }

  #placing(matter, meeting, words) {
    const act = this.act(`place ${matter.id}`);
    return html`<button type="button" class="small" ?disabled=${act.isBusy} @click=${() => this.#place(act, matter, meeting)}>${words}</button>${actProblem(act)}`;
  }

  async #save({ id }, body) {
    const changed = await this.app.api.get('updatePlanItem', { params: { ...this.params, planItemId: id }, body });
    this.list.replace(this.list.items.map((each) => (each.id === id ? changed : each)));
    this.standing.refresh();
  }

  async #place(act, { id: planItemId }, { id: meetingId, title }) {
    const done = await act.run(() => this.app.api.call('placePlanItem', { params: { ...this.params, planItemId }, body: { meetingId } }));
    if (!done) return;
    this.standing.refresh();
    this.app.say(t('year.itIsOnTheAgendaOf', { title }));
  }
}
