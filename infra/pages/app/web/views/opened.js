// What is loaded when it is opened, its module included: a first view has room for little.

import { html, nothing } from '../lib/ui.js';

export class Opened {
  #part = null;
  #isAsked = false;

  /** `load` returns the part that is shown once it is there; the actions that it names are asked about then. */
  constructor(app, load) {
    Object.assign(this, { app, load });
  }

  get follows() {
    return this.#part?.follows ?? [];
  }

  render(text, { kind = 'disclosure', id = nothing, may = undefined } = {}) {
    return html`
      <details class="${kind} no-print" id=${id} @toggle=${(event) => this.#open(event)}><summary class=${kind === 'disclosure' ? 'button' : ''}>${text}</summary>
        ${this.#part ? html`<div class="disclosure-box">${this.#part.render(may)}</div>` : nothing}
      </details>`;
  }

  async #open({ target }) {
    if (!target.open || this.#isAsked) return;
    this.#isAsked = true;
    this.#part = await this.load();
    this.app.access.ask(this.#part.actions ?? []);
    this.app.update();
  }
}
