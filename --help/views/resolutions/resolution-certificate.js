// The certificate of a closed vote: a file that anybody can recompute, and a document that a person can read.

import { save } from '../../lib/csv.js';
import { Act } from '../../lib/state.js';
import { actProblem, html, nothing } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';

export class Certificate {
  constructor(app, board, params) {
    Object.assign(this, { app, board, params });
    this.saving = new Act(app.update);
    this.making = new Act(app.update);
    this.actions = [['getResolutionCertificate', params], ['createResolutionCertificateDocument', params]];
  }

  render() {
    if (!this.board.may('getResolutionCertificate', this.params)) return nothing;
    return html`
      <p class="soft">${t('resolution.anybodyCanRecompute')}</p>
      <div class="row no-print">
        ${this.board.may('createResolutionCertificateDocument', this.params) ? html`<button type="button" ?disabled=${this.making.isBusy} @click=${() => this.#make()}>${t('resolution.certificateAsPdf')}</button>` : nothing}
        <button type="button" class="plain" ?disabled=${this.saving.isBusy} @click=${() => this.#save()}>${t('resolution.certificateAsData')}</button>
      </div>
      ${actProblem(this.saving)}${actProblem(this.making)}`;
  }

  #save() {
    return this.saving.run(async () => {
      const answer = await this.app.api.call('getResolutionCertificate', { params: this.params });
      save(`${answer.data.resolution.number}.json`, JSON.stringify(answer, null, 2), 'application/json');
    });
  }

  #make() {
    return this.making.run(async () => {
      const { id } = await this.app.api.get('createResolutionCertificateDocument', { params: this.params, key: this.making.keyFor({}) });
      this.app.go(this.board.path('documents', id));
    });
  }
}
