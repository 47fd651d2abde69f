import { save } from '../../lib/csv.js';
import { Resource } from '../../lib/state.js';
import { html, show } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';

/** Says of an entry which one of the log it is, and what an auditor does with its proof. */
export class CheckedBy {
  constructor(app, boardId, entryId) {
    Object.assign(this, { app, params: { boardId, entryId }, proof: null });
  }

  #open() {
    this.proof = new Resource(() => this.app.api.get('getLogProof', { params: this.params }), this.app.update);
    this.app.update();
  }

  render() {
    if (!this.proof) return html`<button type="button" class="small plain" @click=${() => this.#open()}>${t('audit.checkedBy')}</button>`;
    return show(this.proof, t('audit.theProof'), (found) => (found.proof ? this.#logged(found) : html`<p class="soft small">${t('audit.loggedWithinAMinute')}</p>`));
  }

  #logged({ entryId, index, proof, salt, entry }) {
    const log = proof.split('\n\n')[1].split('\n')[0];
    const keep = () => save(`${entryId}.json`, JSON.stringify({ entry, salt, proof }));
    return html`<div class="small">
      <p>${t('audit.entryOfTheLog', { index, log })}</p>
      <ol><li>${t('audit.takeTheKey', { address: `${location.origin}/log/key` })}</li><li>${t('audit.takeTheHash')}</li><li>${t('audit.verifyTheProof')}</li></ol>
      <button type="button" class="small" @click=${keep}>${t('audit.saveTheProof')}</button></div>`;
  }
}
