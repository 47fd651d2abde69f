// The CDN's viewer-response function for /api/ontology* (runtime cloudfront-js-2.0). Which sibling answers depends on what
// the client accepts, and S3 cannot say so. The objects say that they never change, which holds for an address of a
// version or of a page; a path that the pointer led there may be kept for a while only.

const OWN_ADDRESS = /^\/api\/ontology\/(v|browse\/[0-9a-f]+)\/./;
const CURRENT = 'public, max-age=300, s-maxage=86400, stale-while-revalidate=86400';

function handler(event) {
  const request = event.request;
  const response = event.response;
  const isCurrent = request.headers['x-catalog-current'] || !OWN_ADDRESS.test(request.uri);
  response.headers.vary = { value: 'Accept-Encoding' };
  if (isCurrent) response.headers['cache-control'] = { value: CURRENT };
  return response;
}
