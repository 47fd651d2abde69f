// Putting the entries of a list in order: by buttons, by Alt and an arrow key, and by dragging a handle.

import { html } from '../lib/ui.js';
import { t } from '../lib/texts.js';

export class Ordering {
  #dragged = null;

  /** `list` has the entries, each with a `key`; `set` takes them in a new order; an entry's element has `<prefix>-<key>` as `data-entry`. */
  constructor(app, { prefix, list, set, titleOf }) {
    Object.assign(this, { app, prefix, list, set, titleOf });
  }

  /** Returns the listeners of an entry's element. */
  of(entry, index) {
    return {
      keydown: (event) => this.#key(event, index), dragstart: (event) => this.#drag(event, entry),
      dragover: (event) => this.#dragOver(event, index), dragend: () => this.#dropped(entry),
    };
  }

  /** Returns the handle by which an entry is dragged. */
  handle(entry, index) {
    return html`<span class="handle" title=${t('ordering.drag')} aria-hidden="true" @pointerdown=${() => this.#hold(entry, true)} @pointerup=${() => this.#hold(entry, false)}>⠿ ${index + 1}</span>`;
  }

  /** Returns the buttons that move an entry by one place. */
  buttons(index) {
    const item = index + 1;
    return html`
      <button type="button" class="small" data-move="up" ?disabled=${index === 0} aria-label=${t('ordering.moveNumberUp', { item })} @click=${() => this.#move(index, -1)}>↑</button>
      <button type="button" class="small" data-move="down" ?disabled=${item === this.list().length} aria-label=${t('ordering.moveNumberDown', { item })} @click=${() => this.#move(index, 1)}>↓</button>`;
  }

  /** Moves an entry by one place; the focus stays with it, on a button that still moves it. */
  #move(index, by) {
    const to = index + by;
    const entries = [...this.list()];
    if (to < 0 || to >= entries.length) return;
    const [entry] = entries.splice(index, 1);
    entries.splice(to, 0, entry);
    this.set(entries);
    this.app.say(t('ordering.titleIsNowNumber', { title: this.titleOf(entry), item: to + 1 }));
    const own = `[data-entry="${this.prefix}-${entry.key}"] [data-move`;
    this.focus(`${own}=${by < 0 ? 'up' : 'down'}]:not([disabled]), ${own}]:not([disabled])`);
  }

  /** Gives the focus to an element once the page shows it. */
  focus(selector) {
    this.app.update();
    requestAnimationFrame(() => document.querySelector(selector)?.focus());
  }

  #key(event, index) {
    if (!event.altKey || !['ArrowUp', 'ArrowDown'].includes(event.key)) return;
    event.preventDefault();
    this.#move(index, event.key === 'ArrowUp' ? -1 : 1);
  }

  /** Only the handle drags: elsewhere text is selected. */
  #hold(entry, isHeld) {
    entry.isHeld = isHeld;
    this.app.update();
  }

  #drag(event, entry) {
    this.#dragged = entry;
    event.dataTransfer.effectAllowed = 'move';
    event.dataTransfer.setData('text/plain', '');
  }

  #dragOver(event, index) {
    const dragged = this.#dragged;
    if (!dragged) return;
    event.preventDefault();
    if (this.list().indexOf(dragged) === index) return;
    const entries = this.list().filter((each) => each !== dragged);
    entries.splice(index, 0, dragged);
    this.set(entries);
    this.app.update();
  }

  #dropped(entry) {
    this.#dragged = null;
    this.#hold(entry, false);
  }
}
