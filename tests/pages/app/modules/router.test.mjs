// Tests of addresses of views.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import { load } from './load.mjs';

const { Router, match } = await load('router');
const ORIGIN = 'https://board.example.com';
const ROUTES = [{ path: '/boards' }, { path: '/boards/:boardId' }];

let listeners;
let entries; // what the history was told: [method, state, address]
let gone; // where the browser went itself
let opened;

beforeEach(() => {
  [listeners, entries, gone, opened] = [{}, [], [], []];
  const note = (method) => (state, _, address) => {
    entries.push([method, state, address]);
    globalThis.history.state = state;
  };
  globalThis.history = { state: null, pushState: note('push'), replaceState: note('replace') };
  globalThis.location = { origin: ORIGIN, pathname: '/boards', assign: (address) => gone.push(['assign', address]), replace: (address) => gone.push(['replace', address]) };
  globalThis.scrollY = 120;
  globalThis.addEventListener = (name, listener) => (listeners[name] = listener);
  globalThis.document.addEventListener = globalThis.addEventListener;
});

function started() {
  const router = new Router(ROUTES, (scroll) => opened.push(scroll));
  router.start();
  return router;
}

/** A click on a link; returns whether the pages took it. */
function click(href, more = {}) {
  let isTaken = false;
  const { target = '', ...event } = more;
  const link = { ...pick(new URL(href, ORIGIN)), target };
  listeners.click({ target: { closest: (selector) => (selector === 'a[href]' ? link : null) }, button: 0, metaKey: false, ctrlKey: false, shiftKey: false, altKey: false, defaultPrevented: false, preventDefault: () => (isTaken = true), ...event });
  return isTaken;
}

const pick = ({ origin, pathname, search, hash }) => ({ origin, pathname, search, hash });

test('addresses lead to their views', () => {
  const routes = ['/', '/boards', '/boards/:boardId', '/boards/:boardId/meetings/:meetingId'].map((path) => ({ path }));
  const at = (path) => match(routes, path);
  assert.equal(at('/').route.path, '/');
  assert.equal(at('/boards/').route.path, '/boards');
  assert.deepEqual(at('/boards/b1/meetings/m%201').params, { boardId: 'b1', meetingId: 'm 1' });
  assert.equal(at('/boards/b1/meetings'), null);
  assert.equal(at('/boards/%E0%A4%A'), null);
  assert.equal(at('/boards//meetings/m'), null);
});

test('a link to a view opens it without the browser, and remembers where the page was left', () => {
  started();
  assert.equal(click('/boards/b1?status=draft'), true);
  assert.deepEqual(entries, [['replace', { scroll: 120 }, undefined], ['push', {}, '/boards/b1?status=draft']]);
  assert.deepEqual(opened, [0, 0]);
});

test('a link to the view that is open, or to a place in another view, is taken too', () => {
  started();
  assert.equal(click('/boards'), true);
  assert.equal(click('/boards/b1#times'), true);
});

test('a click that hits no element changes nothing', () => {
  started();
  listeners.click({ target: {}, button: 0 });
  assert.deepEqual(entries, []);
});

test('a link of another host, of no view, to a place on the page, or for another tab is the browser’s', () => {
  started();
  assert.equal(click('https://evil.example/boards/b1'), false);
  assert.equal(click('/docs'), false);
  assert.equal(click('/boards#main'), false);
  assert.equal(click('/boards/b1', { target: '_blank' }), false);
  for (const key of ['metaKey', 'ctrlKey', 'shiftKey', 'altKey', 'defaultPrevented']) assert.equal(click('/boards/b1', { [key]: true }), false, key);
  assert.equal(click('/boards/b1', { button: 1 }), false);
  listeners.click({ target: { closest: () => null }, button: 0 });
  assert.deepEqual([opened, entries], [[0], []]);
});

test('an address of no view is the browser’s to open, in place of this one where asked', () => {
  const router = started();
  router.go('/docs');
  router.go('/docs', { replace: true });
  assert.deepEqual(gone, [['assign', '/docs'], ['replace', '/docs']]);
  router.go('/boards/b1', { replace: true });
  assert.deepEqual(entries.at(-1), ['replace', {}, '/boards/b1']);
});

test('back opens the view at the place where it was left', () => {
  globalThis.history.state = { scroll: 40 };
  started();
  assert.equal(globalThis.history.scrollRestoration, 'manual');
  listeners.popstate({ state: { scroll: 300 } });
  listeners.popstate({ state: null });
  assert.deepEqual(opened, [40, 300, 0]);
  listeners.pagehide();
  assert.deepEqual(entries, [['replace', { scroll: 120 }, undefined]].map(([method, state, address]) => [method, { scroll: 120, ...state }, address]));
});

test('a filter changes the query in place, and an empty one leaves none', () => {
  const router = started();
  router.query({ status: 'draft', all: '' });
  router.query({ status: '' });
  assert.deepEqual(entries.map(([method, , address]) => [method, address]), [['replace', '/boards?status=draft'], ['replace', '/boards']]);
  assert.deepEqual(opened, [0]);
});
