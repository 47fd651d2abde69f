// The board pack of a meeting: made on request, watched while it is made, then a file to read.

import { Act } from '../lib/state.js';
import { actProblem, html, nothing } from '../lib/ui.js';
import { t } from '../lib/texts.js';

const PAUSE_MS = 2000;

export class Pack {
  #isLeft = false;

  constructor(app, board, params, made) {
    Object.assign(this, { app, board, params, made });
    this.asking = new Act(app.update);
    this.watching = new Act(app.update);
    this.version = null;
    this.actions = [['createBoardPack', params]];
  }

  dispose() {
    this.#isLeft = true;
  }

  render({ status }) {
    if (status === 'draft' || !this.board.may('createBoardPack', this.params)) return nothing;
    const isMade = this.version?.status === 'uploading';
    return html`
      <div class="row no-print">
        <button type="button" ?disabled=${isMade || this.asking.isBusy} @click=${() => this.#ask()}>${t('meetingPack.makeTheBoardPack')}</button>
        <span role="status" class="row">${this.#state()}</span>
      </div>
      ${actProblem(this.asking)}${actProblem(this.watching)}`;
  }

  #state() {
    if (!this.version) return nothing;
    const { status, reason, documentId } = this.version;
    if (status === 'uploading') return html`<progress aria-label=${t('meetingPack.theBoardPackIsBeingMade')}></progress> <span class="soft">${t('meetingPack.theBoardPackIsBeingMade')}</span>`;
    if (status === 'failed') return html`<span>${reason}</span>`;
    return html`<a class="button primary" href=${this.board.path('documents', documentId)}>${t('meetingPack.readTheBoardPack')}</a>`;
  }

  #ask() {
    return this.asking.run(async () => {
      const { id } = await this.app.api.get('createBoardPack', { params: this.params, key: this.asking.keyFor({}) });
      this.version = { status: 'uploading', documentId: id };
      this.watching.run(() => this.#watch());
    });
  }

  /** Asks every few seconds how the pack is, until it is made or failed, or somebody goes elsewhere. */
  async #watch() {
    while (!this.#isLeft && this.version.status === 'uploading') {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      const params = { boardId: this.board.id, documentId: this.version.documentId };
      const { items: [version] } = await this.app.api.page('listDocumentVersions', { params, query: { limit: 1 } });
      this.version = version;
      this.app.update();
    }
    if (!this.#isLeft) this.made();
  }
}
