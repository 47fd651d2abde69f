// Delivering a paper by the link of a mail, without an account. The token in the address goes to our own API and is never shown.

import { timeNow } from '../../lib/clock.js';
import { dateTime, zoneSentence } from '../../lib/dates.js';
import { Resource } from '../../lib/state.js';
import { html, nothing, pill, show } from '../../lib/ui.js';
import { fileSize } from '../../lib/words.js';
import { Uploads } from '../documents/file-uploads.js';
import { t } from '../../lib/texts.js';

const OPERATIONS = { declare: 'createPaperSlotVersion', complete: 'completePaperSlotVersion' };

export default (app, { paperToken }) => new PaperSlotView(app, { paperToken });

class PaperSlotView {
  constructor(app, params) {
    this.slot = new Resource(() => app.api.get('getPaperSlot', { params }), app.update);
    this.uploads = new Uploads(app, () => params, () => this.slot.reload(), () => null, OPERATIONS);
    this.resources = [this.slot];
  }

  title = () => (this.#hasEnded ? t('common.thisLinkDoesNotWork') : (this.slot.data?.title ?? t('paperSlot.aPaper')));

  /** Whether the link has ended, as the page or a file that was sent was told. */
  get #hasEnded() {
    return [this.slot, ...this.uploads.begun.map(({ act }) => act)].some(({ problem }) => problem?.status === 404);
  }

  render() {
    if (this.#hasEnded) return html`<div class="narrow card"><h1>${t('common.thisLinkDoesNotWork')}</h1><p>${t('paperSlot.theLinkHasEnded')}</p></div>`;
    return html`<div class="narrow card">${show(this.slot, t('paperSlot.thePaper'), (slot) => this.#slot(slot))}</div>`;
  }

  #slot(slot) {
    const { title, dueAt, instructions, status, note, files } = slot;
    const isLate = status !== 'delivered' && Date.parse(dueAt) < timeNow();
    return html`
      <p class="kicker">${t('paperSlot.youAreAskedForAPaper')}</p>
      <h1>${title}</h1>
      <p><b>${t('paperSlot.dueWhen', { when: dateTime(dueAt) })}</b> ${isLate ? pill('overdue', 'warn') : nothing}<br>
        <small class="soft">${zoneSentence()}</small></p>
      ${instructions ? html`<p class="said">${instructions}</p>` : nothing}
      <p class="notice ${status === 'delivered' ? 'good' : ''}" role="status">${stateInWords(slot)}</p>
      ${note ? html`<h2>${t('paperSlot.whyItWasReturned')}</h2><p class="quote">${note}</p>` : nothing}
      ${files.length ? this.#files(files) : nothing}
      <h2>${files.length ? t('paperSlot.deliverANewerFile') : t('paperSlot.deliverThePaper')}</h2>
      <p class="soft">${t('paperSlot.itIsSentAtOnce')}</p>
      ${this.uploads.renderSingle()}`;
  }

  #files(files) {
    const latest = files.find(({ status }) => status === 'ready');
    return html`
      <h2>${t('paperSlot.yourFiles')}</h2>
      <ul class="rows files">${files.map((file) => html`
        <li class="file"><b>${file.fileName}</b> ${file === latest ? pill(t('documentFiles.latest'), 'good') : nothing}
          <span class="soft">${fileSize(file.size)} · ${fileInWords(file)}</span></li>`)}</ul>
      ${files.some(isScanned) ? html`<p><button type="button" ?disabled=${this.slot.isLoading} @click=${() => this.slot.reload()}>${t('paperSlot.checkAgain')}</button></p>` : nothing}`;
  }
}

const isScanned = ({ status }) => status === 'scanning';

/** What the paper waits for. A file that is scanned is not delivered yet. */
function stateInWords({ status, files }) {
  if (status === 'delivered') return t('paperSlot.itIsDelivered');
  if (files.some(isScanned)) return t('paperSlot.yourFileIsScanned');
  return status === 'returned' ? t('paperSlot.itWasReturned') : t('paperSlot.nothingIsDelivered');
}

function fileInWords({ status }) {
  if (status === 'scanning') return t('documentFiles.isScanned');
  if (status === 'rejected') return t('paperSlot.didNotPassTheScan');
  return status === 'ready' ? t('paperSlot.received') : t('documentFiles.notSentYet');
}
