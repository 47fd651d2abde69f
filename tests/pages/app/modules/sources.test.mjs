// Tests of what the scripts of the pages may hold.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

import { parse } from 'acorn';

import { load, WEB } from './load.mjs';

const { LIMITS, NUMBERS, OPERATIONS, VALUES } = await load('openapi');
const service = await load('service');

const document = JSON.parse(readFileSync(new URL('../../../../openapi.json', import.meta.url)));
const sources = readdirSync(WEB, { recursive: true }).filter((name) => name.endsWith('.js') && !name.startsWith('vendor/'))
  .map((name) => [name, readFileSync(new URL(name, WEB), 'utf8')]);

test('every operation that a view calls is one of the OpenAPI document, with its method and path', () => {
  const named = sources.flatMap(([, source]) => [...source.matchAll(/api\.(?:call|get|page|bareArray)\('(\w+)'/g)].map(([, name]) => name));
  assert.ok(named.length > 70);
  assert.deepEqual(named.filter((name) => !OPERATIONS[name]), []);
  for (const [name, [method, path]] of Object.entries(OPERATIONS)) {
    assert.equal(document.paths[path]?.[method.toLowerCase()]?.operationId, name, `${method} ${path}`);
  }
});

test('every text field has the limit that the OpenAPI document states', () => {
  const known = [['createInvite', 'message', 500], ['voteOnSlotAsGuest', 'email', 254], ['updateWebhook', 'url', 2048]];
  for (const [operation, name, most] of known) assert.equal(LIMITS[operation][name], most);
  for (const [file, source] of sources) {
    assert.doesNotMatch(source, /maxlength(: |=")\d/, `${file} has a limit of its own`);
    for (const [, name, operation] of source.matchAll(/(?:field|area)\('(\w+)'[^\n]*?of: '(\w+)'/g)) {
      assert.ok(LIMITS[operation]?.[name], `${file}: ${operation} has no limit of ${name}`);
    }
  }
});

test('numbers and choices of the API are those that the OpenAPI document states', () => {
  const { schemas } = document.components;
  const { minimum, maximum, default: usual } = schemas.SlotCreate.properties.durationInMinutes;
  assert.deepEqual(NUMBERS.createSlot, { durationInMinutes: { minimum, maximum, default: usual } });
  assert.deepEqual(NUMBERS.createMyToken, { expiresInDays: { enum: schemas.TokenLifetime.enum } });
  assert.equal(NUMBERS.createDocumentVersion.size.maximum, schemas.DocumentVersionCreate.properties.size.maximum);
  assert.equal(NUMBERS.putAgenda['items.minutes'].maximum, schemas.AgendaItemBody.properties.minutes.maximum);
  assert.equal(LIMITS.evaluateAccessBatch.evaluations, schemas.AccessEvaluations.properties.evaluations.maxItems);
  assert.deepEqual([VALUES.createInvite.boardPositions, VALUES.createInvite.accessType], [schemas.BoardPosition.enum, schemas.AccessType.enum]);
  assert.equal(LIMITS.createReportingCycle.remindDaysBefore, schemas.CycleCreate.properties.remindDaysBefore.maxItems);
});

test('no script and no message repeats a number of the service', () => {
  const own = sources.filter(([name]) => !['lib/openapi.js', 'lib/service.js'].includes(name));
  const repeated = [/100 MB/, /1024 \* 1024 \* 1024|100 \* 1024/, /\b(?:30, 90, 180)\b/, new RegExp(`\\b${service.GUEST_LINK_DAYS} (?:days|Tage)`), new RegExp(`'${service.DEFAULT_REMINDERS.join(', ')}'`), /application\/vnd/];
  for (const number of repeated) assert.deepEqual(own.filter(([, source]) => number.test(source)).map(([name]) => name), [], String(number));
});

test('the body that a form sends names every field of the form', () => {
  const forms = sources.map(([file, source]) => [file, ...source.split(/export function \w+Body\(/)]).filter(([, , body]) => body);
  assert.ok(forms.length > 2);
  for (const [file, form, body] of forms) {
    for (const [, name] of form.matchAll(/(?:field|area|choice|checks)\('(\w+)'/g)) assert.match(body, new RegExp(`\\b${name}\\b`), `${file}: ${name}`);
  }
});

test('no module writes markup from text, runs text as code, or asks another host', () => {
  for (const [name, source] of sources) {
    assert.doesNotMatch(source, /innerHTML|outerHTML|insertAdjacentHTML|unsafeHTML|document\.write|\beval\(|new Function/, name);
    assert.doesNotMatch(source, / style="/, `${name} has a style that the policy refuses`);
    assert.doesNotMatch(source, /fetch\(['"`]https?:/, name);
  }
});

const nodesOf = (node) => (node && typeof node === 'object' ? [...(node.type ? [node] : []), ...Object.values(node).flatMap(nodesOf)] : []);
const programs = sources.map(([file, source]) => [file, nodesOf(parse(source, { ecmaVersion: 'latest', sourceType: 'module' }))]);
const isNow = (parameter) => (parameter.left ?? parameter).name === 'now';

test('one module reads the clock', () => {
  const READERS = ['Date', 'performance', 'Temporal'];
  const readsNothing = ({ type, callee, object, property, arguments: given }) => (type === 'NewExpression' && given.length && callee)
    || (type === 'MemberExpression' && ['parse', 'UTC'].includes(property.name) && object);
  const reads = (nodes) => {
    const allowed = new Set(nodes.map(readsNothing).filter(Boolean));
    return nodes.some((node) => (node.type === 'Identifier' && READERS.includes(node.name) && !allowed.has(node))
      || (node.type === 'CallExpression' && /^format(ToParts)?$/.test(node.callee.property?.name) && !node.arguments.length));
  };
  assert.deepEqual(programs.filter(([, nodes]) => reads(nodes)).map(([name]) => name), ['lib/clock.js']);
});

test('what is told the time does not look at the clock as well', () => {
  const functions = programs.flatMap(([file, nodes]) => nodes.filter(({ params }) => params).map((node) => ({ file, node })));
  const places = new Map(functions.map(({ node }) => [node.id?.name, node.params.findIndex(isNow)]).filter(([name, place]) => name && place >= 0));
  const told = functions.filter(({ node }) => node.params.some(isNow));
  const looks = ({ type, callee, arguments: given }) => type === 'CallExpression'
    && (['timeNow', 'instantNow'].includes(callee.name) || (places.has(callee.name) && given.length <= places.get(callee.name)));
  assert.ok(told.length > 9);
  assert.deepEqual(told.filter(({ node }) => nodesOf(node.body).some(looks)).map(({ file, node }) => `${file}: ${node.id?.name}`), []);
});
