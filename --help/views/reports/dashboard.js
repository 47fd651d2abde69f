// One dashboard of a report: each field drawn by its widget's type.

import { Act } from '../../lib/state.js';
import { actProblem, area, closeAround, confirmButton, disclosure, field, form, html, menu, nothing, pill, repeat } from '../../lib/ui.js';
import { calendarDate, dateTime } from '../../lib/dates.js';
import { chart, figure, table, text, unitOf } from '../../lib/chart-values.js';
import { isPercent } from '../../lib/contradictions.js';
import { label } from '../../lib/words.js';
import { t } from '../../lib/texts.js';
import { Opened } from '../opened.js';
import { DashboardChecks, figureId } from './dashboard-checks.js';

const STEPS = {
  working: ['ready_for_review'], ready_for_review: ['internally_reviewed', 'changes_requested'],
  changes_requested: ['ready_for_review', 'working'], internally_reviewed: ['working'],
};
const VERBS = () => ({ working: t('dashboard.backToWork'), ready_for_review: t('dashboard.readyForReview'), internally_reviewed: t('dashboard.markAsReviewed'), changes_requested: t('dashboard.requestChanges') });
const OWN_STEPS = ['working', 'ready_for_review'];
const WIDE = ['table', 'chart', 'text'];
const CHANGED = 412;

export class Dashboard {
  /** `changed` takes the dashboard as it is afterwards; `currency` returns that of the report's newest figure. */
  constructor(app, board, params, plots, { changed, currency }) {
    Object.assign(this, { app, board, params, plots, changed, currency });
    this.checks = new DashboardChecks(app, params);
    this.moving = new Act(app.update);
    this.editing = new Act(app.update);
    this.deleting = new Act(app.update);
    this.opening = new Act(app.update);
    this.editor = null;
  }

  dispose() {
    this.editor?.dispose();
  }

  /** `publishedAt` is when the report was published; readers are told of what was changed since. */
  render(item, may, publishedAt = null) {
    const { uniform } = item;
    this.#begin(item);
    this.item = item;
    if (uniform?.fields.some(({ rogueId }) => rogueId)) this.checks.begin(item.id);
    const fields = [...(uniform?.fields ?? [])].sort((one, other) => one.displayOrder - other.displayOrder);
    return html`
      <section class="card dashboard">
        <div class="card-head"><h2>${item.title ?? label(item.dashboardType)}</h2>${uniform ? pill(uniform.reviewStatus) : nothing}</div>
        ${uniform?.narrative ? html`<p class="narrative">${uniform.narrative}</p>` : nothing}
        ${uniform?.dataAnchorDate ? html`<p class="soft">${t('dashboard.figuresAsOfCalendardate', { calendarDate: calendarDate(uniform.dataAnchorDate) })}</p>` : nothing}
        ${publishedAt && item.updatedAt > publishedAt ? html`<p class="notice">${t('dashboard.changedSincePublished', { when: dateTime(item.updatedAt), published: dateTime(publishedAt) })}</p>` : nothing}
        ${this.editor ? this.editor.render(may.decide) : this.#shown(item, fields, may)}
        ${this.comments.render(t('comments.comments'), { kind: 'discussion' })}
      </section>`;
  }

  #shown(item, fields, may) {
    return html`
      ${fields.length ? html`<div class="figures">${repeat(fields, ({ fieldId }) => fieldId, (each) => this.#field(item, each, may))}</div>` : html`<p class="empty">${item.uniform ? t('dashboard.noFigureYet') : t('dashboard.thisDashboardHoldsNoFiguresOf')}</p>`}
      <div class="row no-print">
        ${may.edit ? html`${item.uniform ? this.#fill(item) : nothing}${this.#steps(item, may)}${item.uniform ? this.#edit(item) : nothing}` : nothing}
        ${may.edit && item.uniform ? this.sheet.render(t('dashboardSheet.fillFromASpreadsheet')) : nothing}
        ${this.access.render(t('dashboardAccess.whoMayEdit'), { with: may.share })}
        ${may.remove ? menu(item.title ?? label(item.dashboardType), this.#delete(item)) : nothing}
      </div>
      ${actProblem(this.opening)}
      ${actProblem(this.moving)}`;
  }

  /** The editor of the figures is loaded when it is opened. */
  #fill(item) {
    const id = `fill-${item.id}`;
    const done = () => {
      this.dispose();
      this.editor = null;
      this.app.update();
      requestAnimationFrame(() => document.getElementById(id)?.focus());
    };
    const open = async () => {
      const { FigureEditor } = await import('./figure-editor.js');
      const params = { ...this.params, dashboardId: item.id };
      this.editor = new FigureEditor(this.app, params, this.checks, { changed: (dashboard) => this.changed(item.id, dashboard), done, currency: this.currency });
    };
    return html`<button type="button" id=${id} ?disabled=${this.opening.isBusy} @click=${() => this.opening.run(open)}>${t('dashboard.fillByHand')}</button>`;
  }

  /** What is opened is loaded then: a report has many dashboards. */
  #begin(item) {
    const params = { ...this.params, dashboardId: item.id };
    const figures = () => (this.item.uniform?.fields ?? []).map(({ fieldId, label: name }) => [fieldId, name]);
    this.access ??= new Opened(this.app, async () => new (await import('./dashboard-access.js')).DashboardAccess(this.app, this.board, params));
    this.sheet ??= new Opened(this.app, async () => new (await import('./dashboard-sheet.js')).DashboardSheet(this.app, params, () => this.item, { changed: (changed) => this.changed(item.id, changed), currency: this.currency }));
    this.comments ??= new Opened(this.app, async () => new (await import('../comments/comments.js')).Comments(this.app, this.board, 'dashboard', params, figures));
  }

  #field(item, each, may) {
    const type = each.widget?.type ?? 'text';
    const options = each.widget?.options ?? {};
    return html`
      <div id=${figureId(item.id, each.fieldId)} tabindex="-1" class="figure ${WIDE.includes(type) ? 'wide' : ''} ${each.isStub ? 'stub' : ''}">
        <h3>${each.rogueId ? html`<a href="/api/ontology/browse/#${each.rogueId}" title=${t('dashboard.definitionOfLabel', { label: each.label })}>${each.label}</a>` : each.label}</h3>
        ${each.isStub && each.value === null ? html`<p class="soft">${t('dashboard.toCome')}</p>` : this.#drawn(`${item.id} ${each.fieldId}`, type, each, options)}
        ${this.checks.of(item, each, may.decide)}
      </div>`;
  }

  #drawn(key, type, { value, label: name, rogueId }, options) {
    if (type === 'chart' && chart(value)) return this.#chart(key, name, chart(value), options);
    if (type === 'table' && table(value)) return tableOf(name, table(value));
    if (['number', 'currency', 'percent'].includes(type)) return html`<p class="value">${figure(type, value, options, isPercent(rogueId))}</p>`;
    return html`<p class="text-value">${text(value)}</p>`;
  }

  #chart(key, name, data, options) {
    const unit = unitOf(options);
    this.plots.want(key, { ...data, unit, kind: options.kind === 'bar' || data.labels.length < 2 ? 'bar' : 'line' });
    return html`
      <figure>
        <div class="plot" data-plot=${key} role="img" aria-label=${t('dashboard.chart', { name: unit ? `${name} (${unit})` : name })}></div>
        ${data.series.length > 1 ? html`<ul class="legend">${data.series.map((each, index) => html`<li><span class="swatch series-${index % 6}" aria-hidden="true"></span>${each.name}</li>`)}</ul>` : nothing}
        <details><summary>${t('dashboard.figures')}</summary>${tableOf(name, rowsOf(data, unit))}</details>
      </figure>`;
  }

  /** Who may not delete the dashboard is no manager: owner and editors ask for reviews and give none. */
  #steps(item, may) {
    const { reviewStatus } = item.uniform ?? {};
    const steps = (STEPS[reviewStatus] ?? []).filter((status) => may.remove || OWN_STEPS.includes(status));
    return steps.map((status) => html`
      <button type="button" ?disabled=${this.moving.isBusy} @click=${() => this.moving.run(() => this.#save(item, { uniform: { reviewStatus: status } }))}>${VERBS()[status]}</button>`);
  }

  /** Saves a change; what somebody else changed meanwhile is shown before it is tried again. */
  async #save(item, body) {
    const params = { ...this.params, dashboardId: item.id };
    try {
      this.changed(item.id, await this.app.api.get('updateDashboard', { params, body }));
    } catch (error) {
      if (error.status === CHANGED) this.changed(item.id, await this.app.api.get('getDashboard', { params }));
      throw error;
    }
  }

  #edit(item) {
    const id = (name) => `${item.id}-${name}`;
    return disclosure(t('common.edit'), form({
      act: this.editing, button: t('common.save'), keep: true,
      submit: async ({ title, narrative, dataAnchorDate }, target) => {
        await this.#save(item, { title: title || null, uniform: { narrative: narrative || null, dataAnchorDate: dataAnchorDate || null } });
        closeAround(target);
      },
      content: html`
        ${field('title', t('common.title'), { id: id('title'), value: item.title, of: 'updateDashboard' })}
        ${area('narrative', t('dashboard.textAboveTheFigures'), { id: id('narrative'), value: item.uniform.narrative })}
        ${field('dataAnchorDate', t('dashboard.figuresAsOf'), { id: id('date'), type: 'date', value: item.uniform.dataAnchorDate })}`,
    }));
  }

  #delete(item) {
    return confirmButton({
      act: this.deleting, text: t('common.delete'), yes: t('dashboard.deleteTheDashboard'), question: t('dashboard.theDashboardIsDeletedWithIts'),
      run: async () => {
        const done = await this.deleting.run(() => this.app.api.call('deleteDashboard', { params: { ...this.params, dashboardId: item.id } }));
        if (done) this.changed(item.id, null);
      },
    });
  }
}

function rowsOf({ labels, series }, unit) {
  const columns = [t('dashboard.period'), ...series.map((each) => [each.name || t('dashboard.value'), unit && `(${unit})`].filter(Boolean).join(' '))];
  return { columns, rows: labels.map((period, index) => [period, ...series.map((each) => text(each.values[index]))]) };
}

function tableOf(name, { columns, rows }) {
  return html`
    <div class="table-scroll" role="region" aria-label=${name} tabindex="0"><table class="data">
      <caption class="hidden">${name}</caption>
      <thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
      <tbody>${rows.map((row) => html`<tr>${row.map((cell, index) => (index ? html`<td>${cell}</td>` : html`<th scope="row">${cell}</th>`))}</tr>`)}</tbody>
    </table></div>`;
}
