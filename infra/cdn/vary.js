// The CDN's viewer-response function for /api/ontology* (runtime cloudfront-js-2.0): which sibling answers depends on
// what the client accepts, and S3 cannot say so.

function handler(event) {
  const response = event.response;
  response.headers.vary = { value: 'Accept-Encoding' };
  return response;
}
