// The message files of the pages: those of all languages fit each other and the modules, and no text is written elsewhere.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

import { parse } from 'acorn';

import { load, WEB } from './load.mjs';

const { LANGUAGES, has } = await load('texts');
const MESSAGES = new URL('../../../../infra/pages/app/messages/', import.meta.url);
const files = new Map(readdirSync(MESSAGES).map((name) => [name.replace('.json', ''), JSON.parse(readFileSync(new URL(name, MESSAGES)))]));
const english = files.get('en');
const sources = readdirSync(WEB, { recursive: true }).filter((name) => /^(lib\/|views\/(\w+\/)?)?[\w-]+\.js$/.test(name))
  .map((name) => [name, readFileSync(new URL(name, WEB), 'utf8')]);

// Keys that are made of values: of the API, or of the page itself (`data-text` in the page and its frame).
const MADE = { changed: /changed\.\$\{/, label: /label\.\$\{/, audit: /audit\.\$\{/, happened: /happened\.\$\{/, position: /position\.\$\{/, access: /access\.\$\{/, documentType: /documentType\.\$\{/, unit: /unit\.\$\{/ };
const forms = (text) => (typeof text === 'string' ? [text] : Object.values(text));
const placeholders = (text) => [...new Set(forms(text).flatMap((form) => form.match(/\{\w+\}|<\w+>/g) ?? []))].filter((each) => each !== '{number}').sort();

test('every language that is offered has a file', () => {
  assert.deepEqual([...LANGUAGES].sort(), [...files.keys()].sort());
});

test('every language has every text, with the same values and the plural forms that it needs', () => {
  for (const [language, texts] of files) {
    assert.deepEqual(Object.keys(texts), Object.keys(english).sort(), `${language}: its keys, sorted`);
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    for (const [key, text] of Object.entries(texts)) {
      assert.equal(typeof text, typeof english[key], `${language} ${key}`);
      assert.ok(forms(text).every(Boolean), `${language} ${key}`);
      assert.deepEqual(placeholders(text), placeholders(english[key]), `${language} ${key}`);
      if (typeof text === 'object') assert.deepEqual(Object.keys(text).sort(), [...pluralCategories].sort(), `${language} ${key}`);
    }
  }
});

test('every text is used, and every key that is named is there', () => {
  const named = sources.flatMap(([, source]) => [...source.matchAll(/(?<![\w.])t\((?:\w+ \? )?'([\w.]+)'(?: : '([\w.]+)')?/g)].flatMap((found) => found.slice(1).filter(Boolean)));
  const all = sources.map(([, source]) => source).join('\n');
  const frame = ['pages/app/web/index.html', 'frame/header.html', 'frame/footer.html'].map((name) => readFileSync(new URL(`../../../../infra/${name}`, import.meta.url), 'utf8')).join('\n');
  const placed = [...frame.matchAll(/data-(?:text|label)="([\w.]+)"/g)].map(([, key]) => key);
  for (const [prefix, pattern] of Object.entries(MADE)) assert.match(all, pattern, `${prefix} is made nowhere`);
  const made = Object.keys(english).filter((key) => Object.keys(MADE).some((prefix) => key.startsWith(`${prefix}.`)));
  assert.ok(named.length > 700);
  assert.deepEqual([...named, ...placed].filter((key) => !has(key)), []);
  assert.deepEqual(Object.keys(english).filter((key) => ![...named, ...placed, ...made].includes(key)), []);
});

test('a text with plural forms is always given its number', () => {
  const named = sources.flatMap(([, source]) => [...source.matchAll(/(?<![\w.])t\('([\w.]+)'(?!, \{ number)/g)].map(([, key]) => key));
  assert.deepEqual(named.filter((key) => typeof english[key] === 'object'), []);
});

test('the page says in English what its text says in the file', () => {
  for (const name of ['pages/app/web/index.html', 'frame/header.html', 'frame/footer.html']) {
    const page = readFileSync(new URL(`../../../../infra/${name}`, import.meta.url), 'utf8');
    for (const [, key, words] of page.matchAll(/data-text="([\w.]+)">([^<]*)</g)) assert.equal(words, english[key], `${name} ${key}`);
  }
});

test('no text is written in a module', () => {
  const found = sources.filter(([name]) => name !== 'lib/openapi.js').flatMap(([name, source]) => written(source).map((words) => `${name}: ${words}`));
  assert.deepEqual(found, []);
});

// Attributes that people read or hear.
const READ = /(?:aria-label|title|placeholder|alt)="([^"]*)"/g;
// Words that are no text: the product's name, names of the example, of headers and of keys, fonts, media queries, selectors.
const NO_TEXT = /^(Board Governance| · Board Governance|Retry-After|If-Match|If-None-Match|Bearer |Content-Type|Idempotency-Key|TimeoutError|Link|Enter|Delete|Silva|Ana|Ben|Okafor|Chen|Wei|Dana|Novak|Emil|Berg|Status |No such operation: | needs |Nobody asked whether to offer |openid email profile offline_access|input, select, textarea, dialog|12px system-ui, sans-serif|Arrow\w+|Esc|Page(Up|Down)|Home|End|Escape|UTC|IT |Ed25519|NotSupportedError)$/;
// Positions as the API knows them: the one that an invite has unless another is chosen, and those who sign minutes.
const POSITION = /^(board (member|chair)|company secretary)$/;

/** Returns the texts that people would read in a module: words between tags and in attributes, and strings that look like them. */
function written(source) {
  const words = [];
  walk(parse(source, { ecmaVersion: 'latest', sourceType: 'module' }), (node, parent) => {
    if (node.type === 'TaggedTemplateExpression' && node.tag.name === 'html') words.push(...ofTemplate(node.quasi.quasis.map(({ value }) => value.cooked).join('\u{1}')));
    if (node.type === 'TemplateLiteral' && parent.type !== 'TaggedTemplateExpression' && !isKeyOf(parent)) words.push(...node.quasis.map(({ value }) => value.cooked).filter(isProse));
    if (node.type === 'Literal' && typeof node.value === 'string' && !/^(Import|Export)/.test(parent.type) && !isKeyOf(parent) && isProse(node.value)) words.push(node.value);
  });
  return words.filter((each) => !NO_TEXT.test(each) && !POSITION.test(each));
}

function ofTemplate(markup) {
  const between = markup.replace(/<[a-z/!][^>]*>/g, '\u{1}').split('\u{1}');
  const attributes = [...markup.matchAll(READ)].flatMap(([, value]) => value.split('\u{1}'));
  return [...between, ...attributes].map((each) => each.replace(/&\w+;/g, '').trim()).filter((each) => /\p{L}{2}/u.test(each));
}

/** Several words, or one that begins like a sentence; no path, selector, class or identifier. */
function isProse(text) {
  if (/[/[\]{}<>=#_]|^\.|--/.test(text)) return false;
  return /^[A-Z]-?[a-z]/.test(text) || /\p{L}{2,}[.,:;!?]? +\p{L}/u.test(text);
}

/** Whether a literal is the key of a text, or a regular expression's words. */
function isKeyOf(parent) {
  return parent.type === 'CallExpression' && ['t', 'has', 'assert', 'matchMedia'].includes(parent.callee.name);
}

function walk(node, visit, parent = { type: 'Root' }) {
  visit(node, parent);
  for (const child of Object.values(node)) {
    if (Array.isArray(child)) child.filter((each) => each?.type).forEach((each) => walk(each, visit, node));
    else if (child?.type) walk(child, visit, node);
  }
}
