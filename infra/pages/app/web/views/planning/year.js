// The year of a board: months across, meetings and matters of the work plan down, what is missing in words. A list on a narrow screen.

import { ANY } from '../../lib/access.js';
import { date, today } from '../../lib/dates.js';
import { MONTHS, STATUSES, TONES, byMonth, inMonths, meetingsFor, missing, monthName } from '../../lib/plan.js';
import { List } from '../../lib/state.js';
import { html, nothing, pill, repeat, show } from '../../lib/ui.js';
import { label } from '../../lib/words.js';
import { t } from '../../lib/texts.js';
import { Backlog } from './backlog.js';
import { Matters } from './matters.js';
import { SeriesOfYear } from './series.js';
import { Templates } from './templates.js';

export default (app) => new YearView(app, app.board);

class YearView {
  title = () => t('year.year');

  constructor(app, board) {
    const asked = Number(new URLSearchParams(location.search).get('year'));
    this.year = asked >= 1000 && asked < 3000 ? asked : Number(today().slice(0, 4));
    Object.assign(this, { app, board, matters: new Matters(app, board, this.year), templates: new Templates(app, board) });
    this.backlog = new Backlog(app, board, this.matters);
    this.series = new SeriesOfYear(app, board, this.year, this.matters, this.templates);
    this.#read();
    this.actions = [...this.series.actions, ...this.matters.actions, ...this.templates.actions, ...this.backlog.actions];
    const standing = { refresh: () => this.matters.standing.refresh() };
    const meetings = { refresh: () => this.meetings.refresh() };
    this.follows = [
      { on: ['plan_item'], read: this.matters.list }, { on: ['plan_item', 'agenda', 'minutes', 'meeting'], read: standing },
      { on: ['meeting'], read: meetings }, { on: ['series', 'occurrence', 'meeting'], read: this.series }, { on: ['committee'], read: this.matters.committees }, { on: ['template'], read: this.templates.list }, { on: ['backlog_item'], read: this.backlog.list },
    ];
  }

  get resources() {
    return [...this.matters.resources, this.meetings, this.templates.list, this.backlog.list, this.series.list];
  }

  /** Reads the meetings of the year, and of the days around it, which are of the year somewhere. */
  #read() {
    const query = { limit: 100, order: 'asc', cancelled: 'false', startAfter: `${this.year - 1}-12-31T00:00:00Z`, startBefore: `${this.year + 1}-01-02T00:00:00Z` };
    this.meetings = new List((cursor) => this.app.api.page('listMeetings', { params: { boardId: this.board.id }, query, cursor }), this.app.update, { isWhole: true });
  }

  #show(year) {
    this.year = year;
    this.app.router.query({ year: String(year) });
    this.matters.show(year);
    this.series.show(year);
    this.#read();
    this.app.update();
  }

  drawn() {
    this.series.drawn();
  }

  render() {
    const { list, standing } = this.matters;
    return html`
      <div class="row spread"><h1>${t('year.yearNumber', { year: String(this.year) })}</h1>
        <p class="row no-print">${[-1, 1].map((step) => html`<button type="button" @click=${() => this.#show(this.year + step)}>${String(this.year + step)}</button>`)}</p></div>
      ${show(this.meetings, t('common.theMeetings'), ({ items: meetings }) => show(list, t('year.thePlan'), ({ items }) => show(standing, t('year.thePlan'), (found) => show(this.series.list, t('series.theSeries'), () => this.#whole(meetings, items, found.matters)))))}
      ${this.series.adding()}
      ${this.matters.adding()}
      ${this.templates.render()}
      ${this.backlog.render()}`;
  }

  #whole(meetings, matters, standing) {
    if (!meetings.length && !matters.length && !this.series.list.items.length) return html`<p class="empty">${t('year.nothingStandsInItYet')}</p>`;
    return html`${this.#missing(meetings, matters, standing)}${this.#table(meetings, matters, standing)}`;
  }

  /** What is missing, in a sentence each, with the meetings that can take it. */
  #missing(meetings, matters, standing) {
    const byId = new Map(matters.map((matter) => [matter.id, matter]));
    const known = standing.filter(({ planItemId }) => byId.has(planItemId));
    const rows = missing(known, this.year, today(), (id, month) => this.series.isComing(byId.get(id), month));
    if (!rows.length) return html`<p>${t('year.nothingIsMissing')}</p>`;
    return html`<section aria-labelledby="missing"><h2 id="missing">${t('year.whatIsMissing')}</h2><ul class="plain-list">${rows.map(({ planItemId, ...row }) => this.#lack(byId.get(planItemId), row, meetings))}</ul></section>`;
  }

  #lack(matter, { missed, due }, meetings) {
    const { title } = matter;
    return html`
      ${missed.length ? html`<li>${t('year.wasMissed', { title, months: inMonths(missed) })}</li>` : nothing}
      ${due.map((month) => this.#due(matter, month, meetingsFor([month], meetings, this.year).filter(({ day }) => day >= today())))}`;
  }

  #due(matter, month, fitting) {
    const values = { title: matter.title, month: monthName(month) };
    if (!fitting.length) return html`<li>${t('year.hasNoMeeting', values)}</li>`;
    return html`<li class="row"><span>${t('year.isOnNoAgenda', values)}</span> ${this.board.may('placePlanItem', { planItemId: ANY }) ? this.matters.placings(matter, fitting) : nothing}</li>`;
  }

  #table(meetings, matters, standing) {
    const byMatter = new Map(standing.map(({ planItemId, months }) => [planItemId, new Map(months.map((each) => [each.month, each]))]));
    const { opened } = this.series;
    const others = meetings.filter(({ id }) => !opened.has(id));
    const hasSeries = this.series.list.items.length > 0;
    return html`
      <table class="year" aria-label=${t('year.yearNumber', { year: String(this.year) })}>
        <thead><tr><td></td>${MONTHS.map((month) => html`<th scope="col" aria-label=${monthName(month)}>${monthName(month, 'short')}</th>`)}</tr></thead>
        <tbody>
          ${repeat(this.series.list.items, ({ id }) => id, (series) => this.#row(this.series.heading(series), byMonth(this.series.occurrences(series), this.year), (found) => found.map((each) => this.#occurrence(series, each, meetings))))}
          ${others.length ? this.#row(t(hasSeries ? 'series.otherMeetings' : 'common.meetings'), byMonth(others, this.year), (found) => found.map((meeting) => this.#meeting(meeting))) : nothing}
          ${repeat(matters, ({ id }) => id, (matter) => this.#row(this.#matter(matter, meetings), byMatter.get(matter.id) ?? new Map(), (found) => this.#standing(found)))}
        </tbody>
      </table>`;
  }

  /** A row: what it is of, and what each month has of it. */
  #row(heading, months, cell) {
    const filled = (month) => [months.get(month) ?? []].flat().length;
    return html`<tr><th scope="row">${heading}</th>${MONTHS.map((month) => (filled(month) ? html`<td class="due" data-month=${monthName(month)}>${cell(months.get(month))}</td>` : html`<td></td>`))}</tr>`;
  }

  /** An occurrence: what may be done with it, or its meeting; one whose meeting is not among those of the year is cancelled. */
  #occurrence(series, occurrence, meetings) {
    const { meetingId, status, startTime, day } = occurrence;
    if (status !== 'opened') return this.series.day(series, occurrence);
    return this.#meeting(meetings.find(({ id }) => id === meetingId) ?? { id: meetingId, title: series.title, status: 'cancelled', startTime }, day);
  }

  #meeting({ id, title, status, startTime, day: own }, day = own) {
    const words = `${title} · ${date(startTime)} · ${label(status)}`;
    return html`<a class="on-day ${status}" href=${this.board.path('meetings', id)} aria-label=${words} title=${words}><span>${String(Number(day.slice(8)))}</span><span>${date(startTime)} · ${title}</span></a>`;
  }

  #standing({ status, meetingId }) {
    const shown = pill(STATUSES()[status], TONES[status]);
    return meetingId ? html`<a href=${this.board.path('meetings', meetingId)}>${shown}</a>` : shown;
  }

  #matter(matter, meetings) {
    return html`<div class="row"><span class="grow">${matter.title}${this.matters.facts(matter).map((fact) => html`<span class="soft"> · ${fact}</span>`)}</span>${this.matters.menu(matter, meetings)}</div>`;
  }
}
