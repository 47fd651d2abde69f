// The CDN's viewer-request function for the API (runtime cloudfront-js-2.0).
// It states the client's address in a header of our own, in place of whatever the client sent under that name: CloudFront
// forwards headers of the client, and adds its own only where a policy lists them. It sends a path with an encoded
// separator to a path that does not exist: API Gateway decodes paths before it routes them, so the path would become
// another one. The code is deployed as it is and may not import.

const ENCODED_SEPARATOR = /%(2f|5c|3f|23|00)/i;
const NOWHERE = '/-';

function handler(event) {
  const request = event.request;
  request.headers['x-viewer-address'] = { value: event.viewer.ip };
  if (ENCODED_SEPARATOR.test(request.uri)) request.uri = NOWHERE;
  return request;
}
