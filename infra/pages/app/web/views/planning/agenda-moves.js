// What comes on an agenda from elsewhere, and what leaves it: templates, the backlog, postponing. Loaded once it is opened.

import { date } from '../../lib/dates.js';
import { Act, List, Resource } from '../../lib/state.js';
import { actProblem, html, nothing, show } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';

const [BACKLOG, NEXT] = ['backlog', 'next'];
const OVER = ['completed', 'finalized'];

export class AgendaMoves {
  constructor(app, agenda) {
    const params = { boardId: agenda.board.id };
    /** @type {(name: 'listAgendaTemplates' | 'listBacklogItems' | 'listMeetings', query?: any) => any} */
    const whole = (name, query) => new List((cursor) => app.api.page(name, { params, query: { limit: 100, ...query }, cursor }), app.update, { isWhole: true });
    Object.assign(this, { app, agenda, params, acting: new Act(app.update), templates: whole('listAgendaTemplates'), backlog: whole('listBacklogItems') });
    this.series = new Resource(() => app.api.get('getMeetingSeries', { params: agenda.params }), app.update); // of one without a series: 404
    this.meetings = whole('listMeetings', { cancelled: 'false', sort: 'startTime', order: 'asc' });
  }

  /** The templates and the waiting items, each with one press. */
  render() {
    return html`
      ${this.#list(this.templates, t('templates.theTemplates'), t('templates.thereIsNoTemplateYet'), t('agendaMoves.addFromTemplate'), ({ id, name }) => [name, () => this.#apply(id)])}
      ${this.#list(this.backlog, t('agendaMoves.theBacklog'), t('agendaMoves.nothingWaits'), t('agendaMoves.fromTheBacklog'), ({ id, title }) => [title, () => this.#place(id)])}
      ${actProblem(this.acting)}`;
  }

  #list(list, what, none, heading, row) {
    return html`<h3>${heading}</h3>${show(list, what, ({ items }) => (items.length ? html`<ul class="plain-list">${items.filter(({ withheld }) => !withheld).map(row).map(([words, press]) => html`
      <li><button type="button" class="small" ?disabled=${this.acting.isBusy} @click=${press}>${words}</button></li>`)}</ul>` : html`<p class="empty">${none}</p>`))}`;
  }

  /** Where an item can go: the backlog, or another meeting. */
  places(item) {
    const { meetingId } = this.agenda.params;
    const open = this.meetings.items.filter(({ id, status }) => id !== meetingId && !OVER.includes(status));
    const to = (place, words) => html`<li><button type="button" class="small" ?disabled=${this.acting.isBusy} @click=${() => this.#postpone(item, place)}>${words}</button></li>`;
    return html`<ul class="plain-list">${to(BACKLOG, t('agendaMoves.toTheBacklog'))}${this.series.isReady ? to(NEXT, t('agendaMoves.toTheNextMeeting')) : nothing}
      ${open.map(({ id, title, startTime }) => to(id, startTime ? `${title} · ${date(startTime)}` : title))}</ul>${actProblem(this.acting)}${this.meetings.isReady ? nothing : show(this.meetings, t('common.theMeetings'), () => nothing)}`;
  }

  async #change(words, call) {
    const before = this.agenda.resource.data.items.length;
    const done = await this.acting.run(async () => this.agenda.resource.set(await call()));
    if (done) this.app.say(words(this.agenda.resource.data.items.length - before));
  }

  #apply(templateId) {
    return this.#change((number) => t('meetingAgenda.itemsWereAdded', { number }), () => this.app.api.get('applyAgendaTemplate', { params: this.agenda.params, body: { templateId } }));
  }

  async #place(backlogItemId) {
    const { meetingId } = this.agenda.params;
    await this.#change((number) => t('meetingAgenda.itemsWereAdded', { number }), () => this.app.api.get('placeBacklogItem', { params: { ...this.params, backlogItemId }, body: { meetingId } }));
    this.backlog.reload();
  }

  async #postpone({ id: itemId, title }, to) {
    await this.#change(() => t('agendaMoves.wasPostponed', { title }), () => this.app.api.get('postponeAgendaItem', { params: { ...this.agenda.params, itemId }, body: { to } }));
    this.backlog.reload();
  }
}
