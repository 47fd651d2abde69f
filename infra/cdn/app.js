// The CDN's viewer-request function for /, /app/*, /boards*, /guest/*, /invite/*, /paper/* and /unsubscribe/* (runtime
// cloudfront-js-2.0). It answers every view of the pages with the same page, and unknown paths in the error envelope, where the
// bucket would answer in XML. The code is deployed as it is and may not import.

const VIEW = /^(\/|\/app\/(sign-in|callback|for-you|notifications|action-items|account)|\/boards(\/[^.]*)?|\/(guest|invite|paper|unsubscribe)\/[^/.]+)$/;
const ASSET = /^\/app\/[0-9a-f]{16}\/[\w./-]+\.(css|js|png|svg|txt|woff2)$/;
const FILES = ['/app/config.json', '/app/figtree.woff2'];
const PAGE = '/app/index.html';

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

// A browser that follows a mistyped address gets the page too, which says that there is no such view.
function isForPerson(request) {
  const accept = request.headers.accept;
  return accept !== undefined && /^[^;]*text\/html/i.test(accept.value) && !/json/i.test(accept.value);
}

function handler(event) {
  const request = event.request;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const isFile = FILES.includes(request.uri) || ASSET.test(request.uri);
  if (VIEW.test(request.uri) || (isRead && !isFile && isForPerson(request))) request.uri = PAGE;
  request.querystring = {};
  return isRead && (isFile || request.uri === PAGE) ? request : absent();
}
