// Tests of what the installation says about itself.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const { fetchConfig } = await load('config');
const NONE = { oidc: null, demo: [] };

/** Returns the configuration that is read where the service answers so, with the request for it. */
async function read(answer) {
  let asked;
  globalThis.fetch = async (...request) => {
    asked = request;
    return answer();
  };
  return [await fetchConfig(), asked];
}

test('the configuration is asked for anew each time, without a credential', async () => {
  const [config, asked] = await read(() => new Response('{"oidc":{"issuer":"https://id.example"}}'));
  assert.deepEqual(config, { ...NONE, oidc: { issuer: 'https://id.example' } });
  assert.deepEqual(asked, ['/app/config.json', { cache: 'no-cache', credentials: 'omit' }]);
});

test('an installation that says nothing has no provider and no demo users', async () => {
  const answers = [() => new Response('{"oidc":{}}', { status: 404 }), () => new Response('<html>'), () => { throw new TypeError('failed'); }];
  for (const answer of answers) assert.deepEqual((await read(answer))[0], NONE);
});
