// What a view renders, without a browser: templates of lit-html hold their values as they are.

import { loadFrom } from './load.mjs';

/** Returns a module of `views/`. */
export const loadView = (name) => loadFrom('views', name);

/** Returns the values that are bound to a name such as `@click` or `aria-pressed`, in the order of the page. */
export function bound(shown, name) {
  if (Array.isArray(shown)) return shown.flatMap((each) => bound(each, name));
  if (shown?.strings) return shown.values.flatMap((value, index) => (shown.strings[index].endsWith(` ${name}=`) ? [value] : bound(value, name)));
  const [items, , template] = shown?._$litDirective$ ? shown.values : [];
  return typeof template === 'function' ? items.flatMap((each, index) => bound(template(each, index), name)) : [];
}

/** Waits until all promises that can be settled are. */
export const settled = () => new Promise((resolve) => { setTimeout(resolve); });

export const never = new Promise(() => {});

/** Returns an app whose API answers by these functions, by the name of the operation, and what was asked. */
export function appOf(answers) {
  const asked = [];
  const call = async (name, options = {}) => {
    asked.push([name, options.body]);
    return answers[name] ? answers[name](options) : never;
  };
  const page = async (name, options) => ({ items: await call(name, options), next: null });
  return { asked, api: { call, page, get: call }, update() {}, say() {} };
}

/** Returns a promise with the functions that settle it. */
export function deferred() {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
}
