// A secret that the API shows once: it stays on the page until it is put away.

import { html, nothing } from '../lib/ui.js';
import { t } from '../lib/texts.js';

export class ShownOnce {
  constructor(app, id) {
    Object.assign(this, { app, id, text: '', secret: null });
  }

  /** Shows a secret, or says that an earlier attempt made it and it cannot be shown again. */
  show(text, secret) {
    Object.assign(this, { text, secret: secret ?? t('shownOnce.itWasCreatedByAnEarlier') });
    this.app.update();
  }

  putAway() {
    this.secret = null;
    this.app.update();
  }

  render() {
    if (this.secret === null) return nothing;
    return html`
      <div class="notice good" role="status">
        <p><label for=${this.id}>${t('shownOnce.textItIsShownOnce', { b: (text) => html`<b>${text}</b>`, text: this.text })}</label></p>
        <p class="row"><input id=${this.id} class="grow mono" readonly .value=${this.secret} @focus=${(event) => event.target.select()}>
          <button type="button" @click=${() => this.#copy()}>${t('common.copy')}</button>
          <button type="button" class="plain" @click=${() => this.putAway()}>${t('shownOnce.iHaveIt')}</button></p>
      </div>`;
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.secret);
      this.app.say(t('common.copied'));
    } catch {
      document.getElementById(this.id).select();
    }
  }
}
