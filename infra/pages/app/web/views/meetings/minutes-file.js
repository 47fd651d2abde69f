// The sealed file of approved minutes: made by one press, read by everybody, and taken back when it was signed elsewhere.

import { Act, List } from '../../lib/state.js';
import { confirmButton, html, nothing, showList } from '../../lib/ui.js';
import { Uploads } from '../documents/file-uploads.js';
import { t } from '../../lib/texts.js';

const TYPE = 'minutes';
const SIGNED = { declare: 'createSignedMinutes', complete: 'completeSignedMinutes', input: 'signed-choose' };

export class SealedFile {
  constructor(app, board, params) {
    Object.assign(this, { app, board, params, making: new Act(app.update) });
    this.list = new List((cursor) => this.#page(cursor), app.update);
    this.uploads = new Uploads(app, () => params, () => this.list.reload(), () => null, SIGNED);
    this.follows = [{ on: ['document', 'board_pack'], read: this.list }];
  }

  /** A page of files; one that cannot be read yet has its `version`, which is being made or has failed. */
  async #page(cursor) {
    const [boardId, { meetingId }] = [this.board.id, this.params];
    const page = await this.app.api.page('listDocuments', { params: { boardId }, query: { meetingId, documentType: TYPE, limit: 50, cursor } });
    const withVersion = async (item) => {
      const { items: [version] } = await this.app.api.page('listDocumentVersions', { params: { boardId, documentId: item.id }, query: { limit: 1 } });
      return { ...item, version };
    };
    return { ...page, items: await Promise.all(page.items.map((item) => (item.latestVersionId ? item : withVersion(item)))) };
  }

  render() {
    const mayMake = this.board.may('createMinutesDocument', this.params);
    const isReady = this.list.items.some(({ latestVersionId }) => latestVersionId);
    return html`<p class="small soft">${t('minutesFile.whatItIs')}</p>
      ${showList(this.list, t('minutesFile.theSealedFile'), t('minutesFile.thereIsNoneYet'), (items) => html`<ul class="rows">${items.map((item) => this.#row(item))}</ul>`)}
      ${mayMake ? html`<p class="row no-print">${this.#button()}</p>` : nothing}
      ${mayMake && isReady ? html`<div class="no-print"><h4>${t('minutesFile.signedElsewhere')}</h4><p class="small soft">${t('minutesFile.howToSignElsewhere')}</p>${this.uploads.renderSingle()}</div>` : nothing}`;
  }

  #row({ id, title, latestVersionId, version }) {
    const state = hasFailed(version) ? t('minutesFile.itCouldNotBeMade', { reason: version.reason }) : t('minutesFile.itIsBeingMade');
    return html`<li><a href=${this.board.path('documents', id)}><b>${title}</b></a>${latestVersionId ? nothing : html` <span class="soft">${state}</span>`}</li>`;
  }

  #button() {
    const [newest] = this.list.items;
    const text = hasFailed(newest?.version) ? t('minutesFile.makeItAgain') : t('minutesFile.makeTheSealedFile');
    const run = () => this.making.run(async () => {
      await this.app.api.get('createMinutesDocument', { params: this.params, key: this.making.keyFor({}) });
      this.list.reload();
    });
    return confirmButton({ act: this.making, tone: '', text, yes: text, question: html`<p>${t('minutesFile.everyMemberReadsIt')}</p>`, run });
  }
}

function hasFailed(version) {
  return version?.status === 'failed';
}
