import { ANY } from '../../lib/access.js';
import { Act, List, Resource } from '../../lib/state.js';
import { actProblem, choice, closeAround, confirmButton, disclosure, field, form, html, menu, pill, relativeTime, repeat, show, showList } from '../../lib/ui.js';
import { newestCurrency } from '../../lib/chart-values.js';
import { label } from '../../lib/words.js';
import { historyLink } from '../history/history-link.js';
import { Dashboard } from './dashboard.js';
import { Plots } from '../../lib/plots.js';
import { t } from '../../lib/texts.js';

// What is asked of each dashboard by its own id.
const OF_DASHBOARD = ['updateDashboard', 'transferDashboardOwnership'];

export default (app, params) => new ReportView(app, app.board, params);

class ReportView {
  constructor(app, board, params) {
    Object.assign(this, { app, board, params });
    this.report = new Resource(() => app.api.get('getReport', { params }), app.update);
    this.dashboards = new List((cursor) => app.api.page('listDashboards', { params, query: { limit: 25 }, cursor }), app.update);
    this.asked = new Set();
    for (const name of ['moving', 'finalizing', 'renaming', 'deleting', 'adding']) this[name] = new Act(app.update);
    this.plots = new Plots();
    this.shown = new Map();
    const ofDashboards = [['deleteDashboard', { ...params, dashboardId: ANY }]];
    ofDashboards.push(['putDashboardFlagDismissal', { ...params, dashboardId: ANY, flagId: ANY }]);
    this.actions = [...['updateReport', 'deleteReport', 'createDashboard'].map((name) => [name, params]), ...ofDashboards];
    this.resources = [this.report, this.dashboards];
  }

  get follows() {
    return [...this.shown.values()].flatMap(({ comments }) => comments?.follows ?? []);
  }

  title = () => this.report.data?.title ?? t('report.report');

  /** Who is no manager may edit some dashboards: which ones is asked once they are shown. */
  #ask() {
    if (this.app.access.isBusy || this.#isManager) return;
    const others = this.dashboards.items.filter(({ id }) => !this.asked.has(id));
    if (!others.length) return;
    for (const { id } of others) this.asked.add(id);
    this.app.access.ask(others.flatMap(({ id }) => OF_DASHBOARD.map((name) => [name, { ...this.params, dashboardId: id }])));
  }

  get #isManager() {
    return this.board.may('deleteDashboard', { ...this.params, dashboardId: ANY });
  }

  #mayWith(name, item) {
    return this.#isManager || (this.asked.has(item.id) && this.board.may(name, { ...this.params, dashboardId: item.id }));
  }

  /** Whether an action is offered: on a finalized report none is. */
  may(name, params = {}) {
    return this.report.data?.status !== 'finalized' && this.board.may(name, { ...this.params, ...params });
  }

  dispose() {
    for (const each of this.shown.values()) each.dispose();
    this.plots.dispose();
  }

  drawn(root) {
    this.#ask();
    this.plots.draw(root);
  }

  render() {
    return show(this.report, t('report.theReport'), (report) => html`
      <article class="report">
        <div class="row spread"><h1>${report.title}</h1><span class="row">${pill(report.status)}<button type="button" class="no-print" @click=${() => print()}>${t('report.print')}</button></span></div>
        <p class="soft">${this.board.board.data?.name ?? ''}${report.publishedAt ? html` ${t('report.publishedWhen', { when: relativeTime(report.publishedAt) })}` : ''}</p>
        <div class="row no-print">
          ${this.may('updateReport') ? html`${this.#steps(report)}${this.#edit(report)}` : ''}
          ${this.may('createDashboard') ? this.#add() : ''}${this.may('deleteReport') ? menu(report.title, this.#delete()) : ''}${historyLink(this.board, report.id)}
        </div>
        ${actProblem(this.moving)}
        ${showList(this.dashboards, t('report.theDashboards'), t('report.theReportHasNoDashboardYet'), (items) => repeat(items, ({ id }) => id, (item) => this.#dashboard(item)))}
      </article>`);
  }

  #dashboard(item) {
    if (!this.shown.has(item.id)) this.shown.set(item.id, new Dashboard(this.app, this.board, this.params, this.plots, { changed: (id, changed) => this.#changed(id, changed), currency: () => newestCurrency(this.dashboards.items) }));
    const any = { dashboardId: ANY };
    const isOpen = this.report.data?.status !== 'finalized';
    return this.shown.get(item.id).render(item, {
      edit: isOpen && this.#mayWith('updateDashboard', item), remove: this.may('deleteDashboard', any),
      decide: this.may('putDashboardFlagDismissal', { ...any, flagId: ANY }), share: this.#mayWith('transferDashboardOwnership', item),
    }, this.report.data?.publishedAt);
  }

  /** Puts a changed dashboard in its place; takes it out where it was deleted. */
  #changed(id, changed) {
    const items = this.dashboards.items.flatMap((each) => (each.id === id ? (changed ?? []) : each));
    this.dashboards.replace(items);
    for (const each of this.shown.values()) each.checks.reload();
  }

  #steps(report) {
    const to = (status) => async () => {
      this.report.set(await this.app.api.get('updateReport', { params: this.params, body: { status } }));
    };
    return html`
      ${report.status === 'draft' ? confirmButton({ act: this.moving, text: t('report.publish'), yes: t('report.publish'), tone: 'primary', question: this.#askToPublish(), run: () => this.moving.run(to('published')) }) : ''}
      ${report.status === 'published' ? html`<button type="button" ?disabled=${this.moving.isBusy} @click=${() => this.moving.run(to('draft'))}>${t('report.backToDraft')}</button>` : ''}
      ${report.status === 'published' ? confirmButton({ act: this.finalizing, text: t('common.finalize'), yes: t('common.finalize'), keep: t('ui.notNow'), question: t('report.aFinalizedReportAndItsDashboards'), run: () => this.finalizing.run(to('finalized')) }) : ''}`;
  }

  /** What is open when a report is published, and who is told. */
  #askToPublish() {
    const flags = [...this.shown.values()].reduce((sum, { checks }) => sum + checks.open, 0);
    const unready = this.dashboards.items.filter(({ uniform }) => uniform && uniform.reviewStatus !== 'internally_reviewed').length;
    return html`
      ${flags ? html`<p class="notice">${t('report.figuresContradict', { number: flags })}</p>` : ''}
      ${unready ? html`<p class="notice">${t('report.sectionsAreNotReviewed', { number: unready })}</p>` : ''}
      <p>${t('common.membersAreTold', { number: this.board.others })}</p>`;
  }

  #edit(report) {
    return disclosure(t('report.rename'), form({
      act: this.renaming, button: t('common.save'), keep: true,
      submit: async ({ title }, target) => {
        this.report.set(await this.app.api.get('updateReport', { params: this.params, body: { title } }));
        closeAround(target);
      },
      content: field('title', t('common.title'), { value: report.title, required: true, of: 'updateReport' }),
    }));
  }

  #add() {
    return disclosure(t('report.addADashboard'), form({
      act: this.adding, button: t('common.add'),
      submit: async ({ title, dashboardType }, target) => {
        const body = { title: title || null, dashboardType };
        const created = await this.app.api.get('createDashboard', { params: this.params, body, key: this.adding.keyFor(body) });
        this.dashboards.replace([...this.dashboards.items, created]);
        closeAround(target);
      },
      content: html`${field('title', t('common.title'), { id: 'dashboard-title', of: 'createDashboard' })}${choice('dashboardType', t('common.kind'), ['uniform', 'historicalFundraising'].map((each) => [each, label(each)]))}`,
    }));
  }

  #delete() {
    return confirmButton({
      act: this.deleting, text: t('common.delete'), yes: t('report.deleteTheReport'), question: t('report.theReportIsDeletedWithIts'),
      run: () => this.deleting.run(async () => {
        await this.app.api.call('deleteReport', { params: this.params });
        this.app.say(t('report.theReportWasDeleted'));
        this.app.go(this.board.path('reports'), { replace: true });
      }),
    });
  }
}
