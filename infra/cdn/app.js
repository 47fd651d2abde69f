// The CDN's viewer-request function for /, /app/*, /boards* and /guest/* (runtime cloudfront-js-2.0).
// It answers every view of the pages with the same page, and unknown paths in the error envelope, where the bucket would
// answer in XML. The code is deployed as it is and may not import.

const VIEW = /^(\/|\/app\/(sign-in|callback|notifications|action-items|account)|\/boards(\/[^.]*)?|\/guest\/[^/.]+)$/;
const ASSET = /^\/app\/[0-9a-f]{16}\/[\w./-]+\.(css|js)$/;
const CONFIG = '/app/config.json';
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

function handler(event) {
  const request = event.request;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (VIEW.test(request.uri)) request.uri = PAGE;
  request.querystring = {};
  const isKnown = request.uri === PAGE || request.uri === CONFIG || ASSET.test(request.uri);
  return isRead && isKnown ? request : absent();
}
