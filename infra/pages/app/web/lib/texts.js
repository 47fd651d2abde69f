// The texts of the pages in the reader's language, each from its message file (ADR languages).

import { storage } from './storage.js';

/** The languages that have a message file. */
export const LANGUAGES = ['en', 'de'];

const KEPT = 'board-governance.language';
const PIECE = /<(\w+)>(.*?)<\/\1>|\{(\w+)\}|[^<{]+|[<{]/g;

let language;
let texts;
let plurals;
let tag;

/**
 * Returns a text with its values. `number` chooses between the plural forms. `<name>words</name>` in a text is what the value
 * `name` makes of the words. Where a value is markup, the text is a list of its parts.
 */
export function t(key, values = {}) {
  const found = texts[key];
  return filled(typeof found === 'object' ? found[plurals.select(values.number)] : found, values);
}

function filled(pattern, values) {
  const parts = [...pattern.matchAll(PIECE)].map(([piece, tag, inner, name]) => (tag ? values[tag](filled(inner, values)) : name ? values[name] : piece));
  return parts.every((part) => typeof part === 'string' || typeof part === 'number') ? parts.join('') : parts;
}

/** Whether there is a text for a key that is made of a value of the API. */
export function has(key) {
  return Object.hasOwn(texts, key);
}

/** Returns the locale of dates and numbers: the browser's where it is one of the language, so that a country's habits stay. */
export function locale() {
  return tag;
}

/** Returns the first language that there are texts in: of the account, of the browser's list, or English. */
export function chosenLanguage(ofAccount, ofBrowser) {
  const all = [ofAccount, ...ofBrowser].map((each) => each?.split('-')[0]);
  return all.find((each) => LANGUAGES.includes(each)) ?? LANGUAGES[0];
}

/** Shows the pages in the language of the account, or of the browser where that is null; `changed` is called once it is there. */
export async function setAccountLanguage(ofAccount, changed) {
  if (ofAccount) storage.setItem(KEPT, ofAccount);
  else storage.removeItem(KEPT);
  const wanted = chosenLanguage(ofAccount, preferred());
  if (wanted === language) return;
  await speak(wanted);
  changed();
}

function preferred() {
  return globalThis.navigator?.languages ?? [];
}

async function speak(wanted) {
  const loading = import(`../messages/${wanted}.js`);
  await null; // what the first script asks for comes first
  const own = new Intl.DateTimeFormat().resolvedOptions().locale; // slow the first time: the browser looks for its time zone
  const { default: found } = await loading;
  [language, texts, plurals] = [wanted, found, new Intl.PluralRules(wanted)];
  tag = [own, ...preferred()].map(plainTag).find((each) => each?.split('-')[0] === language) ?? language;
}

/** Returns a locale without what asks for other digits or calendars, which fields cannot read back; null for what is none. */
function plainTag(each) {
  try {
    return new Intl.Locale(each.split('-u-')[0]).baseName;
  } catch {
    return null; // some systems state `en-US@posix`
  }
}

/** Writes the texts that stand in the page itself, in English until then. */
export function labelPage() {
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll('[data-text]')) element.textContent = t(element.dataset.text);
  for (const element of document.querySelectorAll('[data-label]')) element.setAttribute('aria-label', t(element.dataset.label));
}

/** Settled once there are texts: no text is asked for before. */
export const ready = speak(chosenLanguage(storage.getItem(KEPT), preferred()));
