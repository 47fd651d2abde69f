
import { isPdf, isShown } from '../lib/file-types.js';
import { Act } from '../lib/state.js';
import { actProblem, html } from '../lib/ui.js';
import { t } from '../lib/texts.js';

export class PaperReader {
  constructor(app, board) {
    Object.assign(this, { app, board });
    this.opening = new Act(app.update);
    this.shown = null;
  }

  open(documentId) {
    return this.opening.run(async () => {
      this.shown = { documentId, title: '', url: '' };
      const params = { boardId: this.board.id, documentId };
      const { title, mimeType, latestVersionId } = await this.app.api.get('getDocument', { params });
      const isReadable = latestVersionId && isShown(mimeType);
      const url = isReadable ? await this.#address({ ...params, versionId: latestVersionId }) : '';
      if (this.shown?.documentId === documentId) this.shown = { documentId, title, type: mimeType, url };
    });
  }

  close() {
    this.shown = null;
    this.app.update();
  }

  async #address(params) {
    try {
      return (await this.app.api.get('getDocumentVersionContent', { params, query: { disposition: 'inline' } })).url;
    } catch (error) {
      if (error.status === 404) return '';
      throw error;
    }
  }

  render() {
    if (!this.shown || this.opening.isBusy) return actProblem(this.opening);
    const { url, title, type, documentId } = this.shown;
    const page = this.board.path('documents', documentId);
    if (!url) return html`${actProblem(this.opening)}<p>${t('papers.itIsNotShownHere')} <a href=${page}>${t('papers.openTheDocument')}</a></p>`;
    return html`<p class="row no-print"><a class="button" href=${url} target="_blank" rel="noopener noreferrer">${t('documentFiles.open')}</a><a class="button" href=${page}>${t('papers.openTheDocument')}</a></p>
      <div class="viewer">${isPdf(type)
      ? html`<iframe src=${url} title=${title} referrerpolicy="no-referrer"></iframe>`
      : html`<iframe src=${url} title=${title} referrerpolicy="no-referrer" sandbox></iframe>`}</div>`;
  }
}
