// The bets of a board: what is to be so by a day, and the newest figure of its KPI.

import { ANY } from '../../lib/access.js';
import { calendarDate, today } from '../../lib/dates.js';
import { figuresByKpi, linePoints } from '../../lib/sparkline.js';
import { Act, List, Resource } from '../../lib/state.js';
import { actProblem, area, choice, closeAround, confirmButton, disclosure, field, form, html, menu, nothing, pill, repeat, show, showList } from '../../lib/ui.js';
import { locale, t } from '../../lib/texts.js';

const STATUSES = ['open', 'won', 'lost', 'dropped'];
const REPORTS = 12;
const [WIDTH, HEIGHT] = [120, 28];

export default (app) => new BetsView(app, app.board);

class BetsView {
  title = () => t('common.bets');

  constructor(app, board) {
    Object.assign(this, { app, board, params: { boardId: board.id } });
    this.bets = new List((cursor) => app.api.page('listBets', { params: this.params, query: { limit: 50 }, cursor }), app.update);
    this.creating = new Act(app.update);
    this.acts = new Map();
    this.history = null;
    this.actions = [['createBet', this.params], ['updateBet', { ...this.params, betId: ANY }], ['deleteBet', { ...this.params, betId: ANY }]];
    this.resources = [this.bets];
  }

  #act(id) {
    if (!this.acts.has(id)) this.acts.set(id, new Act(this.app.update));
    return this.acts.get(id);
  }

  render() {
    return html`
      <div class="row spread"><h1>${t('common.bets')}</h1>
        ${this.bets.items.some(({ latest }) => latest) && !this.history ? html`<button type="button" @click=${() => this.#showHistory()}>${t('bets.showHowTheFiguresWent')}</button>` : ''}</div>
      <p class="soft">${t('bets.whatIsToBeSoBy')}</p>
      ${this.board.may('createBet') ? disclosure(t('bets.newBet'), this.#form()) : ''}
      ${this.history ? show(this.history, t('bets.theFigures'), () => nothing) : ''}
      ${showList(this.bets, t('bets.theBets'), t('bets.thereIsNoBetYet'), (items) => html`
        <ul class="rows">${repeat(items, ({ id }) => id, (bet) => this.#row(bet))}</ul>`)}`;
  }

  #row(bet) {
    const isLate = bet.status === 'open' && bet.dueOn < today();
    return html`
      <li>
        <div class="row">
          <div class="grow">
            <b>${bet.title}</b> ${pill(bet.status, TONES[bet.status])}
            <span class="pill ${isLate ? 'bad' : ''}">${t(isLate ? 'dueDates.wasDue' : 'dueDates.due', { day: calendarDate(bet.dueOn) })}</span>
            <div class="soft">${bet.ownerUserId ? this.board.nameOf(bet.ownerUserId) : t('bets.nobodysBet')}${bet.hypothesis ? ` · ${bet.hypothesis}` : ''}</div>
          </div>
          ${this.#figure(bet)}
          ${this.board.may('updateBet', { betId: ANY }) ? this.#menu(bet) : ''}
        </div>
      </li>`;
  }

  #figure({ rogueId, latest, target }) {
    if (!rogueId) return nothing;
    const points = this.history?.data?.[rogueId] ?? [];
    const line = linePoints(points.map(({ value }) => value), WIDTH, HEIGHT);
    const aim = target && (target.atLeast === null ? t('bets.atMost', { number: number(target.atMost) }) : t('bets.atLeast', { number: number(target.atLeast) }));
    const words = points.map(({ day, value }) => `${calendarDate(day)}: ${number(value)}`).join(', ');
    return html`
      <div class="figure-now">
        ${line ? html`<svg class="spark" role="img" aria-label=${words} viewBox="-2 -2 ${WIDTH + 4} ${HEIGHT + 4}" width=${WIDTH} height=${HEIGHT}><polyline points=${line} fill="none" stroke="currentColor" stroke-width="2"></polyline></svg>` : ''}
        <div><a href="/api/ontology/browse/#${rogueId}">${rogueId}</a>: <b>${latest ? number(latest.value) : t('bets.noFigureYet')}</b>${latest?.dataAnchorDate ? html` <span class="soft">${calendarDate(latest.dataAnchorDate)}</span>` : ''}</div>
        ${aim ? html`<div class="soft">${aim}</div>` : ''}
      </div>`;
  }

  #menu(bet) {
    const act = this.#act(bet.id);
    const params = { ...this.params, betId: bet.id };
    const change = async (event) => {
      const body = { status: event.target.value };
      await act.run(async () => this.#replace(await this.app.api.get('updateBet', { params, body })));
    };
    return menu(bet.title, html`
      ${choice('status', t('common.status'), STATUSES, { id: `status-${bet.id}`, value: bet.status, onChange: change })}
      ${actProblem(act)}
      ${confirmButton({ act, text: t('common.delete'), yes: t('bets.deleteTheBet'), question: t('bets.theBetIsDeleted'), run: () => act.run(async () => {
        await this.app.api.call('deleteBet', { params });
        this.bets.replace(this.bets.items.filter(({ id }) => id !== bet.id));
      }) })}`);
  }

  #replace(bet) {
    this.bets.replace(this.bets.items.map((each) => (each.id === bet.id ? bet : each)));
  }

  #form() {
    const members = this.board.members.items.map(({ userId }) => [userId, this.board.nameOf(userId)]);
    return form({
      act: this.creating, button: t('bets.createTheBet'),
      submit: async ({ title, hypothesis, ownerUserId, dueOn, rogueId, bound, aim }, target) => {
        const body = { title, dueOn, hypothesis: hypothesis || null, ownerUserId: ownerUserId || null, rogueId: rogueId || null, target: aim === '' ? null : { [bound]: Number(aim) } };
        const bet = await this.app.api.get('createBet', { params: this.params, body, key: this.creating.keyFor(body) });
        this.bets.replace([bet, ...this.bets.items]);
        closeAround(target);
      },
      content: html`
        ${field('title', t('common.title'), { required: true, of: 'createBet' })}
        ${area('hypothesis', t('bets.why'), { of: 'createBet' })}
        <div class="pair">
          ${choice('ownerUserId', t('bets.owner'), [['', t('bets.nobodysBet')], ...members])}
          ${field('dueOn', t('bets.dueOn'), { type: 'date', required: true })}
          ${field('rogueId', t('bets.kpi'), { hint: t('bets.theIdOfTheKpi'), placeholder: 'revenue.arr' })}
          ${choice('bound', t('bets.target'), [['atLeast', t('bets.boundAtLeast')], ['atMost', t('bets.boundAtMost')]])}
          ${field('aim', t('bets.number'), { type: 'number', step: 'any' })}
        </div>`,
    });
  }

  /** Reads the figures of the newest published reports, when somebody asks for them. */
  #showHistory() {
    const { api, update } = this.app;
    const listed = async (status) => (await api.page('listReports', { params: this.params, query: { limit: REPORTS, status } })).items;
    const shown = async ({ id }) => (await api.page('listDashboards', { params: { ...this.params, reportId: id }, query: { limit: 25 } })).items;
    this.history = new Resource(async () => {
      const reports = (await Promise.all(['published', 'finalized'].map(listed))).flat();
      const newest = reports.sort((one, other) => other.publishedAt.localeCompare(one.publishedAt)).slice(0, REPORTS);
      return figuresByKpi((await Promise.all(newest.map(shown))).flat());
    }, update);
    this.history.reload();
  }
}

const TONES = { open: 'accent', won: 'good', lost: 'bad', dropped: '' };

function number(value) {
  return new Intl.NumberFormat(locale(), { maximumFractionDigits: 6 }).format(value);
}
