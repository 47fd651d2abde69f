// Finds definitions: search as you type, two filters and a list with keyboard navigation. The record's id is the fragment
// of the address, so every definition has a link.

import { findDefinitions } from './kpi-search.js';
import { element, recordNodes } from './record.js';

// The release that this page was built for. The page reads all data from it, even if a newer one is published meanwhile.
const TREE = document.documentElement.dataset.tree;
const $ = (id) => document.getElementById(id);
const [query, domain, audience, results, count, record] = ['query', 'domain', 'audience', 'results', 'count', 'record'].map($);

async function load(path) {
  const response = await fetch(`${TREE}/${path}`);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
}

function found(entries) {
  const kept = entries.filter((entry) => (!domain.value || entry.domain === domain.value)
    && (!audience.value || entry.audiences.includes(audience.value)));
  return query.value.trim() ? findDefinitions(kept, query.value) : kept;
}

function item(entry, current, note) {
  const link = element('a', { href: `#${entry.rogueId}` }, entry.label);
  if (note) link.append(element('small', {}, note));
  if (entry.rogueId === current) link.setAttribute('aria-current', 'true');
  return element('li', {}, link);
}

function grouped(entries, domains, current) {
  return [...domains].flatMap(([key, label]) => {
    const members = entries.filter((entry) => entry.domain === key);
    return members.length ? [element('h2', {}, label), element('ul', {}, ...members.map((entry) => item(entry, current)))] : [];
  });
}

function showResults(catalog) {
  const entries = found(catalog.entries);
  const current = location.hash.slice(1);
  const flat = () => [element('ul', {}, ...entries.map((entry) => item(entry, current, catalog.domains.get(entry.domain))))];
  results.replaceChildren(...(query.value.trim() ? flat() : grouped(entries, catalog.domains, current)));
  const many = entries.length === 1 ? '1 definition' : `${entries.length} definitions`;
  count.textContent = entries.length ? many : 'No definition matches. Try another word or clear the filters.';
}

function welcome(catalog) {
  const cards = catalog.counts.map(({ domain: key, label, count: size }) => {
    const button = element('button', { type: 'button' }, label, element('small', {}, `${size} definitions`));
    button.addEventListener('click', () => { domain.value = key; showResults(catalog); results.querySelector('a')?.focus(); });
    return element('li', {}, button);
  });
  return [
    element('h2', {}, 'Choose a domain, or search'),
    element('p', { class: 'definition' }, 'Each definition has a formula whose inputs are definitions too, a worked example that you can change, and common mistakes.'),
    element('ul', { class: 'welcome' }, ...cards),
  ];
}

async function recordOf(id, catalog) {
  if (!catalog.labels.has(id)) return [element('h2', {}, 'No such definition'), element('p', {}, `The catalog has no record “${id}”.`)];
  try {
    const { kpi } = await load(`${id.replace('.', '/')}.json`);
    return recordNodes(kpi, catalog.domains.get(kpi.domain), catalog.labels);
  } catch {
    return [element('h2', {}, 'The definition could not be loaded'), element('p', {}, 'Please try again in a moment.')];
  }
}

async function showRecord(catalog) {
  const id = location.hash.slice(1);
  const nodes = id ? await recordOf(id, catalog) : welcome(catalog);
  if (id !== location.hash.slice(1)) return;
  record.replaceChildren(...nodes);
  document.title = id ? `${catalog.labels.get(id) ?? 'Not found'} · KPI catalog` : 'KPI catalog';
  markCurrent(id);
}

function markCurrent(id) {
  for (const link of results.querySelectorAll('a')) {
    if (link.hash === `#${id}`) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
  const current = results.querySelector('[aria-current]');
  if (!current) return;
  const [list, line] = [results.getBoundingClientRect(), current.getBoundingClientRect()];
  if (line.top < list.top || line.bottom > list.bottom) results.scrollTop += line.top - list.top - list.height / 3;
}

// Scrolls to the record if the list is above it, and to the top of the page if the list is beside it.
function bringIntoView() {
  if (matchMedia('(max-width: 52rem)').matches && location.hash) record.scrollIntoView();
  else scrollTo(0, 0);
}

async function follow(catalog) {
  await showRecord(catalog);
  record.focus({ preventScroll: true });
  bringIntoView();
}

// Moves the focus with the arrow keys from the search field through the list and back.
function walk(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const stops = [query, ...results.querySelectorAll('a')];
  const at = stops.indexOf(document.activeElement);
  if (at < 0) return;
  event.preventDefault();
  stops[Math.min(Math.max(at + step, 0), stops.length - 1)].focus();
}

function shortcut(event) {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || /^(INPUT|SELECT)$/.test(document.activeElement.tagName)) return;
  event.preventDefault();
  query.focus();
}

function listen(catalog) {
  query.addEventListener('input', () => showResults(catalog));
  for (const filter of [domain, audience]) filter.addEventListener('change', () => showResults(catalog));
  $('search').addEventListener('submit', (event) => { event.preventDefault(); results.querySelector('a')?.click(); });
  $('search').addEventListener('keydown', walk);
  results.addEventListener('keydown', walk);
  document.addEventListener('keydown', shortcut);
  $('skip').addEventListener('click', (event) => { event.preventDefault(); record.focus(); });
  addEventListener('hashchange', () => follow(catalog));
}

async function start() {
  const [index, search] = await Promise.all([load('index.json'), load('search.json')]);
  const catalog = {
    entries: search.entries,
    counts: index.domains,
    domains: new Map(index.domains.map((each) => [each.domain, each.label])),
    labels: new Map(index.kpis.map((each) => [each.rogueId, each.label])),
  };
  domain.append(...index.domains.map((each) => element('option', { value: each.domain }, each.label)));
  $('release').textContent = `${index.count} definitions · version ${index.version}`;
  showResults(catalog);
  listen(catalog);
  await showRecord(catalog);
  bringIntoView();
}

start().catch(() => {
  count.textContent = 'The catalog could not be loaded. Please try again in a moment.';
});
