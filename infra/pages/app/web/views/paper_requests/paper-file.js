// A paper's file, chosen by who is asked for it: it delivers the paper once it is there.

import { ENDINGS } from '../../lib/file-types.js';
import { html } from '../../lib/ui.js';
import { Uploads } from '../documents/file-uploads.js';
import { t } from '../../lib/texts.js';

const OPERATIONS = { declare: 'createPaperVersion', complete: 'completePaperVersion' };

export class PaperFile {
  constructor(app, params, title, arrived) {
    Object.assign(this, { title, id: `paper-file-${params.paperRequestId}` });
    this.uploads = new Uploads(app, () => params, arrived, () => null, OPERATIONS);
  }

  render() {
    return html`
      <label class="button small" for=${this.id}>${t('paperRequests.deliverAFile')}<span class="out-of-sight">: ${this.title}</span></label>
      <input id=${this.id} class="out-of-sight" type="file" accept=${ENDINGS} @change=${(event) => this.uploads.chosen(event)}>
      ${this.uploads.progress()}`;
  }
}
