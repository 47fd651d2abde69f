
import { storage } from './storage.js';

export const LANGUAGES = ['en', 'de'];

const KEPT = 'board-governance.language';
const PIECE = /<(\w+)>(.*?)<\/\1>|\{(\w+)\}|[^<{]+/g;

let language;
let texts;
let plurals;
let tag;

export function t(key, values = {}) {
  const found = texts[key];
  return filled(typeof found === 'object' ? found[plurals.select(values.number)] : found, values);
}

function filled(pattern, values) {
  const parts = [...pattern.matchAll(PIECE)].map(([piece, tag, inner, name]) => (tag ? values[tag](filled(inner, values)) : name ? values[name] : piece));
  return parts.every((part) => typeof part === 'string' || typeof part === 'number') ? parts.join('') : parts;
}

export function has(key) {
  return Object.hasOwn(texts, key);
}

export function locale() {
  return tag;
}

export function chosenLanguage(ofAccount, ofBrowser) {
  const all = [ofAccount, ...ofBrowser].map((each) => each?.split('-')[0]);
  return all.find((each) => LANGUAGES.includes(each)) ?? LANGUAGES[0];
}

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
  const { default: found } = await import(`../messages/${wanted}.js`);
  [language, texts, plurals] = [wanted, found, new Intl.PluralRules(wanted)];
  const own = new Intl.DateTimeFormat().resolvedOptions().locale;
  tag = [own, ...preferred()].find((each) => each.split('-')[0] === language) ?? language;
}

export function labelPage() {
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll('[data-text]')) element.textContent = t(element.dataset.text);
  for (const element of document.querySelectorAll('[data-label]')) element.setAttribute('aria-label', t(element.dataset.label));
}

await speak(chosenLanguage(storage.getItem(KEPT), preferred()));
