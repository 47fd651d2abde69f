// The CDN's viewer-request function for /api/ontology* (runtime cloudfront-js-2.0).
// It maps a path to the object that answers it, picks the compressed sibling that the client accepts, and answers
// unknown paths, other methods and preflights itself. It reads the published releases from the key-value store once per
// request, so an answer comes from one release. The cache's key is the rewritten path, so it follows the pointer at once.

import cf from 'cloudfront';

// The records that each version added, oldest version first; written by `boardctl catalog release`.
// released: begin
const RELEASED = {
  "1.0.0": {
    finance: "revenue cost-of-revenue gross-profit gross-margin operating-expenses total-expenses net-income ebitda cash-balance net-burn gross-burn runway operating-cash-flow free-cash-flow free-cash-flow-margin revenue-growth rule-of-40 burn-multiple current-ratio days-sales-outstanding budget-variance liquid-reserves operating-reserve-months",
    revenue: "new-mrr expansion-mrr contraction-mrr churned-mrr mrr arr net-new-arr net-revenue-retention gross-revenue-retention average-revenue-per-account quick-ratio revenue-concentration deferred-revenue earned-income-share",
    sales: "pipeline-value pipeline-coverage bookings deals-won win-rate average-deal-size sales-cycle-length sales-velocity sales-and-marketing-spend customer-acquisition-cost cac-payback quota-attainment magic-number",
    customers: "active-customers new-customers lost-customers customer-churn-rate customer-retention-rate customer-lifetime customer-lifetime-value ltv-to-cac net-promoter-score customer-satisfaction first-response-time renewal-rate revenue-at-risk",
    product: "daily-active-users monthly-active-users stickiness activation-rate trial-conversion day-30-retention feature-adoption uptime deployment-frequency change-failure-rate time-to-restore hosting-cost-per-user",
    people: "headcount average-headcount employee-turnover voluntary-turnover time-to-hire offer-acceptance-rate employee-net-promoter-score revenue-per-employee payroll-cost payroll-share leadership-gender-balance gender-pay-gap absence-rate volunteer-hours volunteer-retention-rate",
    fundraising: "capital-raised round-size pre-money-valuation post-money-valuation round-dilution fully-diluted-shares price-per-share founder-ownership option-pool-share valuation-step-up arr-multiple capital-efficiency round-commitment",
    giving: "contributed-revenue gifts donors average-gift new-donors donor-retention-rate new-donor-retention-rate recurring-giving-share fundraising-expenses cost-to-raise-a-dollar donor-acquisition-cost donor-lifetime-value donor-concentration grant-success-rate giving-growth",
    programs: "people-served program-expenses program-expense-ratio administrative-expense-ratio cost-per-participant outcomes-achieved outcome-rate cost-per-outcome completion-rate participant-satisfaction capacity-utilization priority-group-reach",
    governance: "board-seats board-members board-vacancy-rate meeting-attendance board-independence board-gender-balance average-board-tenure board-pack-lead-time minutes-turnaround action-item-completion overdue-action-items conflict-declarations policy-currency audit-finding-closure board-giving-rate",
  },
  "1.1.0": {
  },
  "1.1.1": {
  },
};
// released: end

const ROOT = '/api/ontology';
const OWN_ADDRESS = /^\/api\/ontology\/(v|browse\/[0-9a-f]+)\/./; // of a version or a page: its answer never changes
const LISTS = ['index', 'search', 'schema', 'changelog'];
const PAGE = ['index.html', 'browse.css', 'browse.js', 'record.js', 'expression.js', 'kpi-search.js', 'search.js'];
const METHODS = 'GET, HEAD, OPTIONS';

function header(value) {
  return { value: value };
}

function headers(extra) {
  const all = {
    'access-control-allow-origin': header('*'),
    'x-content-type-options': header('nosniff'),
    'cache-control': header('no-store'),
  };
  for (const name in extra) all[name] = header(extra[name]);
  return all;
}

function failure(status, description, code, message, extra) {
  const error = { code: code, message: message, status: status, requestId: null, details: null };
  const more = Object.assign({ 'content-type': 'application/json' }, extra);
  return {
    statusCode: status,
    statusDescription: description,
    headers: headers(more),
    body: { encoding: 'text', data: JSON.stringify({ error: error }) },
  };
}

function preflight() {
  return {
    statusCode: 204,
    statusDescription: 'No Content',
    headers: headers({
      'allow': METHODS,
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': '*',
      'access-control-max-age': '86400',
    }),
  };
}

function has(table, name) {
  return Object.prototype.hasOwnProperty.call(table, name);
}

// Returns what is published, the current release first, from '1.1.0/<page> 1.0.0/<page>'. It omits a version that this
// code does not know yet: readers keep the previous release until the function is updated. Empty if nothing is published.
async function publications() {
  try {
    const text = await cf.kvs().get('publications');
    const all = text.split(' ').map(function (entry) { return entry.split('/'); });
    return all.filter(function (entry) { return has(RELEASED, entry[0]); });
  } catch (error) {
    return [];
  }
}

// Returns whether a version has the domain or, with a slug, its record.
function isReleased(version, domain, slug) {
  for (const each in RELEASED) {
    const slugs = has(RELEASED[each], domain) ? RELEASED[each][domain].split(' ') : [];
    if (slug ? slugs.indexOf(slug) >= 0 : slugs.length > 0) return true;
    if (each === version) return false;
  }
  return false;
}

// Returns the object of a version's file, or null: '' is the index, '/finance.json' a domain.
function file(version, path, published) {
  if (!published.some(function (each) { return each[0] === version; })) return null;
  if (path === '' || path === '/') path = '/index.json';
  const match = /^\/([a-z]+)(?:\/([a-z0-9-]+))?\.json$/.exec(path);
  if (!match) return null;
  const isList = !match[2] && LISTS.indexOf(match[1]) >= 0;
  return isList || isReleased(version, match[1], match[2]) ? ROOT + '/v/' + version + path : null;
}

// Returns the uncompressed object that answers a path now, or null.
function object(uri, published) {
  if (published.length === 0) return null;
  const path = uri.slice(ROOT.length);
  if (path === '/browse' || path === '/browse/') return ROOT + '/browse/' + published[0][1] + '/index.html';
  const page = /^\/browse\/([0-9a-f]+)\/(.+)$/.exec(path);
  if (page) {
    const isKnown = published.some(function (each) { return each[1] === page[1]; });
    return isKnown && PAGE.indexOf(page[2]) >= 0 ? uri : null;
  }
  const match = /^\/v\/([0-9.]+)(\/.*)?$/.exec(path);
  return match ? file(match[1], match[2] || '', published) : file(published[0][0], path, published);
}

// Returns '.br' or '.gz' if the client accepts it, brotli first; q=0 means that it does not.
function sibling(accepted) {
  const names = [];
  accepted.toLowerCase().split(',').forEach(function (part) {
    const words = part.split(';');
    if (!/^\s*q\s*=\s*0(\.0*)?\s*$/.test(words[1] || '')) names.push(words[0].trim());
  });
  if (names.indexOf('br') >= 0) return '.br';
  return names.indexOf('gzip') >= 0 ? '.gz' : '';
}

function accepts(request) {
  const found = request.headers['accept-encoding'];
  if (!found) return '';
  return (found.multiValue || [found]).map(function (each) { return each.value; }).join(',');
}

async function handler(event) {
  const request = event.request;
  const preflighted = request.headers['access-control-request-method'];
  if (request.method === 'OPTIONS' && preflighted) return preflight();
  const found = object(request.uri, await publications());
  if (!found) return failure(404, 'Not Found', 'RESOURCE_NOT_FOUND', 'No such resource.', {});
  if (request.method === 'OPTIONS') return preflight();
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const message = 'This path does not take this method.';
    return failure(405, 'Method Not Allowed', 'METHOD_NOT_ALLOWED', message, { 'allow': METHODS });
  }
  // Tells current.js whether the path follows the pointer: it may see the original or the rewritten path.
  if (OWN_ADDRESS.test(request.uri)) delete request.headers['x-catalog-current'];
  else request.headers['x-catalog-current'] = header('1');
  request.uri = found + sibling(accepts(request));
  return request;
}
