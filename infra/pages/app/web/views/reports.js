import { Act, List } from '../lib/state.js';
import { choice, closeAround, disclosure, field, form, html, moment, pill, showList } from '../lib/ui.js';
import { label } from '../lib/words.js';

const STATUSES = ['draft', 'published', 'finalized'];

export default (app) => new ReportsView(app, app.board);

class ReportsView {
  title = 'Reports';

  constructor(app, board) {
    Object.assign(this, { app, board });
    const status = new URLSearchParams(location.search).get('status');
    this.status = STATUSES.includes(status) ? status : '';
    this.creating = new Act(app.update);
    this.actions = [['createReport', { boardId: board.id }]];
    this.#load();
  }

  #load() {
    const params = { boardId: this.board.id };
    const query = { limit: 50, status: this.status };
    this.reports = new List((cursor) => this.app.api.page('listReports', { params, query, cursor }), this.app.update);
    this.resources = [this.reports];
  }

  #filter(status) {
    this.status = status;
    this.app.router.query({ status });
    this.#load();
  }

  render() {
    return html`
      <div class="row spread"><h1>Reports</h1>
        ${choice('status', 'Show', [['', 'All reports'], ...STATUSES], { id: 'filter', value: this.status, onChange: (event) => this.#filter(event.target.value) })}</div>
      ${this.board.may('createReport') ? disclosure('New report', this.#form()) : ''}
      ${showList(this.reports, 'the reports', this.status ? `No report is ${label(this.status).toLowerCase()}.` : 'There is no report yet.', (items) => html`
        <ul class="rows">${items.map((report) => html`
          <li><a class="row-link" href=${this.board.path('reports', report.id)}>
            <span class="grow"><b>${report.title}</b> <span class="soft">${report.publishedAt ? html`published ${moment(report.publishedAt)}` : html`changed ${moment(report.updatedAt)}`}</span></span>
            ${pill(report.status)}</a></li>`)}</ul>`)}`;
  }

  #form() {
    return form({
      act: this.creating, button: 'Create the report',
      submit: async ({ title }, target) => {
        const body = { title };
        const report = await this.app.api.get('createReport', { params: { boardId: this.board.id }, body, key: this.creating.keyFor(body) });
        closeAround(target);
        this.app.go(this.board.path('reports', report.id));
      },
      content: field('title', 'Title', { required: true, maxlength: 200 }),
    });
  }
}
