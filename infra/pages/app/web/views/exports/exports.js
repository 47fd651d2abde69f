// What a board has, or what is one's own, as one file to keep.

import { Act, Resource } from '../../lib/state.js';
import { t } from '../../lib/texts.js';
import { actProblem, html, nothing, pill, relativeTime, repeat, show } from '../../lib/ui.js';

const SHOWN = 5;
const OF_BOARD = /** @type {const} */ ({ list: 'listBoardExports', create: 'createBoardExport', get: 'getBoardExport' });
const OWN = /** @type {const} */ ({ list: 'listMyExports', create: 'createMyExport', get: 'getMyExport' });

export class Exports {
  /** `names` are the operations that list, create and get; `params` those of their paths. @param {typeof OF_BOARD | typeof OWN} names @param {any} [params] */
  constructor(app, names, params = {}) {
    Object.assign(this, { app, names, params });
    this.actions = [[names.list, params], [names.create, params]];
    this.exports = new Resource(() => this.#load(), app.update);
    this.creating = new Act(app.update);
    this.downloading = new Act(app.update);
    this.resources = [this.exports];
  }

  get isOffered() {
    return this.app.access.may(this.names.list, this.params);
  }

  render(text) {
    const isRunning = (this.exports.data ?? []).some(({ status }) => status === 'pending');
    return html`
      <p class="soft">${text}</p>
      ${show(this.exports, t('exports.theExports'), (items) => (items.length ? html`<ul class="rows">${repeat(items, ({ id }) => id, (each) => this.#row(each))}</ul>` : html`<p class="empty">${t('exports.thereIsNone')}</p>`))}
      ${this.app.access.may(this.names.create, this.params) ? html`<p class="row"><button type="button" ?disabled=${isRunning || this.creating.isBusy} @click=${() => this.#ask()}>${t('exports.export')}</button></p>` : nothing}
      ${actProblem(this.creating)}${actProblem(this.downloading)}`;
  }

  #row(each) {
    const state = { pending: html`<span role="status">${pill(t('exports.isMade'), 'quiet')}</span>`, failed: pill(t('exports.failed'), 'quiet'), ready: html`<button type="button" ?disabled=${this.downloading.isBusy} @click=${() => this.#download(each)}>${t('exports.download')}</button>` };
    return html`<li><div class="row"><span class="grow">${relativeTime(each.createdAt)} <span class="soft">${t('exports.untilWhen', { when: relativeTime(each.expiresAt) })}</span></span>${state[each.status]}</div></li>`;
  }

  async #load() {
    const { items } = await this.app.api.page(this.names.list, { params: this.params, query: { limit: SHOWN } });
    for (const { id, status } of items) if (status === 'pending') this.#follow(id);
    return items;
  }

  #follow(exportId) {
    const { pathname } = location;
    const title = this.app.board?.board.data?.name ?? t('exports.yourData');
    this.app.follow({ id: `export ${exportId}`, kind: 'export', params: { ...this.params, exportId }, title, page: pathname, result: pathname }, () => this.exports.reload());
  }

  #ask() {
    return this.creating.run(async () => {
      await this.app.api.get(this.names.create, { params: this.params, key: this.creating.keyFor({}) });
      await this.exports.reload();
    });
  }

  /** The address works for five minutes: a new one is asked for each time. */
  #download({ id }) {
    return this.downloading.run(async () => {
      const { url } = await this.app.api.get(this.names.get, { params: { ...this.params, exportId: id } });
      window.location.assign(url);
    });
  }
}

export const exportsOfBoard = (app, boardId) => new Exports(app, OF_BOARD, { boardId });
export const ownExports = (app) => new Exports(app, OWN);
