// What was typed into forms and not sent yet: kept until the tab is closed or somebody signs out.

import { storage } from './storage.js';

const KEY = 'board-governance.drafts';

/** Half-typed forms, by the page and the first field of the form. A form with a secret in it is never kept. */
export class Drafts {
  constructor(storage) {
    this.storage = storage;
  }

  get #all() {
    try {
      return JSON.parse(this.storage.getItem(KEY)) ?? {};
    } catch {
      return {};
    }
  }

  #keep(all) {
    if (Object.keys(all).length) this.storage.setItem(KEY, JSON.stringify(all));
    else this.storage.removeItem(KEY);
  }

  /** Keeps what a form holds now. */
  save(path, form) {
    if (isKept(form)) this.#keep({ ...this.#all, [nameOf(path, form)]: entriesOf(form) });
  }

  /** Fills a form with what was typed; returns whether there was anything. */
  restore(path, form) {
    const entries = isKept(form) ? this.#all[nameOf(path, form)] : null;
    if (!entries) return false;
    for (const element of fieldsOf(form)) {
      const kept = entries.filter(([name]) => name === element.name).map(([, value]) => value);
      if (element.type === 'checkbox' || element.type === 'radio') element.checked = kept.includes(element.value);
      else if (kept.length) element.value = kept[0];
    }
    return true;
  }

  drop(path, form) {
    const { [nameOf(path, form)]: _, ...rest } = this.#all;
    this.#keep(rest);
  }

  forget() {
    this.storage.removeItem(KEY);
  }
}

export const drafts = new Drafts(storage);

function fieldsOf(form) {
  return [...form.elements].filter(({ name, type }) => name && type !== 'submit');
}

function isKept(form) {
  const fields = fieldsOf(form);
  return fields.length > 0 && fields.every(({ type }) => type !== 'password');
}

function nameOf(path, form) {
  return `${path}#${fieldsOf(form)[0]?.id}`;
}

function entriesOf(form) {
  return fieldsOf(form).filter(({ type, checked }) => !['checkbox', 'radio'].includes(type) || checked).map(({ name, value }) => [name, value]);
}
