// The CDN's viewer-response function for /api/ontology* (runtime cloudfront-js-2.0).
// It adds `Vary: Accept-Encoding`, which S3 cannot, and shortens the cache time of paths that follow the pointer. The
// objects themselves are immutable, which is right only for the address of a version or of a page.

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
