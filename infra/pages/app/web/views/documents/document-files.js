// The files of a document: the latest and those before it, to read in place or to download.

import { isPdf, isShown } from '../../lib/file-types.js';
import { Act, List } from '../../lib/state.js';
import { actProblem, confirmButton, html, menu, nothing, pill, relativeTime, showList } from '../../lib/ui.js';
import { fileSize } from '../../lib/words.js';
import { t } from '../../lib/texts.js';
import { Uploads } from './file-uploads.js';

export class Files {
  constructor(app, board, params, changed) {
    Object.assign(this, { app, board, params, changed });
    this.list = new List((cursor) => app.api.page('listDocumentVersions', { params, query: { limit: 50 }, cursor }), app.update);
    this.uploads = new Uploads(app, () => params, (version) => this.#add(version));
    this.opening = new Act(app.update);
    this.deleting = new Act(app.update);
    this.shown = null;
    this.actions = [['createDocumentVersion', params]];
    this.list.loaded.then(() => this.#await());
  }

  /** Shows what the service is making once it is made: a certificate, a board pack. */
  #await() {
    const [version] = this.list.items;
    if (!isBeingMade(version)) return;
    const { pathname } = location;
    this.app.follow({ id: `document ${version.id}`, kind: 'document', params: this.params, title: version.fileName, page: pathname, result: pathname }, () => {
      if (location.pathname !== pathname) return;
      this.app.jobs.dismiss(`document ${version.id}`);
      this.list.reload();
      this.changed();
    });
  }

  /** Who adds a file may delete one, too: the creator of the document, and managers. */
  get #mayChange() {
    return this.board.may('createDocumentVersion', this.params);
  }

  render(item) {
    return html`
      ${this.#mayChange ? this.uploads.render() : nothing}
      ${actProblem(this.opening)}
      ${this.#viewer()}
      ${showList(this.list, t('documentFiles.theFiles'), t('documentFiles.thereIsNoFileYet'), (items) => html`<ul class="rows files">${items.map((each) => this.#row(each, item))}</ul>`)}`;
  }

  #add(version) {
    this.list.replace([version, ...this.list.items.filter(({ id }) => id !== version.id)]);
    this.changed();
  }

  #row(version, item) {
    const isReady = version.status === 'ready';
    return html`
      <li class="file"><div class="row spread">
        <span class="grow"><b>${version.fileName}</b> ${version.id === item.latestVersionId ? pill(t('documentFiles.latest'), 'good') : nothing}
          <span class="soft">${version.size === null ? '' : `${fileSize(version.size)} · `}${this.board.nameOf(version.createdByUserId)}, ${relativeTime(version.createdAt)}${isReady ? '' : ` · ${state(version)}`}</span></span>
        <span class="row">
          ${isReady && isShown(version.mimeType) ? html`<button type="button" aria-label=${t('documentFiles.readName', { name: version.fileName })} @click=${() => this.#show(version)}>${t('documentFiles.read')}</button>` : nothing}
          ${isReady ? html`<button type="button" aria-label=${t('documentFiles.downloadName', { name: version.fileName })} @click=${() => this.#download(version)}>${t('documentFiles.download')}</button>` : nothing}
          ${this.#mayChange ? menu(version.fileName, this.#delete(version)) : nothing}
        </span></div></li>`;
  }

  #delete(version) {
    return confirmButton({
      act: this.deleting, text: t('common.delete'), yes: t('documentFiles.deleteTheFile'), question: t('documentFiles.theFileIsDeletedThisCannot'),
      run: () => this.deleting.run(async () => {
        await this.app.api.call('deleteDocumentVersion', { params: { ...this.params, versionId: version.id } });
        if (this.shown?.version.id === version.id) this.shown = null;
        this.list.replace(this.list.items.filter(({ id }) => id !== version.id));
        this.changed();
      }),
    });
  }

  #address(version, disposition) {
    return this.app.api.get('getDocumentVersionContent', { params: { ...this.params, versionId: version.id }, query: { disposition } });
  }

  #show(version) {
    return this.opening.run(async () => {
      const { url } = await this.#address(version, 'inline');
      this.shown = { version, url };
      this.app.update();
      document.getElementById('viewer')?.scrollIntoView({ block: 'nearest' });
    });
  }

  #download(version) {
    return this.opening.run(async () => {
      const { url } = await this.#address(version, 'attachment');
      Object.assign(document.createElement('a'), { href: url, rel: 'noreferrer' }).click();
    });
  }

  /** The file in a frame of the bucket's own origin. A sandbox keeps all from it but PDF, which browsers show in none. */
  #viewer() {
    if (!this.shown) return nothing;
    const { version, url } = this.shown;
    const frame = isPdf(version.mimeType)
      ? html`<iframe src=${url} title=${version.fileName} referrerpolicy="no-referrer"></iframe>`
      : html`<iframe src=${url} title=${version.fileName} referrerpolicy="no-referrer" sandbox></iframe>`;
    return html`
      <section class="viewer" id="viewer" aria-label=${version.fileName}>
        <p class="row spread"><b>${version.fileName}</b><span class="row"><a class="button" href=${url} target="_blank" rel="noopener noreferrer">${t('documentFiles.open')}</a>
          <button type="button" @click=${() => this.#download(version)}>${t('documentFiles.download')}</button>
          <button type="button" class="plain" @click=${() => this.#close()}>${t('documentFiles.close')}</button></span></p>
        ${frame}
      </section>`;
  }

  #close() {
    this.shown = null;
    this.app.update();
  }
}

/** Whether the service makes the file; one that somebody sends says its size at once. */
function isBeingMade(version) {
  return version?.size === null && version.status === 'uploading';
}

/** Why a version has no file to read. */
function state({ status, size: bytes, reason }) {
  if (status === 'failed' || status === 'rejected') return reason;
  if (status === 'scanning') return t('documentFiles.isScanned');
  return bytes === null ? t('meetingPack.isBeingMade') : t('documentFiles.notSentYet');
}
