// What was typed into forms and not sent yet: kept until it is sent or discarded, or somebody signs out; on the device where
// one stays signed in there, otherwise in the tab.

import { storage } from './storage.js';

const KEY = 'board-governance.drafts';
const OWNER = 'owner';

/** Half-typed forms, by the page and the first field of the form. A form with a secret in it is never kept. */
export class Drafts {
  constructor(storage) {
    this.storage = storage;
  }

  /** Keeps what is typed in this storage from now on. */
  keepIn(storage) {
    this.storage = storage;
  }

  /** Says whose drafts these are: those of somebody else, whose session ended here, are forgotten. */
  belongTo(owner) {
    if (this.#all[OWNER] === owner) return;
    this.#keep(this.#all[OWNER] ? { [OWNER]: owner } : { ...this.#all, [OWNER]: owner });
  }

  /** Keeps what is typed into a part of a page that is no form of its own, under a name. */
  put(path, name, content) {
    this.#keep({ ...this.#all, [`${path}#${name}`]: content });
  }

  /** Returns what was kept under a name; null without it. */
  get(path, name) {
    return this.#all[`${path}#${name}`] ?? null;
  }

  remove(path, name) {
    const { [`${path}#${name}`]: _, ...rest } = this.#all;
    this.#keep(rest);
  }

  get #all() {
    try {
      return JSON.parse(this.storage.getItem(KEY)) ?? {};
    } catch {
      return {};
    }
  }

  #keep(all) {
    if (Object.keys(all).some((key) => key !== OWNER)) this.storage.setItem(KEY, JSON.stringify(all));
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

/** Whether something is typed and not sent in a form of the page, or of a part of it: what that edits is not read anew. */
export function isTyped(within = '#main') {
  return Boolean(document.querySelector(`${within} form[data-draft=typed]`));
}

/** Where work of the service is kept that goes on while one is elsewhere. */
export const JOBS = ['', 'jobs'];

export const hasJobs = () => drafts.get(...JOBS) !== null;

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
