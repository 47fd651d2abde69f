// The CDN's viewer-request function for the API (runtime cloudfront-js-2.0): the API decodes paths before it routes
// them, so a path with an encoded separator, which would come to mean another, is sent where nothing is.
// Nothing here may import: the code is deployed as it stands.

const ENCODED_SEPARATOR = /%(2f|5c|3f|23|00)/i;
const NOWHERE = '/-';

function handler(event) {
  const request = event.request;
  if (ENCODED_SEPARATOR.test(request.uri)) request.uri = NOWHERE;
  return request;
}
