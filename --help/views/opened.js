
import { html, nothing } from '../lib/ui.js';

export class Opened {
  #part = null;
  #loading = null;

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
