// What is loaded when it is opened, its module included: a first view has room for little.

import { html, nothing } from '../lib/ui.js';

export class Opened {
  #part = null;
  #loading = null;

  /** `load` returns the part that is shown once it is there; the actions that it names are asked about then. */
  constructor(app, load) {
    Object.assign(this, { app, load });
  }

  get follows() {
    return this.#part?.follows ?? [];
  }

  render(text, { kind = 'disclosure', id = nothing, with: given = undefined } = {}) {
    return html`
      <details class="${kind} no-print" id=${id} @toggle=${(event) => this.#open(event)}><summary class=${kind === 'disclosure' ? 'button' : ''}>${text}</summary>
        ${this.#part ? html`<div class="disclosure-box">${this.#part.render(given)}</div>` : nothing}
      </details>`;
  }

  #open({ target }) {
    if (target.open) this.begin();
  }

  /** Loads the part, unless that was begun before; returns it once it is drawn. */
  begin() {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load() {
    this.#part = await this.load();
    this.app.access.ask(this.#part.actions ?? []);
    this.app.update();
    await new Promise((resolve) => setTimeout(resolve));
    return this.#part;
  }
}
