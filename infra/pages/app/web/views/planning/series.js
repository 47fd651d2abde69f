// The series of a board with their occurrences in a year: planned, moved, cancelled, or opened as meetings.

import { ANY } from '../../lib/access.js';
import { date, dateTime, fromWall, toWall, today } from '../../lib/dates.js';
import { byMonth } from '../../lib/plan.js';
import { Problem } from '../../lib/problems.js';
import { Act, List } from '../../lib/state.js';
import { actProblem, closeAround, confirmButton, disclosure, field, form, html, menu, nothing, wordMenu } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';
import { SeriesForm } from './series-form.js';

const ROUTES = ['updateSeries', 'deleteSeries'];
const OF_OCCURRENCES = ['putSeriesOccurrence', 'deleteSeriesOccurrence', 'openSeriesOccurrence'];

export class SeriesOfYear {
  constructor(app, board, year, matters, templates) {
    Object.assign(this, { app, board, year, matters, templateList: templates.list, params: { boardId: board.id }, acts: new Map(), forms: new Map(), found: new Map() });
    this.list = new List((cursor) => app.api.page('listSeries', { params: this.params, query: { limit: 50, order: 'asc' }, cursor }), app.update, { isWhole: true });
    const one = { ...this.params, seriesId: ANY };
    this.actions = [['createSeries', this.params], ...ROUTES.map((name) => [name, one]), ...OF_OCCURRENCES.map((name) => [name, { ...one, key: `${today()}T00:00` }])];
  }

  act(id) {
    if (!this.acts.has(id)) this.acts.set(id, new Act(this.app.update));
    return this.acts.get(id);
  }

  get templates() {
    return this.templateList.items;
  }

  get own() {
    return this.matters.own;
  }

  show(year) {
    this.year = year;
    this.found.clear();
  }

  /** Reads the occurrences of the series that are shown and were not read yet. */
  drawn() {
    for (const { id } of this.list.items.filter(({ id: each }) => !this.found.has(each))) this.#read(id);
  }

  #read(id) {
    const query = { from: `${this.year}-01-01`, to: `${this.year + 1}-01-01` };
    this.found.set(id, new List((cursor) => this.app.api.page('listSeriesOccurrences', { params: { ...this.params, seriesId: id }, query, cursor }), this.app.update, { isWhole: true }));
  }

  /** Reads the occurrences again as `Resource.refresh` reads again. */
  async refresh() {
    const read = await Promise.all([this.list, ...this.found.values()].map((each) => each.refresh()));
    return read.every(Boolean);
  }

  occurrences({ id }) {
    return this.found.get(id)?.items ?? [];
  }

  /** Whether a planned occurrence of a month will take a matter by itself. */
  isComing({ committeeId }, month) {
    const fitting = this.list.items.filter((series) => series.committeeId === committeeId);
    return fitting.some((series) => byMonth(this.occurrences(series), this.year).get(month).some(({ status }) => status === 'planned'));
  }

  /** The ids of the meetings that are occurrences. */
  get opened() {
    return new Set(this.list.items.flatMap((series) => this.occurrences(series).map(({ meetingId }) => meetingId)));
  }

  adding() {
    if (!this.board.may('createSeries')) return nothing;
    return disclosure(t('series.newSeries'), this.#form(null));
  }

  #form(series) {
    const id = series?.id ?? '';
    if (!this.forms.has(id)) this.forms.set(id, new SeriesForm(this.app, this, series));
    return this.forms.get(id).render();
  }

  /** Creates a series, or changes one. */
  async save(body, series, act) {
    if (series) await this.app.api.call('updateSeries', { params: { ...this.params, seriesId: series.id }, body });
    else await this.app.api.call('createSeries', { params: this.params, body, key: act.keyFor(body) });
    this.app.say(t(series ? 'series.isSaved' : 'series.isCreated', { title: body.title }));
    if (series) this.forms.delete(series.id);
    await this.list.reload();
    if (series) this.#read(series.id);
  }

  /** The heading of a row: what the series is, and what may be done with it. */
  heading(series) {
    const committee = this.matters.committeeName(series);
    return html`<div class="row"><span class="grow">${series.title}${committee ? html`<span class="soft"> · ${committee}</span>` : nothing}</span>
      ${this.board.may('updateSeries', { seriesId: ANY }) ? menu(series.title, html`
        ${disclosure(t('common.edit'), this.#form(series))}
        ${this.#delete(series)}`) : nothing}</div>`;
  }

  #delete(series) {
    const act = this.act(`delete ${series.id}`);
    const run = () => act.run(async () => {
      await this.app.api.call('deleteSeries', { params: { ...this.params, seriesId: series.id } });
      this.list.replace(this.list.items.filter(({ id }) => id !== series.id));
    });
    return confirmButton({ act, text: t('common.delete'), yes: t('common.deleteName', { name: series.title }), question: t('series.plannedOnesEnd'), run });
  }

  /** An occurrence that is no meeting, behind its day. */
  day(series, occurrence) {
    const { startTime, status, movedFrom, day } = occurrence;
    const state = status === 'cancelled' ? t('series.cancelled') : movedFrom ? t('series.movedFrom', { date: date(movedFrom) }) : t('year.planned');
    const words = `${series.title} · ${dateTime(startTime)} · ${state}`;
    const face = html`<span aria-hidden="true">${String(Number(day.slice(8)))}</span><span>${date(startTime)} · ${state}</span>`;
    if (!this.board.may('updateSeries', { seriesId: ANY })) return html`<span class="on-day ${status}" title=${words}>${face}</span>`;
    return wordMenu(face, html`<p>${words}</p>${this.#offers(series, occurrence)}`, { of: words, look: `on-day ${status}` });
  }

  #offers(series, { key, startTime, status, movedFrom }) {
    const params = { ...this.params, seriesId: series.id, key };
    const act = this.act(`${series.id} ${key}`);
    const members = series.committeeId ? this.matters.othersIn(series) : this.board.others;
    const cancel = () => act.run(async () => {
      await this.app.api.call('putSeriesOccurrence', { params, body: { cancelled: true } });
      await this.#again(series);
    });
    const restore = html`<button type="button" class="small" ?disabled=${act.isBusy} @click=${() => act.run(async () => {
      await this.app.api.call('deleteSeriesOccurrence', { params });
      await this.#again(series);
    })}>${t('series.putBack')}</button>`;
    if (status === 'cancelled') return html`${restore}${actProblem(act)}`;
    const open = () => act.run(async () => {
      const { id } = await this.app.api.get('openSeriesOccurrence', { params });
      this.app.go(this.board.path('meetings', id));
    });
    return html`
      ${confirmButton({ act, tone: 'primary', text: t('series.openNow'), yes: t('series.openTheMeeting'), question: t('series.membersAreTold', { number: members }), run: open })}
      ${disclosure(t('series.move'), form({
        act: this.act(`move ${series.id} ${key}`), button: t('series.move'), keep: true,
        submit: async ({ startTime: wall }, target) => {
          const instant = fromWall(wall);
          if (!instant) throw new Problem({ status: 400, message: t('meetingForm.theClocksSkipThisTimeOn') });
          await this.app.api.call('putSeriesOccurrence', { params, body: { startTime: instant } });
          closeAround(target);
          await this.#again(series);
        },
        content: field('startTime', t('meetingForm.start'), { id: `occurrence-${series.id}-${key}`, type: 'datetime-local', value: toWall(startTime), required: true }),
      }))}
      ${movedFrom ? restore : nothing}
      ${confirmButton({ act, text: t('series.cancel'), yes: t('series.cancelTheMeeting'), question: t('series.itDoesNotTakePlace'), run: cancel })}
      ${actProblem(act)}`;
  }

  #again({ id }) {
    return this.found.get(id).reload();
  }
}
