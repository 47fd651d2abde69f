// The CDN's function, run as it is deployed: a script without modules whose `handler` is called with an event.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import vm from 'node:vm';

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');
const handler = vm.runInNewContext(`${read('../../infra/cdn/ontology.js')}; handler`);
const cases = JSON.parse(read('cases.json'));

function answer({ method = 'GET', path, headers = {} }) {
  const values = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value }]));
  const event = { version: '1.0', request: { method, uri: path, querystring: {}, headers: values, cookies: {} } };
  return JSON.parse(JSON.stringify(handler(event)));
}

for (const each of cases) {
  test(`${each.method ?? 'GET'} ${each.path}: ${each.why}`, () => {
    const found = answer(each);
    if (each.key) assert.equal(found.uri, `/${each.key}`);
    else assert.equal(found.statusCode, each.status);
  });
}

test('what the function answers itself is readable across origins', () => {
  for (const each of cases.filter((one) => !one.key)) {
    const { headers } = answer(each);
    assert.equal(headers['access-control-allow-origin'].value, '*');
    assert.equal(headers['x-content-type-options'].value, 'nosniff');
  }
});

test('an unknown path is answered in the error envelope', () => {
  const { headers, body } = answer({ path: '/api/ontology/nothing.json' });
  assert.equal(headers['content-type'].value, 'application/json');
  assert.deepEqual(JSON.parse(body.data), {
    error: { code: 'RESOURCE_NOT_FOUND', message: 'No such resource.', status: 404, requestId: null, details: null },
  });
});

test('another method is told which ones there are', () => {
  const { headers, body } = answer({ method: 'PUT', path: '/api/ontology' });
  assert.equal(headers.allow.value, 'GET, HEAD, OPTIONS');
  assert.equal(JSON.parse(body.data).error.code, 'METHOD_NOT_ALLOWED');
});

test('an accepted encoding may come in several headers', () => {
  const request = { method: 'GET', uri: '/api/ontology', headers: {} };
  request.headers['accept-encoding'] = { value: 'gzip', multiValue: [{ value: 'gzip' }, { value: 'br' }] };
  assert.equal(handler({ request }).uri, '/api/ontology/index.json.br');
});

test('a query string is left alone and changes nothing', () => {
  const request = { method: 'GET', uri: '/api/ontology', querystring: { v: { value: '2' } }, headers: {} };
  assert.equal(handler({ request }).uri, '/api/ontology/index.json');
});

test('every answer from the bucket says that it depends on the encodings accepted', () => {
  const vary = vm.runInNewContext(`${read('../../infra/cdn/vary.js')}; handler`);
  const response = { statusCode: 200, headers: { etag: { value: '"1"' } } };
  assert.deepEqual(Object.keys(vary({ response }).headers), ['etag', 'vary']);
  assert.equal(vary({ response }).headers.vary.value, 'Accept-Encoding');
});
