// Tests of the credential of a tab.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load, storage } from './load.mjs';

const { Session } = await load('session');
const { MemoryStorage, storageOf } = await load('storage');

test('signing out leaves nothing in the storage', () => {
  const kept = storage();
  const session = new Session(kept);
  session.hold({ token: 't' });
  assert.equal(new Session(kept).token, 't');
  session.forget();
  assert.equal(kept.held.size, 0);
});

test('a tab whose browser blocks storage keeps its credential until it is left', () => {
  const refuse = () => { throw new Error('Access is denied'); };
  const full = { getItem: () => null, setItem: refuse, removeItem: () => {} };
  for (const view of [{ get sessionStorage() { return refuse(); } }, { sessionStorage: full }, {}]) {
    const kept = storageOf(view);
    assert.ok(kept instanceof MemoryStorage);
    new Session(kept).hold({ token: 't' });
    assert.equal(new Session(kept).token, 't');
    kept.removeItem('board-governance.session');
    assert.equal(new Session(kept).token, null);
  }
  const real = storage();
  assert.equal(storageOf({ sessionStorage: real }), real);
  assert.equal(real.held.size, 0);
});

test('a new credential is told, a renewed one is kept without a word, and both last in the tab', async () => {
  const kept = storage();
  let changes = 0;
  const session = new Session(kept, () => (changes += 1));
  session.hold({ token: 'a', refreshToken: 'r', isByProvider: true });
  assert.deepEqual([changes, session.refreshToken, session.isByProvider], [1, 'r', true]);
  session.renewBy(async (refreshToken) => ({ token: `of ${refreshToken}`, refreshToken: 'r2', isByProvider: true }));
  assert.equal(await session.renew(), true);
  assert.deepEqual([changes, session.token, new Session(kept).token, new Session(kept).refreshToken], [1, 'of r', 'of r', 'r2']);
  session.forget();
  assert.deepEqual([changes, session.token, session.refreshToken, session.isByProvider], [2, null, null, false]);
});

test('who stays signed in is so in every tab, until one of them signs out', () => {
  const device = storage();
  const told = [];
  const [first, second, own] = ['first', 'second', 'own'].map((name) => new Session(storage(), () => told.push(name), device));
  own.hold({ token: 'pasted' });
  first.hold({ token: 't' }, { stays: true });
  [second, own].forEach((each) => each.follow());
  assert.deepEqual([new Session(storage(), () => {}, device).token, second.token, own.token], ['t', 't', 'pasted']);
  second.forget();
  [first, own].forEach((each) => each.follow());
  assert.deepEqual([first.token, own.token, device.held.size], [null, 'pasted', 0]);
  assert.deepEqual(told, ['own', 'first', 'second', 'second', 'first']);
});

test('a credential for one tab is not kept on the device', () => {
  const device = storage();
  new Session(storage(), () => {}, device).hold({ token: 't' });
  assert.equal(device.held.size, 0);
});

test('a tab takes over what another tab has renewed', async () => {
  const device = storage();
  const [first, second] = [1, 2].map(() => new Session(storage(), () => {}, device));
  first.hold({ token: 'a', refreshToken: 'r' }, { stays: true });
  second.follow();
  const asked = [];
  for (const each of [first, second]) each.renewBy(async (refreshToken) => asked.push(refreshToken) && { token: 'b', refreshToken: 's' });
  assert.deepEqual([await first.renew(), await second.renew(), second.token, asked], [true, true, 'b', ['r']]);
});

test('only a credential with a refresh token, and a provider, can be renewed', () => {
  const session = new Session(storage());
  session.hold({ token: 'a', refreshToken: 'r' });
  assert.equal(session.canRenew, false);
  session.renewBy(async () => null);
  assert.equal(session.canRenew, true);
  session.hold({ token: 'pasted' });
  assert.equal(session.canRenew, false);
});

test('a renewal that fails keeps the credential, and the next refusal tries again', async () => {
  const session = new Session(storage());
  session.hold({ token: 'a', refreshToken: 'r' });
  const outcomes = [async () => { throw new Error('down'); }, async () => null, async () => ({ token: 'b' })];
  session.renewBy(() => outcomes.shift()());
  assert.deepEqual([await session.renew(), session.token], [false, 'a']);
  assert.deepEqual([await session.renew(), session.token], [false, 'a']);
  assert.deepEqual([await session.renew(), session.token], [true, 'b']);
});

test('a renewal that ends after its session did signs nobody in again', async () => {
  for (const [leave, token] of [[(session) => session.forget(), null], [(session) => session.hold({ token: 'other' }), 'other']]) {
    const kept = storage();
    const session = new Session(kept);
    session.hold({ token: 'a', refreshToken: 'r' });
    let end;
    session.renewBy(() => new Promise((resolve) => { end = resolve; }));
    const renewal = session.renew();
    leave(session);
    end({ token: 'late', refreshToken: 'r2' });
    assert.deepEqual([await renewal, session.token, new Session(kept).token], [false, token, token]);
  }
});

test('what another page left in the storage signs nobody in', () => {
  const kept = storage();
  kept.setItem('board-governance.session', '{broken');
  assert.equal(new Session(kept).token, null);
});

test('a page that comes back from the browser’s cache holds what is kept by then, and says whether that is another', () => {
  const [tab, device] = [storage(), storage()];
  const cached = new Session(tab, () => {}, device);
  cached.hold({ token: 'ofTab' });
  assert.deepEqual([cached.recall(), cached.token], [false, 'ofTab']);
  new Session(tab, () => {}, device).forget();
  assert.deepEqual([cached.recall(), cached.token], [true, null]);
  new Session(storage(), () => {}, device).hold({ token: 'ofDevice' }, { stays: true });
  assert.deepEqual([cached.recall(), cached.token, cached.stays], [true, 'ofDevice', true]);
  new Session(storage(), () => {}, device).hold({ token: 'another' }, { stays: true });
  assert.deepEqual([cached.recall(), cached.token], [true, 'another']);
  assert.equal(cached.recall(), false);
});
