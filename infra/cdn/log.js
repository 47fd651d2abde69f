// The CDN's viewer-request function for /log/* and /seal.pem (runtime cloudfront-js-2.0): the log that nobody can rewrite,
// and the certificates of the seals of minutes.
// It answers preflights, other methods, and paths that no file of a log can have; the bucket answers for files that are not
// there. The code is deployed as it is and may not import.

const FILE = /^\/(?:seal\.pem|log\/(checkpoint|key|predecessor|tile\/(entries|[0-9]|[1-5][0-9]|6[0-3])\/(x[0-9]{3}\/)*[0-9]{3}(\.p\/[1-9][0-9]{0,2})?))$/;
const METHODS = 'GET, HEAD, OPTIONS';

function answer(status, description, extra, error) {
  const headers = {
    'access-control-allow-origin': { value: '*' },
    'x-content-type-options': { value: 'nosniff' },
    'cache-control': { value: 'no-store' },
  };
  for (const name in extra) headers[name] = { value: extra[name] };
  const found = { statusCode: status, statusDescription: description, headers: headers };
  if (error === undefined) return found;
  headers['content-type'] = { value: 'application/json' };
  const whole = { code: error[0], message: error[1], status: status, requestId: null, details: null };
  found.body = { encoding: 'text', data: JSON.stringify({ error: whole }) };
  return found;
}

function handler(event) {
  const request = event.request;
  request.querystring = {};
  if (!FILE.test(request.uri)) return answer(404, 'Not Found', {}, ['RESOURCE_NOT_FOUND', 'No such resource.']);
  if (request.method === 'GET' || request.method === 'HEAD') return request;
  if (request.method === 'OPTIONS') {
    return answer(204, 'No Content', {
      'access-control-allow-methods': METHODS, 'access-control-allow-headers': '*', 'access-control-max-age': '86400',
    });
  }
  const reason = ['METHOD_NOT_ALLOWED', 'This path does not take this method.'];
  return answer(405, 'Method Not Allowed', { allow: METHODS }, reason);
}
