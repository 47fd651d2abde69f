// Signing in again without leaving the page, so that nothing that was typed is lost.

import { render } from './vendor/lit-html/lit-html.js';
import { html } from './lib/ui.js';
import { SignIn } from './lib/sign-in.js';
import { t } from './lib/texts.js';

export class SignInDialog {
  constructor(app, element) {
    this.app = app;
    this.element = element;
    this.form = null;
  }

  open({ isAnew }) {
    this.form = new SignIn(this.app, { isInPlace: true, isAnew, done: () => this.#done() });
    this.draw();
    this.element.showModal();
  }

  #done() {
    this.element.close();
    this.form = null;
    this.app.say(t('signInDialog.youAreSignedInAgain'));
    this.app.resume();
  }

  draw() {
    if (!this.form) return;
    render(html`
      <h2 id="sign-in-heading">${t('common.signInAgain')}</h2>
      ${this.form.render()}
      <p class="row"><button type="button" class="plain" @click=${() => this.element.close()}>${t('signInDialog.notNow')}</button></p>`, this.element);
  }
}
