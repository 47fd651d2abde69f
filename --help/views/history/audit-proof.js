import { save } from '../../lib/csv.js';
import { checked, says } from '../../lib/log-proof.js';
import { Resource } from '../../lib/state.js';
import { html, show } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';

/** Checks in the page that an entry is in the log, and says what an auditor does with its proof elsewhere; `shown` is the entry as the page has it. */
export class EntryCheck {
  constructor(app, boardId, shown) {
    Object.assign(this, { app, shown, params: { boardId, entryId: shown._id ?? shown.id }, proof: null });
  }

  #open() {
    this.proof = new Resource(() => this.#check(), this.app.update);
    this.app.update();
  }

  async #check() {
    const [found, key] = await Promise.all([this.app.api.get('getLogProof', { params: this.params }), keyOfTheLog()]);
    return { ...found, result: found.proof ? await checked(found, key) : null };
  }

  render() {
    if (!this.proof) return html`<button type="button" class="small plain" @click=${() => this.#open()}>${t('history.checkThisEntry')}</button>`;
    return show(this.proof, t('audit.theProof'), (found) => (found.result ? this.#logged(found) : html`<p class="soft small">${t('audit.loggedWithinAMinute')}</p>`));
  }

  #logged({ entryId, proof, salt, entry, result }) {
    const keep = () => save(`${entryId}.json`, JSON.stringify({ entry, salt, proof }));
    const isRight = result.isIncluded && result.isSigned !== false && says(entry, this.shown);
    return html`<div class="small">
      <p role="status" class=${isRight ? 'notice' : 'problem'}><b>${isRight ? t('history.theEntryHolds') : t('history.theEntryDoesNotHold')}</b></p>
      <ul>
        ${step(says(entry, this.shown), t('history.itIsWhatWasLogged'), t('history.itIsNotWhatWasLogged'))}
        ${step(result.isIncluded, t('audit.entryOfTheLog', { index: result.index, log: result.log }), t('history.itIsNotInTheLog', { log: result.log }))}
        ${result.isSigned === null ? html`<li>${t('history.thisBrowserKnowsNoSuchSignature')}</li>` : step(result.isSigned, t('history.theKeySignedIt', { number: result.size }), t('history.theKeyDidNotSignIt'))}
      </ul>
      <details><summary>${t('history.checkItElsewhere')}</summary>
        <ol><li>${t('audit.takeTheKey', { address: `${location.origin}/log/key` })}</li><li>${t('audit.takeTheHash')}</li><li>${t('audit.verifyTheProof')}</li></ol>
        <button type="button" class="small" @click=${keep}>${t('audit.saveTheProof')}</button></details></div>`;
  }
}

const step = (holds, yes, no) => html`<li>${holds ? yes : html`<b>${no}</b>`}</li>`;

async function keyOfTheLog() {
  const answer = await fetch('/log/key', { cache: 'no-store', credentials: 'omit' });
  if (!answer.ok) throw new Error(`/log/key: ${answer.status}`);
  return answer.text();
}
