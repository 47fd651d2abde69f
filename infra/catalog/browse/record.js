// Shows one definition. It creates text nodes only, so no data can become markup.

import { evaluate, ExpressionError } from './expression.js';

const DIRECTIONS = { up: 'higher is better', down: 'lower is better', target: 'towards a target' };
const PERIODS = { instant: 'at a date', period: 'over a period', trailing: 'trailing period' };
const AGGREGATIONS = { sum: 'summed over time', average: 'averaged over time', last: 'latest value counts', none: 'recomputed for each period' };
const AUDIENCES = { startup: 'startups', nonprofit: 'nonprofits' };

/** Returns an element with attributes and children; a child is a node or text. */
export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

function section(title, ...children) {
  return element('section', {}, element('h3', {}, title), ...children);
}

function list(items, attributes = {}) {
  return element('ul', attributes, ...items.map((item) => element('li', {}, item)));
}

function link(rogueId, labels) {
  return element('a', { href: `#${rogueId}` }, labels.get(rogueId) ?? rogueId);
}

function facts(kpi) {
  const pairs = [
    ['Unit', unitName(kpi.unit)],
    ['Direction', DIRECTIONS[kpi.direction]],
    ['Measured', PERIODS[kpi.periodType]],
    ['Over time', AGGREGATIONS[kpi.aggregation]],
    ['For', kpi.audiences.map((each) => AUDIENCES[each]).join(' and ')],
  ];
  return list(pairs.map(([name, value]) => element('span', {}, element('b', {}, `${name}: `), value)), { class: 'facts' });
}

function unitName(unit) {
  return unit.replaceAll('/', ' per ').replaceAll('*', ' × ');
}

// Returns a figure with its unit: 16 months, 1 month, 8 deployments per week, 57.14 %, 1.5 ×. Money has no currency.
function figure(value, unit) {
  const text = value.toLocaleString('en-US', { maximumFractionDigits: 2 });
  const [counted, ...per] = unit.split('/');
  const word = { ratio: ' ×', percent: ' %', currency: '' }[counted] ?? (value === 1 ? ` ${counted}` : ` ${counted}s`);
  return [text + word, ...per].join(' per ');
}

// Returns the expression, with a link for each input that is a record.
function expression(formula, labels) {
  const ids = new Map(formula.inputs.map((input) => [input.name, input.rogueId]));
  const parts = formula.expression.split(/([a-z][a-z0-9_]*)/).map((part) => {
    const id = ids.get(part);
    return id ? element('a', { href: `#${id}`, title: labels.get(id) ?? id }, part) : part;
  });
  return element('code', { class: 'expression' }, ...parts);
}

function row(input, value, labels) {
  const field = element('input', { type: 'number', step: 'any', id: `input-${input.name}`, name: input.name, value });
  const meaning = input.rogueId ? link(input.rogueId, labels) : 'raw figure';
  return element(
    'tr', {},
    element('td', {}, element('label', { for: field.id }, element('code', {}, input.name))),
    element('td', {}, meaning),
    element('td', {}, field),
  );
}

function computed(formula, form) {
  const inputs = {};
  for (const field of form.querySelectorAll('input')) {
    if (!Number.isFinite(field.valueAsNumber)) throw new ExpressionError(`enter a number for ${field.name}`);
    inputs[field.name] = field.valueAsNumber;
  }
  return evaluate(formula.expression, inputs);
}

function showResult(kpi, form, result, output) {
  try {
    output.textContent = figure(computed(kpi.formula, form), kpi.unit);
    result.classList.remove('failed');
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    output.textContent = `No result: ${error.message}.`;
    result.classList.add('failed');
  }
}

// Returns the worked example as a form that recalculates with every change and can be reset.
function workedExample(kpi, labels) {
  const head = ['Input', 'Definition', 'Example'].map((name) => element('th', { scope: 'col' }, name));
  const rows = kpi.formula.inputs.map((input) => row(input, kpi.example.inputs[input.name], labels));
  const output = element('output', { id: 'result' });
  const reset = element('button', { type: 'reset', hidden: '' }, 'Back to the example');
  const result = element('div', { class: 'result', role: 'status' }, kpi.shortLabel, output);
  const table = element('table', { class: 'inputs' }, element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...rows));
  const form = element('form', { 'aria-label': 'Worked example' }, table, result, reset);
  form.addEventListener('input', () => { reset.hidden = false; showResult(kpi, form, result, output); });
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', () => setTimeout(() => { reset.hidden = true; showResult(kpi, form, result, output); }));
  showResult(kpi, form, result, output);
  return form;
}

function formula(kpi, labels) {
  if (!kpi.formula) {
    return section('Formula', element('p', {}, 'A primary figure: it comes from the records of the organization, and other figures are computed from it.'));
  }
  const words = element('p', {}, kpi.formula.text);
  return section('Formula', element('div', { class: 'formula' }, words, expression(kpi.formula, labels), workedExample(kpi, labels)));
}

function deprecation(kpi, labels) {
  if (kpi.status === 'active') return '';
  const next = kpi.supersededBy ? [' Use ', link(kpi.supersededBy, labels), ' instead.'] : [];
  return element('p', { class: 'notice' }, 'This definition is deprecated.', ...next);
}

/** Returns the nodes of a definition; `labels` maps ids to labels, `domain` is the label of the record's domain. */
export function recordNodes(kpi, domain, labels) {
  const path = `/api/ontology/${kpi.domain}/${kpi.slug}.json`;
  const changed = kpi.changedIn ? `, last changed in ${kpi.changedIn}` : '';
  return [
    element('p', { class: 'trail' }, `${domain} · `, element('code', {}, kpi.rogueId)),
    element('h2', {}, kpi.label),
    kpi.aliases.length ? element('p', { class: 'aliases' }, `Also called ${kpi.aliases.join(', ')}`) : '',
    deprecation(kpi, labels),
    element('p', { class: 'definition' }, kpi.description),
    facts(kpi),
    formula(kpi, labels),
    element('div', { class: 'pair' },
      section('Why it matters', element('p', {}, kpi.whyItMatters)),
      section('How to read it', element('p', {}, kpi.interpretation))),
    element('div', { class: 'pair' },
      section('Pitfalls', list(kpi.pitfalls)),
      section('Sources', list(kpi.sources, { class: 'sources' }))),
    section('Related', list(kpi.related.map((each) => link(each, labels)), { class: 'links' })),
    element('p', { class: 'foot' }, `In the catalog since ${kpi.introducedIn}${changed}. `, element('a', { href: path }, 'This record as JSON')),
  ];
}
