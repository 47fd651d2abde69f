
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

  dispose() {
    removeEventListener('pagehide', this.#leaving);
    for (const id of [...this.#waiting.keys()]) this.#send(id);
  }

  without(items, idOf) {
    return items.filter((each) => !this.#waiting.has(idOf(each)));
  }

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

function unlessGone(error) {
  if (error.status !== 404) throw error;
}
