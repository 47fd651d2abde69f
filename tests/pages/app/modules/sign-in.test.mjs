// Tests of what happens around a sign-in: where it leads, and windows that sign in for another.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import { load, storage as emptyStorage } from './load.mjs';
import { bound, settled } from './rendered.mjs';

// A tab whose browser lets it store nothing opens no window to sign in.
Object.defineProperty(globalThis, 'sessionStorage', { value: emptyStorage() });
const { SignIn, handOver } = await load('sign-in');
const { returnAddress } = await load('router');
const { storage } = await load('storage');
const RETURN = 'board-governance.return';
const HANDOVER = 'board-governance.handover';

let posted;
let isClosed;

beforeEach(() => {
  [posted, isClosed] = [[], false];
  for (const key of [RETURN, HANDOVER]) storage.removeItem(key);
  globalThis.BroadcastChannel = class {
    constructor(name) {
      this.name = name;
    }

    postMessage(message) {
      posted.push([this.name, message]);
    }

    close() {}
  };
  globalThis.close = () => (isClosed = true);
});

test('signing in leads back to the page that was wanted, once', () => {
  storage.setItem(RETURN, '/boards/b1/meetings?status=draft');
  assert.equal(returnAddress(), '/boards/b1/meetings?status=draft');
  assert.equal(returnAddress(), '/app/for-you');
});

test('signing in never leads to another host', () => {
  for (const kept of ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)', 'boards', '']) {
    storage.setItem(RETURN, kept);
    assert.equal(returnAddress(), '/app/for-you', kept);
  }
  storage.setItem(RETURN, '/');
  assert.equal(returnAddress(), '/');
});

test('a window that signs in for another hands the credential over once, and closes', () => {
  storage.setItem(HANDOVER, 'channel-1');
  assert.equal(handOver({ token: 't' }), true);
  assert.deepEqual([posted, isClosed, storage.getItem(HANDOVER)], [[['channel-1', { token: 't' }]], true, null]);
  assert.equal(handOver({ token: 't' }), false);
  assert.equal(posted.length, 1);
});

for (const [popup, name] of [[{}, 'is open'], [null, 'the browser did not open']]) {
  test(`a tab whose window for the sign-in ${name} hands nothing over itself, and goes on where it signs in next`, async () => {
    let known;
    globalThis.open = () => {
      known = storage.getItem(HANDOVER); // a new window begins with a copy of the storage
      return popup;
    };
    const config = { isReady: true, data: { oidc: {}, demo: [] } };
    const signIn = new SignIn({ config, update() {} }, { done() {}, isInPlace: true });
    bound(signIn.render(), '@click')[0]();
    await settled();
    assert.match(known, /^[-\da-f]{36}$/);
    assert.equal(handOver({ token: 't' }), false);
    assert.deepEqual([posted, isClosed], [[], false]);
  });
}

test('a window that signs in anew for another leaves for the provider with that, once', async () => {
  const left = [];
  const app = { config: { isReady: true, data: { oidc: {}, demo: [] } }, update() {}, provider: async () => ({ leave: async (how) => left.push(how) }) };
  for (const isAnew of [true, false]) {
    globalThis.open = () => {
      new SignIn(app, { done() {} }).passOn(); // a new window begins with a copy of the storage
      return {};
    };
    bound(new SignIn(app, { done() {}, isInPlace: true, isAnew }).render(), '@click')[0]();
    await settled();
  }
  assert.deepEqual(left, [{ stays: true, isAnew: true }, { stays: true, isAnew: false }]);
});

test('a window of its own keeps its credential', () => {
  assert.equal(handOver({ token: 't' }), false);
  assert.deepEqual([posted, isClosed], [[], false]);
});
