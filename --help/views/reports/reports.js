import { Act, List } from '../../lib/state.js';
import { choice, closeAround, disclosure, field, form, html, pill, relativeTime, showList } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';

const STATUSES = ['draft', 'published', 'finalized'];

export default (app) => new ReportsView(app, app.board);

class ReportsView {
  title = () => t('common.reports');

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
      <div class="row spread"><h1>${t('common.reports')}</h1>
        ${choice('status', t('common.show'), [['', t('reports.allReports')], ...STATUSES], { id: 'filter', value: this.status, onChange: (event) => this.#filter(event.target.value) })}</div>
      ${this.board.may('createReport') ? disclosure(t('reports.newReport'), this.#form()) : ''}
      ${showList(this.reports, t('reports.theReports'), this.status ? t('reports.noReportHasThisStatus') : t('common.thereIsNoReportYet'), (items) => html`
        <ul class="rows">${items.map((report) => html`
          <li><a class="row-link" href=${this.board.path('reports', report.id)}>
            <span class="grow"><b>${report.title}</b> <span class="soft">${report.publishedAt ? html`${t('common.publishedWhen', { when: relativeTime(report.publishedAt) })}` : html`${t('common.changedWhen', { when: relativeTime(report.updatedAt) })}`}</span></span>
            ${pill(report.status)}</a></li>`)}</ul>`)}`;
  }

  #form() {
    return form({
      act: this.creating, button: t('reports.createTheReport'),
      submit: async ({ title }, target) => {
        const body = { title };
        const report = await this.app.api.get('createReport', { params: { boardId: this.board.id }, body, key: this.creating.keyFor(body) });
        closeAround(target);
        this.app.go(this.board.path('reports', report.id));
      },
      content: field('title', t('common.title'), { required: true, of: 'createReport' }),
    });
  }
}
