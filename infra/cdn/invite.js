// The CDN's viewer-request function for /invite/* (runtime cloudfront-js-2.0): every link has the one page.
// Nothing here may import: the code is deployed as it stands.

const LINK = /^\/invite\/[^/.]+$/;

function handler(event) {
  const request = event.request;
  if (LINK.test(request.uri)) request.uri = '/invite/index.html';
  request.querystring = {};
  return request;
}
