// The CDN's viewer-request function for /docs, /openapi.json, /asyncapi.json and /arazzo (runtime cloudfront-js-2.0).
// It answers unknown paths in the error envelope, where the bucket would answer in XML; a browser gets the page of the app, which
// says that there is no such page. The code is deployed as it is and may not import.

const FILES = [
  '/openapi.json', '/asyncapi.json',
  '/arazzo/agenda-papers-pack.arazzo.json', '/arazzo/agent-with-a-board-token.arazzo.json', '/arazzo/audit-proof.arazzo.json',
  '/arazzo/export.arazzo.json', '/arazzo/figures-and-flags.arazzo.json', '/arazzo/first-board.arazzo.json',
  '/arazzo/minutes-to-book.arazzo.json', '/arazzo/minutes.arazzo.json',
  '/arazzo/paper-request.arazzo.json', '/arazzo/people-merged.arazzo.json',
  '/arazzo/reporting-cycle.arazzo.json', '/arazzo/resolution-to-certificate.arazzo.json', '/arazzo/series.arazzo.json', '/arazzo/vote-on-a-time.arazzo.json',
  '/arazzo/webhook-subscription.arazzo.json',
  '/docs/index.html', '/docs/docs.js', '/docs/more.js', '/docs/samples.js', '/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css',
  '/docs/calendars.html', '/docs/live.html', '/docs/webhooks.html', '/docs/guide.css', '/docs/reference.css',
];

const PAGE = '/app/index.html';

function isForPerson(request) {
  const accept = request.headers.accept;
  return accept !== undefined && /^[^;]*text\/html/i.test(accept.value) && !/json/i.test(accept.value);
}

function object(uri) {
  return uri === '/docs' || uri === '/docs/' ? '/docs/index.html' : uri;
}

function absent() {
  const error = {
    code: 'RESOURCE_NOT_FOUND', message: 'No such resource.', status: 404, requestId: null, details: null,
  };
  return {
    statusCode: 404,
    statusDescription: 'Not Found',
    headers: { 'content-type': { value: 'application/json' }, 'cache-control': { value: 'no-store' } },
    body: { encoding: 'text', data: JSON.stringify({ error: error }) },
  };
}

function handler(event) {
  const request = event.request;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  request.uri = object(request.uri);
  request.querystring = {};
  const isFile = FILES.indexOf(request.uri) >= 0;
  if (!isFile && isForPerson(request)) request.uri = PAGE;
  return isRead && (isFile || request.uri === PAGE) ? request : absent();
}
