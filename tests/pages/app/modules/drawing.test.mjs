// A page is drawn for one reader: where somebody else is signed in by now, it begins anew.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import './dom.mjs';
import { load, WEB } from './load.mjs';
import { settled } from './screen.mjs';

document.body.innerHTML = '<header id="top"></header><main id="main"></main>';
document.body.dataset.view = 'board';
const { html } = await load('ui');
const { Resource } = await load('state');
const { Drawing } = await import(new URL('drawing.js', WEB));
const main = document.getElementById('main');

let reloads = 0;
let app = null;
Object.defineProperty(globalThis, 'location', { value: { pathname: '/boards', reload: () => { reloads += 1; } } });

const known = (userId) => ({ data: { userId, authType: 'jwt' }, isLoading: false, problem: null });

async function draw(whoami) {
  app.whoami = whoami;
  app.drawing.update();
  await settled();
}

beforeEach(() => {
  reloads = 0;
  const caller = new Resource(async () => null, () => {});
  const session = { token: 't' };
  app = { session, caller, view: { title: '', render: () => html`<form class="form" data-draft="typed"><p>Of the first</p></form>` }, route: { name: 'board' }, shown: [], resources: [], access: { isBusy: false, may: () => true }, config: {}, listen() {}, speak() {}, update() {} };
  delete main['_$litPart$']; // lit-html knows what it drew there
  app.drawing = new Drawing(app);
  app.drawing.begin(0);
});

test('a page on which somebody else signed in shows nothing of who was there, asks nothing and begins anew', async () => {
  await draw(known('first'));
  assert.match(main.textContent, /Of the first/);
  await draw(known('second'));
  assert.equal(reloads, 1);
  assert.equal(main.querySelector('form'), null);
});

test('a page stays as it is while it is not known who reads, and where the same person is signed in again', async () => {
  await draw(known('first'));
  for (const whoami of [{ isLoading: true }, known('first')]) await draw(whoami);
  assert.equal(reloads, 0);
  assert.match(main.textContent, /Of the first/);
});

test('who signs in after somebody signed out begins on the page that is there', async () => {
  await draw(known('first'));
  for (const whoami of [null, known('second'), known('second')]) await draw(whoami);
  assert.equal(reloads, 0);
});

test('a board’s token is a reader of its own', async () => {
  await draw(known('first'));
  await draw(known(null));
  assert.equal(reloads, 1);
});
