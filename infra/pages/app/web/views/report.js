import { ANY } from '../lib/access.js';
import { Act, List, Resource } from '../lib/state.js';
import { actProblem, choice, closeAround, confirmButton, disclosure, field, form, html, moment, pill, repeat, show, showList } from '../lib/ui.js';
import { label } from '../lib/words.js';
import { Dashboard } from './dashboard.js';
import { Plots } from '../lib/plots.js';

// Where a report may go from a status, with the words of the button.
const STEPS = { draft: [['Publish', 'published']], published: [['Back to draft', 'draft']], finalized: [] };

export default (app, params) => new ReportView(app, app.board, params);

class ReportView {
  constructor(app, board, params) {
    Object.assign(this, { app, board, params });
    this.report = new Resource(() => app.api.get('getReport', { params }), app.update);
    this.dashboards = new List((cursor) => app.api.page('listDashboards', { params, query: { limit: 25 }, cursor }), app.update);
    for (const name of ['moving', 'finalizing', 'renaming', 'deleting', 'adding']) this[name] = new Act(app.update);
    this.plots = new Plots();
    this.shown = new Map();
    const ofDashboards = ['updateDashboard', 'deleteDashboard'].map((name) => [name, { ...params, dashboardId: ANY }]);
    this.actions = [...['updateReport', 'deleteReport', 'createDashboard'].map((name) => [name, params]), ...ofDashboards];
    this.resources = [this.report, this.dashboards];
  }

  title = () => this.report.data?.title ?? 'Report';

  /** Whether an action is offered: on a finalized report none is. */
  may(name, params = {}) {
    return this.report.data?.status !== 'finalized' && this.board.may(name, { ...this.params, ...params });
  }

  dispose() {
    this.plots.dispose();
  }

  drawn(root) {
    this.plots.draw(root);
  }

  render() {
    return show(this.report, 'the report', (report) => html`
      <article class="report">
        <div class="row spread"><h1>${report.title}</h1><span class="row">${pill(report.status)}<button type="button" class="no-print" @click=${() => print()}>Print</button></span></div>
        <p class="soft">${this.board.board.data?.name ?? ''}${report.publishedAt ? html` · published ${moment(report.publishedAt)}` : ''}</p>
        <div class="row no-print">
          ${this.may('updateReport') ? html`${this.#steps(report)}${this.#edit(report)}` : ''}
          ${this.may('createDashboard') ? this.#add() : ''}${this.may('deleteReport') ? this.#delete() : ''}
        </div>
        ${actProblem(this.moving)}
        ${showList(this.dashboards, 'the dashboards', 'The report has no dashboard yet.', (items) => repeat(items, ({ id }) => id, (item) => this.#dashboard(item)))}
      </article>`);
  }

  #dashboard(item) {
    if (!this.shown.has(item.id)) this.shown.set(item.id, new Dashboard(this.app, this.params, this.plots, (id, changed) => this.#changed(id, changed)));
    const of = { dashboardId: ANY };
    return this.shown.get(item.id).render(item, { edit: this.may('updateDashboard', of), remove: this.may('deleteDashboard', of) });
  }

  /** Puts a changed dashboard in its place; takes it out where it was deleted. */
  #changed(id, changed) {
    const items = this.dashboards.items.flatMap((each) => (each.id === id ? (changed ?? []) : each));
    this.dashboards.replace(items);
  }

  #steps(report) {
    const to = (status) => async () => {
      this.report.set(await this.app.api.get('updateReport', { params: this.params, body: { status } }));
    };
    return html`
      ${STEPS[report.status].map(([text, status]) => html`<button type="button" class=${status === 'published' ? 'primary' : ''} ?disabled=${this.moving.isBusy} @click=${() => this.moving.run(to(status))}>${text}</button>`)}
      ${report.status === 'published' ? confirmButton({ act: this.finalizing, text: 'Finalize', yes: 'Finalize', question: 'A finalized report and its dashboards can no longer be changed.', run: () => this.finalizing.run(to('finalized')) }) : ''}`;
  }

  #edit(report) {
    return disclosure('Rename', form({
      act: this.renaming, button: 'Save', keep: true,
      submit: async ({ title }, target) => {
        this.report.set(await this.app.api.get('updateReport', { params: this.params, body: { title } }));
        closeAround(target);
      },
      content: field('title', 'Title', { value: report.title, required: true, maxlength: 200 }),
    }));
  }

  #add() {
    return disclosure('Add a dashboard', form({
      act: this.adding, button: 'Add',
      submit: async ({ title, dashboardType }, target) => {
        const body = { title: title || null, dashboardType };
        const created = await this.app.api.get('createDashboard', { params: this.params, body, key: this.adding.keyFor(body) });
        this.dashboards.replace([...this.dashboards.items, created]);
        closeAround(target);
      },
      content: html`${field('title', 'Title', { id: 'dashboard-title', maxlength: 200 })}${choice('dashboardType', 'Kind', ['uniform', 'historicalFundraising'].map((each) => [each, label(each)]))}`,
    }));
  }

  #delete() {
    return confirmButton({
      act: this.deleting, text: 'Delete', yes: 'Delete the report', question: 'The report is deleted with its dashboards.',
      run: () => this.deleting.run(async () => {
        await this.app.api.call('deleteReport', { params: this.params });
        this.app.say('The report was deleted.');
        this.app.go(this.board.path('reports'), { replace: true });
      }),
    });
  }
}
