// Runs an edge function as it is deployed: a script whose `handler` is called with an event. A store with the given values
// replaces the runtime's own module; as there, an absent key is an error.

import { readFileSync } from 'node:fs';
import vm from 'node:vm';

const IMPORT = /^import cf from 'cloudfront';$/m;

export const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');

export function load(code, values = {}) {
  const asked = [];
  const get = async (key) => {
    asked.push(key);
    if (!Object.hasOwn(values, key)) throw new Error(`no key ${key}`);
    return values[key];
  };
  const handler = vm.runInNewContext(`${code.replace(IMPORT, '')}; handler`, { cf: { kvs: () => ({ get }) } });
  return { asked, handler };
}

export function request(path, { method = 'GET', headers = {} } = {}) {
  const values = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value }]));
  return { version: '1.0', request: { method, uri: path, querystring: {}, headers: values, cookies: {} } };
}
