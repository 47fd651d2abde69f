// Tests of signing in with OpenID Connect, against a provider of a few lines.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { beforeEach, test } from 'node:test';

import { load, storage as emptyStorage } from './load.mjs';

// A tab whose browser lets it store nothing is not sent away: it would not know the way back.
Object.defineProperty(globalThis, 'sessionStorage', { value: emptyStorage() });
const { Provider } = await load('oidc');
const { storage } = await load('storage');

const ISSUER = 'https://login.example.com';
const CLIENT = 'pages';
const PENDING = 'board-governance.sign-in';
const encoded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

let sent; // every request to the provider: address, form
let left; // where the page went
let metadata;
let claims; // of the next ID token, or null for none
let refused; // an error in place of tokens

beforeEach(() => {
  [sent, left, claims, refused] = [[], null, {}, null];
  storage.removeItem(PENDING);
  metadata = {
    issuer: ISSUER, authorization_endpoint: `${ISSUER}/authorize`, token_endpoint: `${ISSUER}/token`,
    revocation_endpoint: `${ISSUER}/revoke`, end_session_endpoint: `${ISSUER}/logout`,
    authorization_response_iss_parameter_supported: false,
  };
  globalThis.location = { origin: 'https://board.example.com', assign: (address) => (left = new URL(address)) };
  globalThis.fetch = async (address, options) => {
    const path = new URL(address).pathname;
    sent.push([path, new URLSearchParams(options.body ?? '')]);
    if (path.startsWith('/.well-known')) return Response.json(metadata);
    if (path === '/revoke') return new Response(null, { status: 200 });
    return refused ? Response.json(refused, { status: 400 }) : Response.json(tokens());
  };
});

function tokens() {
  const now = Math.floor(Date.now() / 1000);
  const all = { iss: ISSUER, aud: CLIENT, sub: 'ann', iat: now, exp: now + 300, ...claims };
  const idToken = `${encoded({ alg: 'RS256' })}.${encoded(all)}.c2ln`;
  return { access_token: 'a', token_type: 'bearer', refresh_token: 'r', ...(claims ? { id_token: idToken } : {}) };
}

const provider = () => new Provider({ issuer: ISSUER, clientId: CLIENT });

/** Leaves for the provider; returns what was kept, and the address that a good provider sends the person back to. */
async function begin() {
  await provider().leave();
  const pending = JSON.parse(storage.getItem(PENDING));
  claims = { nonce: pending.nonce };
  return { pending, back: new URL(`https://board.example.com/app/callback?code=c1&state=${pending.state}`) };
}

test('the way out names the client and asks for a code, bound to this tab by state, nonce and a challenge', async () => {
  const { pending } = await begin();
  const query = Object.fromEntries(left.searchParams);
  assert.equal(left.origin + left.pathname, `${ISSUER}/authorize`);
  assert.deepEqual(query, {
    client_id: CLIENT, redirect_uri: 'https://board.example.com/app/callback', response_type: 'code',
    scope: 'openid email profile offline_access', state: pending.state, nonce: pending.nonce, code_challenge_method: 'S256',
    code_challenge: createHash('sha256').update(pending.verifier).digest('base64url'),
  });
  assert.ok([pending.state, pending.nonce, pending.verifier].every((each) => each.length >= 43));
  assert.equal(left.href.includes(pending.verifier), false);
});

test('who signs in anew is asked who they are, even where the provider knows them', async () => {
  await provider().leave({ isAnew: true });
  assert.equal(left.searchParams.get('prompt'), 'login');
});

test('no two ways out have anything in common', async () => {
  const { pending: one } = await begin();
  const { pending: other } = await begin();
  for (const name of ['state', 'nonce', 'verifier']) assert.notEqual(one[name], other[name]);
});

test('only scopes that the provider knows are asked for', async () => {
  metadata.scopes_supported = ['openid', 'email'];
  await begin();
  assert.equal(left.searchParams.get('scope'), 'openid email');
});

test('the way back brings the ID token as the session', async () => {
  const { pending, back } = await begin();
  const { credential, stays } = await provider().comeBack(back);
  assert.equal(stays, true);
  assert.deepEqual([credential.refreshToken, credential.isByProvider, credential.token.split('.').length], ['r', true, 3]);
  const [, form] = sent.find(([path]) => path === '/token');
  assert.deepEqual([form.get('grant_type'), form.get('code'), form.get('code_verifier'), form.get('redirect_uri'), form.get('client_id')],
    ['authorization_code', 'c1', pending.verifier, 'https://board.example.com/app/callback', CLIENT]);
});

test('a way back with another state, or none, is refused before its code is used', async () => {
  for (const wrong of ['?code=c1&state=other', '?code=c1', '?code=c1&state=']) {
    await begin();
    sent.length = 0;
    await assert.rejects(provider().comeBack(new URL(wrong, 'https://board.example.com/app/callback')));
    assert.equal(sent.some(([path]) => path === '/token'), false, wrong);
  }
});

test('a way back that this tab did not begin is refused before its code is used, with or without a state', async () => {
  for (const address of ['?code=c1', '?code=c1&state=s']) {
    await assert.rejects(provider().comeBack(new URL(address, 'https://board.example.com/app/callback')), { status: 400 });
    assert.deepEqual(sent, []);
  }
});

test('a silent sign-in is tried once a tab, and brings nothing where the provider knows nobody', async () => {
  storage.removeItem('board-governance.silent');
  assert.deepEqual([await provider().leaveSilently(), await provider().leaveSilently()], [true, false]);
  assert.equal(JSON.parse(storage.getItem(PENDING)).isSilent, true);
  assert.equal(await provider().comeBack(new URL('https://board.example.com/app/callback?error=login_required')), null);
});

test('a way back works once', async () => {
  const { back } = await begin();
  await provider().comeBack(back);
  assert.equal(storage.getItem(PENDING), null);
  await assert.rejects(provider().comeBack(back), { status: 400 });
});

test('a way back that was refused works no second time either', async () => {
  const { back } = await begin();
  refused = { error: 'invalid_grant' };
  await assert.rejects(provider().comeBack(back));
  refused = null;
  await assert.rejects(provider().comeBack(back), { status: 400 });
});

test('an ID token of another sign-in, issuer or client, an expired one, or none at all is refused', async () => {
  const past = Math.floor(Date.now() / 1000) - 3600;
  const wrongs = [{ nonce: 'other' }, { nonce: undefined }, { iss: 'https://evil.example' }, { aud: 'other' }, { iat: past, exp: past + 60 }];
  for (const wrong of wrongs) {
    const { back } = await begin();
    claims = { ...claims, ...wrong };
    await assert.rejects(provider().comeBack(back), JSON.stringify(wrong));
  }
  const { back } = await begin();
  claims = null;
  await assert.rejects(provider().comeBack(back));
  assert.equal(sent.filter(([path]) => path === '/token').length, wrongs.length + 1);
});

test('a refresh token brings a new session, and stays where the provider gives no other', async () => {
  assert.deepEqual(Object.keys(await provider().renew('old')), ['token', 'refreshToken', 'isByProvider']);
  const [, form] = sent.find(([path]) => path === '/token');
  assert.deepEqual([form.get('grant_type'), form.get('refresh_token')], ['refresh_token', 'old']);
  const fetched = globalThis.fetch;
  globalThis.fetch = async (...given) => {
    const answer = await fetched(...given);
    if (!String(given[0]).endsWith('/token')) return answer;
    const { refresh_token: _, ...rest } = await answer.json();
    return Response.json(rest);
  };
  assert.equal((await provider().renew('old')).refreshToken, 'old');
  claims = null;
  assert.equal(await provider().renew('old'), null);
});

test('signing out revokes the refresh token and ends the provider’s session, where it can', async () => {
  assert.equal(await provider().signOut('r'), true);
  assert.deepEqual(sent.filter(([path]) => path === '/revoke').map(([, form]) => form.get('token')), ['r']);
  assert.deepEqual(Object.fromEntries(left.searchParams), { client_id: CLIENT, post_logout_redirect_uri: 'https://board.example.com/', logout_uri: 'https://board.example.com/' });
  [sent, left] = [[], null];
  assert.equal(await provider().signOut(null), true);
  assert.deepEqual(sent.filter(([path]) => path === '/revoke'), []);
  delete metadata.end_session_endpoint;
  delete metadata.revocation_endpoint;
  [sent, left] = [[], null];
  assert.deepEqual([await provider().signOut('r'), left, sent.length], [false, null, 1]);
});

test('a session ends here even where the provider refuses to revoke its token', async () => {
  const fetched = globalThis.fetch;
  globalThis.fetch = (address, options) => (String(address).endsWith('/revoke') ? Promise.reject(new TypeError('failed')) : fetched(address, options));
  assert.equal(await provider().signOut('r'), true);
});

test('a provider is spoken to over https, but for one on this machine', async () => {
  for (const issuer of ['http://login.example.com', 'http://127.0.0.1.example.com', 'http://localhost.example.com', 'http://not-localhost', 'ftp://localhost']) {
    await assert.rejects(new Provider({ issuer, clientId: CLIENT }).server());
  }
  assert.deepEqual(sent, []);
  for (const issuer of ['http://127.0.0.1:9000', 'http://localhost:9000', 'http://[::1]:9000']) {
    metadata.issuer = issuer;
    assert.equal((await new Provider({ issuer, clientId: CLIENT }).server()).issuer, issuer);
  }
});

test('the provider is asked once what it offers', async () => {
  const one = provider();
  await one.server();
  await one.server();
  assert.equal(sent.length, 1);
});
