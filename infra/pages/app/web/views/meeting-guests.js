// The link by which people without an account vote on a meeting's times.

import { Act } from '../lib/state.js';
import { actProblem, confirmButton, html } from '../lib/ui.js';
import { date } from '../lib/dates.js';

export class GuestLink {
  constructor(app, params) {
    Object.assign(this, { app, params });
    this.opening = new Act(app.update);
    this.closing = new Act(app.update);
    this.discarding = new Act(app.update);
    this.link = null;
  }

  /** A link is opened while there is something to vote on; it can be closed for as long as the meeting can be changed. */
  render({ status }) {
    const mayOpen = status === 'scheduled';
    return html`
      <p>Guests vote without an account, by a link that works for 30 days.</p>
      ${this.link?.url ? html`
        <p><label for="guest-url">Give this link to your guests. It is shown once.</label></p>
        <p class="row"><input id="guest-url" class="grow" readonly .value=${this.link.url} @focus=${(event) => event.target.select()}>
          <button type="button" @click=${() => this.#copy()}>Copy</button></p>
        <p class="soft">It works until ${date(this.link.expiresAt)}.</p>` : ''}
      <div class="row">
        ${mayOpen ? html`<button type="button" ?disabled=${this.opening.isBusy} @click=${() => this.#open()}>${this.link ? 'Create a new link' : 'Create a guest link'}</button>` : ''}
        ${confirmButton({ act: this.closing, text: 'Close the link', yes: 'Close it', question: 'Nobody can open the link any more. Votes already given are kept.', run: () => this.#close(this.closing) })}
        ${confirmButton({ act: this.discarding, text: 'Close and drop votes', yes: 'Close and drop', question: 'Nobody can open the link any more, and the votes of guests are removed.', run: () => this.#close(this.discarding, { votes: 'discard' }) })}
      </div>
      ${mayOpen ? html`<p class="soft small">A new link replaces the one before.</p>` : ''}
      ${actProblem(this.opening)}`;
  }

  #open() {
    return this.opening.run(async () => {
      this.link = await this.app.api.get('openLink', { params: this.params, key: crypto.randomUUID() });
    });
  }

  async #close(act, query = {}) {
    const done = await act.run(() => this.app.api.call('closeLink', { params: this.params, query }));
    if (!done) return;
    this.link = null;
    this.app.say('The guest link is closed.');
    this.app.view.slots?.reload();
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.link.url);
      this.app.say('Copied.');
    } catch {
      document.getElementById('guest-url').select();
    }
  }
}
