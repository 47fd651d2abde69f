// The CDN's viewer-request function for the API (runtime cloudfront-js-2.0).
// It states the client's address in a header of our own, in place of whatever the client sent under that name: CloudFront
// forwards headers of the client, and adds its own only where a policy lists them. It sends a path with an encoded
// separator to a path that does not exist: API Gateway decodes paths before it routes them, so the path would become
// another one. Only the probe of an invite answers whatever stands in the place of the code: there the code becomes an
// unknown one. It drops the slash that the address of notifications ends with, because API Gateway has no routes that end
// so. A browser that asks for an address outside the API gets a page in each language, not the error envelope: it
// knows nobody's language, and one file serves all. The code is deployed as it is and may not import.

const ENCODED_SEPARATOR = /%(2f|5c|3f|23|00)/i;
const NOWHERE = '/-';
const PROBE = '/api/v1/invite/status/';
const WITH_SLASH = '/api/notification/';
const OF_API = /^\/(-|mcp|api|api\/.*|calendar\/.*|guest\/.*)$/;
const HTML = /^[^;]*text\/html/i; // named before any preference is stated, as browsers do
const PAGE = '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
  + '<title>No such page</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/docs/guide.css"><main><h1>There is no such page</h1>'
  + '<p>The address may be mistyped or incomplete.</p><p><a href="/">To the start</a></p>'
  + '<section lang="de"><h2>Diese Seite gibt es nicht</h2><p>Vielleicht ist die Adresse falsch geschrieben oder unvollst&auml;ndig.</p>'
  + '<p><a href="/">Zum Anfang</a></p></section></main></html>';
const POLICY = "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function isForPerson(request) {
  const accept = request.headers.accept;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  return isRead && !OF_API.test(request.uri) && accept !== undefined && HTML.test(accept.value) && !/json/i.test(accept.value);
}

function page() {
  return {
    statusCode: 404,
    statusDescription: 'Not Found',
    headers: {
      'content-type': { value: 'text/html; charset=utf-8' }, 'cache-control': { value: 'no-store' },
      'content-security-policy': { value: POLICY }, 'referrer-policy': { value: 'no-referrer' },
    },
    body: { encoding: 'text', data: PAGE },
  };
}

function handler(event) {
  const request = event.request;
  if (isForPerson(request)) return page();
  request.headers['x-viewer-address'] = { value: event.viewer.ip };
  if (ENCODED_SEPARATOR.test(request.uri)) request.uri = request.uri.startsWith(PROBE) ? PROBE + '-' : NOWHERE;
  if (request.uri === WITH_SLASH) request.uri = WITH_SLASH.slice(0, -1);
  return request;
}
