// The signatures on approved minutes: who has signed, and the act of signing by a member who is among the board's signers.

import { dateTime } from '../../lib/dates.js';
import { Act, Resource } from '../../lib/state.js';
import { confirmButton, html, nothing, problem } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';

export class Signatures {
  /** `signed` takes the approval after a signature. */
  constructor(app, board, params, signed) {
    Object.assign(this, { app, board, params, signed, signing: new Act(app.update) });
    this.signers = new Resource(() => app.api.get('getMinutesSigners', { params: { boardId: board.id } }), app.update);
  }

  /** `signatures` are those on the approved version. */
  render({ signatures }) {
    const role = this.#roleOf(signatures);
    return html`<section id="signatures"><h3>${t('minutesSignatures.signatures')}</h3>
      ${signatureList(this.board, signatures)}
      <p class="small soft">${t('minutesSignatures.whatASignatureIs')}</p>
      ${problem(this.signers.problem, () => this.signers.reload())}
      ${role === null ? nothing : html`<p class="row no-print">${this.#button(role)}</p>`}</section>`;
  }

  /** Returns in which role the caller can sign; null where they are no signer, have signed or may not. */
  #roleOf(signatures) {
    const { userId } = this.board;
    const signer = (this.signers.data?.signers ?? []).find((each) => each.userId === userId);
    const isOpen = signer && !signatures.some((each) => each.userId === userId) && this.board.may('signMinutes', this.params);
    return isOpen ? signer.role : null;
  }

  #button(role) {
    const text = t('minutesSignatures.signTheMinutes');
    return confirmButton({
      act: this.signing, tone: 'primary', text, yes: text,
      question: html`<p>${t('minutesSignatures.youSignAs', { role })}</p><p>${t('minutesSignatures.itStays')} ${t('minutesSignatures.whatASignatureIs')}</p>`,
      run: () => this.signing.run(async () => this.signed(await this.app.api.get('signMinutes', { params: this.params, key: this.signing.keyFor({}) }))),
    });
  }
}

/** The signatures on a version: who, in which role, when, and which entry of the log holds each. */
export function signatureList(board, signatures) {
  if (!signatures.length) return html`<p class="empty">${t('minutesSignatures.nobodyHasSigned')}</p>`;
  return html`<ul class="plain-list">${signatures.map(({ userId, role, at, logIndex }) => html`
    <li><b>${board.nameOf(userId)}</b>, ${role} <span class="soft">${dateTime(at)} · ${logIndex === null ? t('minutesSignatures.notYetInTheLog') : t('minutesSignatures.entryOfTheLog', { index: logIndex })}</span></li>`)}</ul>`;
}
