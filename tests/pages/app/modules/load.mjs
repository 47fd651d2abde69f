// Loads modules of the pages as they are built: PAGES_WEB names the folder that `python -m infra.pages.app.build` wrote.

import { pathToFileURL } from 'node:url';

// lit-html asks for these when it is loaded; nothing is rendered here.
globalThis.document ??= { createComment: () => ({}), createTreeWalker: () => ({}) };
for (const name of ['addEventListener', 'removeEventListener', 'requestAnimationFrame']) globalThis[name] ??= () => {};
globalThis.matchMedia ??= () => ({ matches: false, addEventListener() {}, removeEventListener() {} });

export const WEB = new URL(`${pathToFileURL(process.env.PAGES_WEB).href}/`);

/** Returns a module of a folder once there are texts, which the pages wait for too. */
export async function loadFrom(folder, name) {
  const { ready } = await import(new URL('lib/texts.js', WEB));
  await ready;
  return import(new URL(`${folder}/${name}.js`, WEB));
}

/** Returns a module of `lib/`. */
export const load = (name) => loadFrom('lib', name);

/** Returns an empty storage whose content is in `held`. */
export function storage() {
  const held = new Map();
  return { getItem: (key) => held.get(key) ?? null, setItem: (key, value) => held.set(key, value), removeItem: (key) => held.delete(key), held };
}
