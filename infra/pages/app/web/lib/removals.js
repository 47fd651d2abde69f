// What was removed and can be taken back for a moment: it is sent when the moment is over, or the view is left.

import { asProblem } from './state.js';
import { html, nothing, problem, repeat } from './ui.js';
import { t } from './texts.js';

export const MOMENT_MS = 10_000;

export class Removals {
  #waiting = new Map();
  #failed = new Map();
  #leaving = () => this.dispose();

  constructor(app) {
    this.app = app;
    addEventListener('pagehide', this.#leaving);
  }

  /** Sends at once what still waits. */
  dispose() {
    removeEventListener('pagehide', this.#leaving);
    for (const id of [...this.#waiting.keys()]) this.#send(id);
  }

  /** Returns those that are not being removed; `idOf` returns the id of one. */
  without(items, idOf) {
    return items.filter((each) => !this.#waiting.has(idOf(each)));
  }

  /** Takes something out of sight, and its focus to where it can be taken back; `send` removes it for good, then `done` is called. @param {string} id @param {string} name @param {any} removal */
  begin(id, name, { send, done }) {
    this.#failed.delete(id);
    this.#waiting.set(id, { name, send, done, timer: setTimeout(() => this.#send(id), MOMENT_MS) });
    this.app.update();
    requestAnimationFrame(() => document.getElementById(`undo-${id}`)?.focus());
  }

  #undo(id) {
    clearTimeout(this.#waiting.get(id).timer);
    this.#waiting.delete(id);
    this.app.say(t('removals.takenBack'));
    this.app.update();
  }

  /** Something stays out of sight until the list that it was in has been told. */
  async #send(id) {
    const removal = this.#waiting.get(id);
    clearTimeout(removal.timer);
    try {
      await removal.send().catch(unlessGone);
      removal.done();
    } catch (error) {
      this.#failed.set(id, { ...removal, error: asProblem(error) });
    }
    this.#waiting.delete(id);
    this.app.update();
  }

  render() {
    if (!this.#waiting.size && !this.#failed.size) return nothing;
    return html`
      <ul class="plain-list no-print" role="status">${repeat([...this.#waiting], ([id]) => id, ([id, { name }]) => html`
        <li class="row"><span>${t('removals.nameIsRemoved', { name })}</span><button type="button" class="small" id="undo-${id}" @click=${() => this.#undo(id)}>${t('removals.undo')}</button></li>`)}</ul>
      ${repeat([...this.#failed], ([id]) => id, ([id, { name, error, ...removal }]) => html`<div><p>${t('removals.nameCouldNotBeRemoved', { name })}</p>${problem(error, () => this.begin(id, name, removal), () => this.#dismiss(id))}</div>`)}`;
  }

  #dismiss(id) {
    this.#failed.delete(id);
    this.app.update();
  }
}

/** What somebody else has removed meanwhile is removed. */
function unlessGone(error) {
  if (error.status !== 404) throw error;
}
