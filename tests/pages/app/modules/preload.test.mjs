// Tests of loading the modules of a view at once.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { WEB, load } from './load.mjs';

const { NEEDS } = await load('needs');
const { preload } = await load('preload');

test('each module that a view needs is asked for once, and nothing for a view that is not known', () => {
  const links = [];
  Object.assign(globalThis.document, { createElement: (name) => ({ name }), head: { append: (link) => links.push(link) } });
  const [[view, modules]] = Object.entries(NEEDS).filter(([, names]) => names.length > 1);
  for (const name of [view, view, 'no-view']) preload(name);
  assert.deepEqual(links, modules.map((path) => ({ name: 'link', rel: 'modulepreload', href: new URL(path, WEB).href })));
});
