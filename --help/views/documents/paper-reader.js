// One paper in a frame, in its latest version or a fixed one: from the origin of files, by a link of two minutes.

import { isPdf, isShown } from '../../lib/file-types.js';
import { Act } from '../../lib/state.js';
import { actProblem, html, nothing } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';

export class PaperReader {
  /** `fixed(documentId)` returns the id of the version to show, null where it has no file, undefined for the latest. */
  constructor(app, board, fixed = async () => undefined) {
    Object.assign(this, { app, board, fixed });
    this.opening = new Act(app.update);
    this.shown = null;
  }

  /** Opens a document; what is not opened any more when it arrives is dropped. */
  open(documentId) {
    return this.opening.run(async () => {
      this.shown = { documentId, title: '', url: '' };
      const params = { boardId: this.board.id, documentId };
      const [{ title, mimeType, latestVersionId }, fixed = latestVersionId] = await Promise.all([this.app.api.get('getDocument', { params }), this.fixed(documentId)]);
      const isOlder = Boolean(fixed) && fixed !== latestVersionId;
      const { type, url } = fixed ? await this.#file({ ...params, versionId: fixed }, isOlder ? null : mimeType) : {};
      if (this.shown?.documentId === documentId) this.shown = { documentId, title, type, url, isOlder };
    });
  }

  close() {
    this.shown = null;
    this.app.update();
  }

  /**
   * Returns where a version is read, and its type, which is asked for where it is not `known`. A document without files names as
   * its latest version what it likes: that leads to no file.
   */
  async #file(params, known) {
    try {
      const type = known ?? (await this.app.api.get('getDocumentVersion', { params })).mimeType;
      if (!isShown(type)) return {};
      return { type, url: (await this.app.api.get('getDocumentVersionContent', { params, query: { disposition: 'inline' } })).url };
    } catch (error) {
      if (error.status === 404) return {};
      throw error;
    }
  }

  /** PDF is shown in a frame without a sandbox, which no browser's own viewer works in; the origin of files keeps it apart. */
  render() {
    if (!this.shown || this.opening.isBusy) return actProblem(this.opening);
    const { url, title, type, documentId, isOlder } = this.shown;
    const page = this.board.path('documents', documentId);
    const newer = isOlder ? html`<p class="notice">${t('papers.aNewerOneExists')}</p>` : nothing;
    if (!url) return html`${actProblem(this.opening)}${newer}<p>${t('papers.itIsNotShownHere')} <a href=${page}>${t('papers.openTheDocument')}</a></p>`;
    return html`${newer}<p class="row no-print"><a class="button" href=${url} target="_blank" rel="noopener noreferrer">${t('documentFiles.open')}</a><a class="button" href=${page}>${t('papers.openTheDocument')}</a></p>
      <div class="viewer">${isPdf(type)
      ? html`<iframe src=${url} title=${title} referrerpolicy="no-referrer"></iframe>`
      : html`<iframe src=${url} title=${title} referrerpolicy="no-referrer" sandbox></iframe>`}</div>`;
  }
}
