// Files that are chosen or dropped, on their way to the bucket: one after the other, each with its progress and a retry.

import { ENDINGS, typeOf } from '../../lib/file-types.js';
import { NUMBERS } from '../../lib/openapi.js';
import { Problem } from '../../lib/problems.js';
import { Act } from '../../lib/state.js';
import { html, nothing, problem } from '../../lib/ui.js';
import { locale, t } from '../../lib/texts.js';
import { send, sha256 } from '../../lib/uploads.js';

const { maximum: LARGEST } = NUMBERS.createDocumentVersion.size;
const MEGABYTE = 1024 * 1024;
const [REFUSED, CONFLICT] = [400, 409];
/** @type {{ declare: 'createDocumentVersion' | 'createPaperVersion' | 'createPaperSlotVersion' | 'createSignedMinutes', complete: 'completeDocumentVersion' | 'completePaperVersion' | 'completePaperSlotVersion' | 'completeSignedMinutes', input?: string }} */
const DOCUMENTS = { declare: 'createDocumentVersion', complete: 'completeDocumentVersion' };

/**
 * `target(file)` returns the parameters of the document that a file is for; `arrived(version, params)` is called with each that is
 * there. `operations` are those that declare a file and say that it was sent, with the id of the input where a page has two. `namesake(file)` returns a document that has its name already: a new one beside it is pointed out.
 */
export class Uploads {
  constructor(app, target, arrived, namesake = () => null, operations = DOCUMENTS) {
    Object.assign(this, { app, target, arrived, namesake });
    this.operations = operations;
    this.begun = [];
    this.doubles = [];
    this.areTooMany = false;
  }

  render() {
    return html`
      ${this.#place(true, t('fileUploads.chooseFiles'), t('fileUploads.orDropThemHere'))}
      ${this.progress()}
      ${this.doubles.map(({ boardId, id, title }) => html`<p role="status">${t('fileUploads.thereAreTwoOfThisName')} <a href="/boards/${boardId}/documents/${id}">${title}</a></p>`)}`;
  }

  /** A place for one file: of several that are dropped on it at once, none is sent. */
  renderSingle() {
    return html`
      ${this.#place(false, t('fileUploads.chooseAFile'), t('fileUploads.orDropItHere'))}
      ${this.areTooMany ? html`<p class="problem" role="alert">${t('fileUploads.oneFileAlone')}</p>` : nothing}
      ${this.progress()}`;
  }

  #place(takesMany, choose, drop) {
    return html`
      <div class="drop" @dragover=${(event) => this.#over(event)} @dragleave=${(event) => event.currentTarget.classList.remove('over')} @drop=${(event) => this.#dropped(event, takesMany)}>
        <label class="button" for=${this.#input}>${choose}</label>
        <input id=${this.#input} class="out-of-sight" type="file" ?multiple=${takesMany} accept=${ENDINGS} @change=${(event) => this.chosen(event)}>
        <span class="soft">${drop}</span>
      </div>`;
  }

  get #input() {
    return this.operations.input ?? 'files-choose';
  }

  /** The files that are on their way. */
  progress() {
    return this.begun.map((upload) => this.#shown(upload));
  }

  #over(event) {
    event.preventDefault();
    event.currentTarget.classList.add('over');
  }

  #dropped(event, takesMany) {
    event.preventDefault();
    event.currentTarget.classList.remove('over');
    const files = [...event.dataTransfer.files];
    this.areTooMany = files.length > 1 && !takesMany;
    if (this.areTooMany) this.app.update();
    else this.begin(files);
  }

  /** Sends the files that were chosen in an input. */
  chosen({ currentTarget }) {
    this.areTooMany = false;
    this.begin([...currentTarget.files]);
    currentTarget.value = '';
  }

  /**
   * Sends files one after the other, in the order in which they were given: the last one is the latest.
   * `then(params)` is called with the parameters of the document of each that is there.
   */
  async begin(files, then = () => {}) {
    const begun = files.map((file) => ({ file, then, act: new Act(this.app.update), share: 0, params: null, version: null, ready: null, isSent: false }));
    this.begun = [...this.begun, ...begun];
    for (const upload of begun) await upload.act.run(() => this.#send(upload));
  }

  /** Does what is left of an upload: a repeat after a failure goes on where it failed. */
  async #send(upload) {
    const { file } = upload;
    check(upload);
    if (!upload.params) upload.double = this.namesake(file);
    upload.params ??= await this.target(file);
    upload.version ??= await this.#declare(upload);
    if (!upload.isSent) await this.#transmit(upload);
    upload.ready ??= await this.#complete(upload);
    await upload.then(upload.params);
    this.begun = this.begun.filter((each) => each !== upload);
    if (upload.double) this.doubles = [...this.doubles, upload.double];
    this.app.say(t('fileUploads.nameIsThere', { name: file.name }));
    this.arrived(upload.ready, upload.params);
  }

  /** Declares a file; a repeat gets a new form, because that of a lost answer is shown to nobody again. */
  async #declare({ file, params }) {
    const body = { fileName: file.name, mimeType: typeOf(file.name, file.type), size: file.size, sha256: await sha256(file) };
    return this.app.api.get(this.operations.declare, { params, body });
  }

  async #transmit(upload) {
    const progress = (share) => {
      upload.share = share;
      this.app.update();
    };
    try {
      await send(upload.version.upload, upload.file, progress);
    } catch (error) {
      if (!error.status) throw error;
      upload.version = null;
      throw new Problem({ status: 400, message: t('fileUploads.theFileWasNotTaken') });
    }
    upload.isSent = true;
  }

  async #complete(upload) {
    try {
      return await this.app.api.get(this.operations.complete, { params: { ...upload.params, versionId: upload.version.id } });
    } catch (error) {
      if (error.status === CONFLICT) Object.assign(upload, { version: null, isSent: false });
      upload.isRefused = error.status === REFUSED;
      throw error;
    }
  }

  #shown(upload) {
    const { file, act, share } = upload;
    return html`
      <div class="upload">
        <p class="row spread"><span>${file.name}</span>${act.isBusy ? html`<span class="soft">${percent(share)}</span>` : html`<button type="button" class="plain" @click=${() => this.#drop(upload)}>${t('common.remove')}</button>`}</p>
        <progress max="1" .value=${share} aria-label=${t('fileUploads.sendingName', { name: file.name })}></progress>
        ${problem(act.problem, upload.isRefused ? null : () => act.retry())}
      </div>`;
  }

  #drop(upload) {
    this.begun = this.begun.filter((each) => each !== upload);
    this.app.update();
  }
}

/** Raises a problem that says why a file cannot be sent, before anything is. */
function check(upload) {
  const { name, type, size: bytes } = upload.file;
  const refused = (!typeOf(name, type) && t('fileUploads.filesOfThisKindAreNotAccepted')) || (bytes === 0 && t('fileUploads.theFileIsEmpty')) || (bytes > LARGEST && t('fileUploads.theFileIsLargerThan', { megabytes: LARGEST / MEGABYTE }));
  upload.isRefused = Boolean(refused);
  if (refused) throw new Problem({ status: 400, message: refused });
}

function percent(share) {
  return new Intl.NumberFormat(locale(), { style: 'percent' }).format(share);
}
