// Tests of loading the scripts of a room at once.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const { preload } = await load('preload');

test('each script that a room needs is asked for once, and nothing for a room that is not known', () => {
  const links = [];
  const dataset = { rooms: '{"home": ["/app/1/rooms/home.js"], "root": ["/app/1/rooms/root.js", "/app/1/parts/voting.js"], "other": ["/app/1/parts/voting.js"]}' };
  Object.assign(globalThis.document, { createElement: (name) => ({ name }), head: { append: (link) => links.push(link) }, querySelector: () => ({ dataset }) });
  for (const room of ['root', 'root', 'other', undefined, 'no-room']) preload(room);
  assert.deepEqual(links, ['/app/1/rooms/root.js', '/app/1/parts/voting.js'].map((href) => ({ name: 'link', rel: 'modulepreload', href })));
});
