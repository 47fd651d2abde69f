// The operations of the API as addresses. `openapi.js` is made from the OpenAPI document when the pages are built.

import { OPERATIONS } from './openapi.js';

/** Returns the method and the address of an operation, its parameters filled in. */
export function request(name, params = {}, query = {}) {
  const operation = OPERATIONS[name];
  if (!operation) throw new TypeError(`No such operation: ${name}`);
  const [method, template] = operation;
  const path = template.replace(/\{(\w+)\}/g, (_, key) => {
    if (params[key] === undefined) throw new TypeError(`${name} needs ${key}`);
    return encodeURIComponent(params[key]);
  });
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const search = new URLSearchParams(given).toString();
  return { method, address: search ? `${path}?${search}` : path };
}
