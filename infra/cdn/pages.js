// The CDN's viewer-request function for /docs, /openapi.json and /invite/* (runtime cloudfront-js-2.0).
// It answers every invite link with the same page, and unknown paths in the error envelope, where the bucket would answer
// in XML. The code is deployed as it is and may not import.

const LINK = /^\/invite\/[^/.]+$/;
const FILES = [
  '/openapi.json',
  '/docs/index.html', '/docs/docs.js', '/docs/favicon-32x32.png', '/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css',
  '/docs/webhooks.html', '/docs/guide.css',
  '/invite/index.html', '/invite/invite.css', '/invite/invite.js',
];

function object(uri) {
  if (uri === '/docs' || uri === '/docs/') return '/docs/index.html';
  return LINK.test(uri) ? '/invite/index.html' : uri;
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
  return isRead && FILES.indexOf(request.uri) >= 0 ? request : absent();
}
