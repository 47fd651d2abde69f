// The CDN's functions for the catalog: the results for requests, for published releases and for answers.

import assert from 'node:assert/strict';
import test from 'node:test';

import { load, read, request } from './edge.mjs';

const CODE = read('../../infra/cdn/ontology.js');
const [CURRENT] = [...CODE.matchAll(/^ {2}"([0-9.]+)": \{/gm)].map((found) => found[1]).reverse();
const PAGE = '0123456789ab';
const PUBLISHED = `${CURRENT}/${PAGE} 1.0.0/ba9876543210`;
const filled = (text) => text.replaceAll('{current}', CURRENT).replaceAll('{page}', PAGE);
const cases = JSON.parse(filled(read('cases.json')));

async function answer({ path, publications = PUBLISHED, ...rest }) {
  const { handler } = load(CODE, publications === null ? {} : { publications });
  return JSON.parse(JSON.stringify(await handler(request(path, rest))));
}

for (const each of cases) {
  test(`${each.method ?? 'GET'} ${each.path}: ${each.why}`, async () => {
    const found = await answer(each);
    if (each.key) assert.equal(found.uri, `/${each.key}`);
    else assert.equal(found.statusCode, each.status);
  });
}

test('the function\'s own answers are readable across origins', async () => {
  for (const each of cases.filter((one) => !one.key)) {
    const { headers } = await answer(each);
    assert.equal(headers['access-control-allow-origin'].value, '*');
    assert.equal(headers['x-content-type-options'].value, 'nosniff');
    assert.equal(headers['cache-control'].value, 'no-store');
  }
});

test('an unknown path is answered in the error envelope', async () => {
  const { headers, body } = await answer({ path: '/api/ontology/nothing.json' });
  assert.equal(headers['content-type'].value, 'application/json');
  assert.deepEqual(JSON.parse(body.data), {
    error: { code: 'RESOURCE_NOT_FOUND', message: 'No such resource.', status: 404, requestId: null, details: null },
  });
});

test('another method is answered with the allowed ones', async () => {
  const { headers, body } = await answer({ method: 'PUT', path: '/api/ontology' });
  assert.equal(headers.allow.value, 'GET, HEAD, OPTIONS');
  assert.equal(JSON.parse(body.data).error.code, 'METHOD_NOT_ALLOWED');
});

test('an accepted encoding may come in several headers', async () => {
  const event = request('/api/ontology');
  event.request.headers['accept-encoding'] = { value: 'gzip', multiValue: [{ value: 'gzip' }, { value: 'br' }] };
  const { handler } = load(CODE, { publications: PUBLISHED });
  assert.equal((await handler(event)).uri, `/api/ontology/v/${CURRENT}/index.json.br`);
});

test('a query string is left alone and changes nothing', async () => {
  const event = request('/api/ontology');
  event.request.querystring = { v: { value: '2' } };
  const { handler } = load(CODE, { publications: PUBLISHED });
  assert.equal((await handler(event)).uri, `/api/ontology/v/${CURRENT}/index.json`);
});

test('the pointer alone decides which release answers', async () => {
  const back = `1.0.0/ba9876543210 ${CURRENT}/${PAGE}`;
  assert.equal((await answer({ path: '/api/ontology/finance.json', publications: back })).uri, '/api/ontology/v/1.0.0/finance.json');
  assert.equal((await answer({ path: '/api/ontology/browse/', publications: back })).uri, '/api/ontology/browse/ba9876543210/index.html');
});

test('the pointer is read once for a request', async () => {
  const { asked, handler } = load(CODE, { publications: PUBLISHED });
  await handler(request('/api/ontology/finance/revenue.json'));
  assert.deepEqual(asked, ['publications']);
});

test('a release that this code does not know yet is not current', async () => {
  const ahead = `99.0.0/ffffffffffff ${PUBLISHED}`;
  assert.equal((await answer({ path: '/api/ontology', publications: ahead })).uri, `/api/ontology/v/${CURRENT}/index.json`);
  assert.equal((await answer({ path: '/api/ontology/browse', publications: ahead })).uri, `/api/ontology/browse/${PAGE}/index.html`);
  assert.equal((await answer({ path: '/api/ontology/v/99.0.0/index.json', publications: ahead })).statusCode, 404);
});

test('a release that is known and not yet published is not found', async () => {
  const only = '1.0.0/ba9876543210';
  assert.equal((await answer({ path: '/api/ontology/v/1.0.0/', publications: only })).uri, '/api/ontology/v/1.0.0/index.json');
  const found = await answer({ path: `/api/ontology/v/${CURRENT}/`, publications: only });
  assert.equal(found.statusCode, CURRENT === '1.0.0' ? undefined : 404);
});

for (const publications of [null, '', 'nonsense']) {
  test(`nothing is found while nothing is published (${publications})`, async () => {
    for (const path of ['/api/ontology', '/api/ontology/finance.json', '/api/ontology/v/1.0.0/', '/api/ontology/browse/']) {
      assert.equal((await answer({ path, publications })).statusCode, 404);
    }
  });
}

// Returns the Cache-Control of the answer to a path; the second function may see the original or the rewritten request.
async function cacheControl(path, isRewritten, headers = {}) {
  const asked = request(path, { headers });
  const { handler } = load(CODE, { publications: PUBLISHED });
  const rewritten = await handler(request(path, { headers }));
  const response = { statusCode: 200, headers: { etag: { value: '"1"' }, 'cache-control': { value: 'as stored' } } };
  const complete = load(read('../../infra/cdn/current.js')).handler;
  const done = complete({ request: isRewritten ? rewritten : asked.request, response });
  assert.equal(done.headers.vary.value, 'Accept-Encoding');
  assert.equal(done.headers.etag.value, '"1"');
  return done.headers['cache-control'].value;
}

for (const isRewritten of [true, false]) {
  test(`a path that follows the pointer is cached for a while (${isRewritten ? 'rewritten' : 'original'})`, async () => {
    for (const path of ['/api/ontology', '/api/ontology/', '/api/ontology/finance/revenue.json', '/api/ontology/browse', '/api/ontology/browse/']) {
      assert.match(await cacheControl(path, isRewritten), /^public, max-age=300,/);
    }
  });

  test(`an immutable address is cached for ever (${isRewritten ? 'rewritten' : 'original'})`, async () => {
    for (const path of ['/api/ontology/v/1.0.0', '/api/ontology/v/1.0.0/finance.json', `/api/ontology/browse/${PAGE}/browse.js`]) {
      assert.equal(await cacheControl(path, isRewritten), 'as stored');
    }
  });
}

test('a client cannot shorten the cache time of an immutable address', async () => {
  const claimed = { 'x-catalog-current': '1' };
  assert.equal(await cacheControl('/api/ontology/v/1.0.0/finance.json', true, claimed), 'as stored');
});
