
import { storage } from './storage.js';

const KEY = 'board-governance.drafts';
const OWNER = 'owner';

export class Drafts {
  constructor(storage) {
    this.storage = storage;
  }

  keepIn(storage) {
    this.storage = storage;
  }

  belongTo(owner) {
    if (this.#all[OWNER] === owner) return;
    this.#keep(this.#all[OWNER] ? { [OWNER]: owner } : { ...this.#all, [OWNER]: owner });
  }

  put(path, name, content) {
    this.#keep({ ...this.#all, [`${path}#${name}`]: content });
  }

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

  save(path, form) {
    if (isKept(form)) this.#keep({ ...this.#all, [nameOf(path, form)]: entriesOf(form) });
  }

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

export function isTyped(within = '#main') {
  return Boolean(document.querySelector(`${within} form[data-draft=typed]`));
}

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
