// The rules of the pages that need no browser: `node --test`.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

const WEB = new URL('../../../infra/pages/app/web/', import.meta.url);
const load = (name) => import(new URL(`lib/${name}.js`, WEB));
const { OPERATIONS, request } = await load('operations');
const dates = await load('dates');
const words = await load('words');
const ranking = await load('ranking');
const charts = await load('chart-values');
const { ANY, Access } = await load('access');
const { match } = await load('router');
const problems = await load('problems');
const { Session } = await load('session');
const { MemoryStorage, storageOf } = await load('storage');
const { Api } = await load('api');
const { Act, List, Resource } = await load('state');

const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url)));
const sources = readdirSync(WEB, { recursive: true }).filter((name) => name.endsWith('.js'))
  .map((name) => [name, readFileSync(new URL(name, WEB), 'utf8')]);

// Operations

test('every operation that the pages name is one of the OpenAPI document', () => {
  for (const [name, [method, path]] of Object.entries(OPERATIONS)) {
    assert.equal(document.paths[path]?.[method.toLowerCase()]?.operationId, name, `${method} ${path}`);
  }
});

test('every operation that a view calls is known, and every known one is called', () => {
  const called = new Set();
  for (const [, source] of sources) {
    for (const [, name] of source.matchAll(/api\.(?:call|get|page|bareArray)\('(\w+)'/g)) called.add(name);
  }
  assert.deepEqual([...called].sort(), Object.keys(OPERATIONS).sort());
});

test('parameters are encoded, empty ones of the query are left out', () => {
  const { method, address } = request('listMeetings', { boardId: 'a/b?c' }, { status: '', limit: 5, cursor: null });
  assert.deepEqual([method, address], ['GET', '/api/v1/boards/a%2Fb%3Fc/meetings?limit=5']);
  assert.throws(() => request('getBoard'), /needs boardId/);
});

test('no module writes markup from text, runs text as code, or asks another host', () => {
  for (const [name, source] of sources) {
    assert.doesNotMatch(source, /innerHTML|outerHTML|insertAdjacentHTML|unsafeHTML|document\.write|\beval\(|new Function/, name);
    assert.doesNotMatch(source, / style="/, `${name} has a style that the policy refuses`);
    assert.doesNotMatch(source, /fetch\(['"`]https?:/, name);
  }
});

// Dates

test('a time is shown in the visitor’s zone, with the other zone beside it where the clocks differ', () => {
  const [start, end] = ['2026-12-11T21:30:00Z', '2026-12-11T22:30:00Z'];
  assert.equal(dates.dateTime(start, 'America/New_York'), 'Fri, 11 Dec 2026, 16:30');
  assert.equal(dates.elsewhere(start, end, 'Asia/Tokyo', 'Europe/Paris'), 'Sat, 12 Dec 2026, 06:30–07:30 Asia/Tokyo');
  assert.equal(dates.elsewhere(start, end, 'America/New_York', 'Europe/Paris'), '16:30–17:30 America/New York');
  assert.equal(dates.elsewhere(start, end, 'Europe/Berlin', 'Europe/Paris'), '');
  assert.equal(dates.elsewhere(start, end, 'No/Where', 'Europe/Paris'), '');
});

test('an end on the next day says so', () => {
  assert.equal(dates.timeRange('2026-12-11T22:30:00Z', '2026-12-12T00:15:00Z', 'UTC'), '22:30–00:15 (+1)');
  assert.equal(dates.timeRange('2026-12-11T22:30:00Z', '2026-12-13T00:15:00Z', 'UTC'), '22:30–Sun, 13 Dec 2026, 00:15');
});

test('what is typed in a zone becomes the instant at which its clocks show that', () => {
  assert.equal(dates.fromWall('2026-07-01T09:00', 'Europe/Paris'), '2026-07-01T07:00:00.000Z');
  assert.equal(dates.fromWall('2026-12-01T09:00', 'America/Los_Angeles'), '2026-12-01T17:00:00.000Z');
  assert.equal(dates.fromWall('2026-12-01T09:00', 'Asia/Kathmandu'), '2026-12-01T03:15:00.000Z');
  assert.equal(dates.fromWall('2026-12-31T23:00', 'Pacific/Kiritimati'), '2026-12-31T09:00:00.000Z');
});

test('a skipped hour is no time, a repeated one is its first', () => {
  assert.equal(dates.fromWall('2026-03-29T02:30', 'Europe/Paris'), null);
  assert.equal(dates.fromWall('2026-10-25T02:30', 'Europe/Paris'), '2026-10-25T00:30:00.000Z');
  assert.equal(dates.fromWall('nonsense', 'Europe/Paris'), null);
  assert.equal(dates.fromWall('2026-02-31T10:00', 'Europe/Paris'), null);
});

test('every instant comes back from its field, in every zone', () => {
  for (const zone of ['UTC', 'Europe/London', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Tehran', 'Pacific/Chatham']) {
    for (let hour = 0; hour < 8760; hour += 7) {
      const instant = new Date(Date.UTC(2027, 0, 1, hour)).toISOString();
      const back = dates.fromWall(dates.toWall(instant, zone), zone);
      assert.equal(dates.toWall(back, zone), dates.toWall(instant, zone));
      assert.ok(Date.parse(instant) - Date.parse(back) <= 3_600_000);
    }
  }
});

test('a calendar date belongs to no zone', () => {
  assert.equal(dates.calendarDate('2026-10-22'), '22 Oct 2026');
  assert.equal(dates.calendarDate('soon'), 'soon');
});

test('how long ago something was', () => {
  const now = Date.parse('2026-06-10T12:00:00Z');
  assert.equal(dates.relative('2026-06-10T11:59:40Z', now), 'this minute');
  assert.equal(dates.relative('2026-06-10T09:00:00Z', now), '3 hours ago');
  assert.equal(dates.relative('2026-06-12T13:00:00Z', now), 'in 2 days');
});

// Words

test('initials of names, addresses and nothing', () => {
  assert.deepEqual(['Olivia Marsh', 'Ana Maria de Souza', 'guest@example.org', 'Élodie', '王 小明', '', '(?)'].map(words.initials),
    ['OM', 'AS', 'G', 'É', '王小', '?', '?']);
});

test('an invite’s message is shown as it was typed', () => {
  assert.equal(words.unescaped('For the &lt;next&gt; &amp;amp; one&#x27;s'), "For the <next> &amp; one's");
});

test('values without words of their own are still readable', () => {
  assert.equal(words.label('board_pack'), 'Board pack');
  assert.equal(words.label('constructor'), 'Constructor');
  assert.equal(words.label(null), '');
  assert.equal(words.auditDetails({ from: 'draft', to: 'scheduled' }), 'Draft → Scheduled');
  assert.equal(words.auditDetails({}), '');
});

// Voting grid

const NOW = Date.parse('2026-01-01T00:00:00Z');
const feedback = (userId, vote, email = null) => ({ userId, vote, comment: null, email, isGuest: email !== null });
const slot = (id, votes, startTime = '2026-06-01T10:00:00.000Z') => ({ id, startTime, feedbacks: votes.map((vote, index) => feedback(`u${index}`, vote)) });

test('the best time has most yes, then fewest no; ties share it', () => {
  const slots = [slot('a', ['ok', 'ok', 'cant']), slot('b', ['ok', 'ok', 'challenging']), slot('c', ['ok', 'challenging', 'challenging'])];
  assert.deepEqual(ranking.best(slots, NOW), ['b']);
  assert.deepEqual(ranking.best([slots[1], slot('d', ['ok', 'ok', 'didNotVote'])], NOW), ['b', 'd']);
});

test('no time is best before somebody can come, and a past one never is', () => {
  assert.deepEqual(ranking.best([slot('a', ['cant']), slot('b', ['didNotVote'])], NOW), []);
  assert.deepEqual(ranking.best([slot('a', ['ok', 'ok'], '2025-06-01T10:00:00Z'), slot('b', ['ok'])], NOW), ['b']);
  assert.deepEqual(ranking.best([], NOW), []);
});

test('a guest’s view, which has counts only, is ranked alike', () => {
  const slots = [{ id: 'a', startTime: '2026-06-01T10:00:00Z', ok: 2, challenging: 0, cant: 1 }, { id: 'b', startTime: '2026-06-02T10:00:00Z', ok: 2, challenging: 3, cant: 0 }];
  assert.deepEqual(ranking.best(slots, NOW), ['b']);
});

test('rows are members, then guests; missing are members without any answer', () => {
  const slots = [slot('a', ['ok', 'didNotVote']), slot('b', ['didNotVote', 'didNotVote'])];
  slots[0].feedbacks.push(feedback(null, 'ok', 'guest@example.org'));
  assert.deepEqual(ranking.rows(slots).map(({ key }) => key), ['member u0', 'member u1', 'guest guest@example.org']);
  assert.deepEqual(ranking.missing(slots).map(({ userId }) => userId), ['u1']);
});

test('a vote changes the voter’s own answer and nothing else', () => {
  const before = slot('a', ['ok', 'didNotVote']);
  const after = ranking.withVote(before, 'u1', 'cant', 'Travelling');
  assert.deepEqual(after.feedbacks[1], { ...before.feedbacks[1], vote: 'cant', comment: 'Travelling' });
  assert.deepEqual(after.feedbacks[0], before.feedbacks[0]);
  assert.equal(before.feedbacks[1].vote, 'didNotVote');
});

test('a meeting collects votes while it is draft or scheduled and not booked', () => {
  const slots = [slot('a', ['ok'])];
  assert.equal(ranking.collectsVotes({ status: 'scheduled', startTime: null }, slots), true);
  assert.equal(ranking.collectsVotes({ status: 'scheduled', startTime: '2026-06-01T12:00:00+02:00' }, slots), false);
  assert.equal(ranking.collectsVotes({ status: 'in_progress', startTime: null }, slots), false);
});

// Dashboards

test('each convention of a chart’s value is understood', () => {
  assert.deepEqual(charts.chart([1, 2]), { labels: ['1', '2'], series: [{ name: '', values: [1, 2] }] });
  assert.deepEqual(charts.chart([{ period: '2026', label: 'Year', value: 3 }]), { labels: ['Year'], series: [{ name: '', values: [3] }] });
  const series = { series: [{ name: 'A', points: [{ period: 'p2', value: 2 }] }, { name: 'B', points: [{ period: 'p1', value: 1 }] }] };
  assert.deepEqual(charts.chart(series), { labels: ['p1', 'p2'], series: [{ name: 'A', values: [null, 2] }, { name: 'B', values: [1, null] }] });
});

test('what is no chart and no table is left to be shown as text', () => {
  for (const value of [null, 5, 'x', [], {}, [1, 'x'], [{ value: 1 }], { series: [] }, { series: [{ name: 'A' }] }]) assert.equal(charts.chart(value), null);
  for (const value of [null, [], { columns: ['a'] }, { columns: ['a'], rows: [1] }]) assert.equal(charts.table(value), null);
  assert.equal(charts.text({ x: [1] }), '{"x":[1]}');
});

test('a table’s rows are as long as its columns', () => {
  assert.deepEqual(charts.table({ columns: ['a', 'b'], rows: [[1], ['x', null, 'more']] }), { columns: ['a', 'b'], rows: [['1', '–'], ['x', '–']] });
});

test('figures: shares, currencies, units and what is no number', () => {
  assert.equal(charts.figure('percent', 0.018), '1.8%');
  assert.equal(charts.figure('currency', 4820000, { currency: 'EUR' }), '€4,820,000');
  assert.equal(charts.figure('currency', 12.5, { currency: 'nonsense' }), '12.5');
  assert.equal(charts.figure('number', 19.8, { unit: 'months' }), '19.8 months');
  assert.equal(charts.figure('number', 'about 20'), 'about 20');
  assert.equal(charts.figure('number', null), '–');
  assert.equal(charts.figure('number', 2.345, { decimals: 99 }), '2.35');
});

// Access

const REFUSED = { decision: false, context: { code: 'FORBIDDEN', status: 403 } };
const ABSENT = { decision: false, context: { code: 'RESOURCE_NOT_FOUND', status: 404 } };

/** An `Access` whose API says what `decide(name, path)` returns, with the requests that it sent. */
function access(decide) {
  const sent = [];
  const call = async (name, { body }) => {
    sent.push(body.evaluations);
    return { evaluations: body.evaluations.map(({ action, resource }) => decide(action.name, resource.id)) };
  };
  return [new Access({ call }, () => {}), sent];
}

test('all actions of a view are asked about in one request, and none is offered before the answer', async () => {
  const [found, sent] = access((name) => (name === 'createMeeting' ? { decision: true, context: null } : REFUSED));
  const board = { boardId: 'b1' };
  const asking = found.enter([['createMeeting', board], ['updateBoard', board]]);
  assert.equal(found.may('createMeeting', board), false);
  await asking;
  assert.deepEqual([found.may('createMeeting', board), found.may('updateBoard', board)], [true, false]);
  assert.deepEqual(sent, [[
    { action: { name: 'createMeeting' }, resource: { type: 'route', id: '/api/v1/boards/b1/meetings' } },
    { action: { name: 'updateBoard' }, resource: { type: 'route', id: '/api/v1/boards/b1' } },
  ]]);
  assert.equal(found.may('createMeeting', { boardId: 'b2' }), false);
});

test('an action on anything of a kind is offered where nothing but the thing is missing', async () => {
  const [found] = access((name) => (name === 'deleteSlot' ? REFUSED : ABSENT));
  const params = { boardId: 'b', meetingId: 'm', slotId: ANY };
  await found.enter([['voteOnSlot', params], ['deleteSlot', params], ['updateMeeting', { boardId: 'b', meetingId: 'hidden' }]]);
  assert.equal(found.may('voteOnSlot', params), true);
  assert.equal(found.may('deleteSlot', params), false);
  assert.equal(found.may('updateMeeting', { boardId: 'b', meetingId: 'hidden' }), false);
});

test('more than a hundred actions are asked about in several requests', async () => {
  const [found, sent] = access(() => ({ decision: true, context: null }));
  await found.enter(Array.from({ length: 250 }, (_, index) => ['retractInvite', { boardInviteId: String(index) }]));
  assert.deepEqual(sent.map(({ length }) => length), [100, 100, 50]);
  assert.equal(found.may('retractInvite', { boardInviteId: '249' }), true);
});

test('a question that failed is said and asked again with everything else of the view', async () => {
  let isAway = true;
  const call = async (_, { body }) => {
    if (isAway) throw new problems.Problem({ status: 503 });
    return { evaluations: body.evaluations.map(() => ({ decision: true, context: null })) };
  };
  const found = new Access({ call }, () => {});
  await found.enter([['createBoard']]);
  await found.ask([['updateMe']]);
  assert.equal(found.problem.status, 503);
  isAway = false;
  await found.reload();
  assert.deepEqual([found.problem, found.may('createBoard'), found.may('updateMe')], [null, true, true]);
});

test('no view offers an action that was never asked about, unnoticed', async (context) => {
  const said = context.mock.method(console, 'error', () => {});
  const [found] = access(() => REFUSED);
  await found.enter([['createBoard']]);
  assert.equal(found.may('createBoard'), false);
  assert.equal(said.mock.callCount(), 0);
  found.may('updateMe');
  assert.equal(said.mock.callCount(), 1);
});

// Router

test('addresses lead to their views', () => {
  const routes = ['/', '/boards', '/boards/:boardId', '/boards/:boardId/meetings/:meetingId'].map((path) => ({ path }));
  const at = (path) => match(routes, path);
  assert.equal(at('/').route.path, '/');
  assert.equal(at('/boards/').route.path, '/boards');
  assert.deepEqual(at('/boards/b1/meetings/m%201').params, { boardId: 'b1', meetingId: 'm 1' });
  assert.equal(at('/boards/b1/meetings'), null);
  assert.equal(at('/boards/%E0%A4%A'), null);
  assert.equal(at('/boards//meetings/m'), null);
});

// Problems

test('each failure is said in words', () => {
  const say = (given) => problems.inWords(new problems.Problem(given));
  assert.deepEqual(say({ status: 0, code: 'OFFLINE' }).heading, 'You are offline.');
  assert.match(say({ status: 429, wait: 12 }).text, /12 seconds/);
  assert.match(say({ status: 429, wait: 240 }).text, /4 minutes/);
  assert.match(say({ status: 401 }).heading, /sign-in has ended/);
  assert.match(say({ status: 403, details: { requiredScope: 'meetings:write' } }).text, /meetings:write/);
  assert.match(say({ status: 409, message: 'x', details: { reason: 'SLOT_VOTES_CLOSED' } }).text, /closed/);
  assert.equal(say({ status: 409, message: 'In the server’s words.' }).text, 'In the server’s words.');
  assert.match(say({ status: 503 }).heading, /busy/);
  assert.equal(say({ status: 400, message: 'The `title` is missing.' }).heading, 'The `title` is missing.');
});

// Requests

function storage() {
  const held = new Map();
  return { getItem: (key) => held.get(key) ?? null, setItem: (key, value) => held.set(key, value), removeItem: (key) => held.delete(key), held };
}

const answer = (status, body, headers = {}) => new Response(JSON.stringify(body), { status, headers });

test('the credential goes in a header and never into an address', async () => {
  const session = new Session(storage());
  session.hold({ token: 'secret-token' });
  const seen = [];
  await new Api(session, async (address, options) => (seen.push([address, options]), answer(200, { data: {} }))).get('getMe');
  const [[address, options]] = seen;
  assert.equal(options.headers.Authorization, 'Bearer secret-token');
  assert.doesNotMatch(address, /secret/);
  assert.equal(options.credentials, 'omit');
});

test('a refused session is renewed once for all requests that met it, then they are sent again', async () => {
  const session = new Session(storage());
  session.hold({ token: 'old', refreshToken: 'r' });
  let renewals = 0;
  session.renewBy(async () => ((renewals += 1), { token: 'new', refreshToken: 'r2' }));
  const fetcher = async (_, { headers }) => (headers.Authorization === 'Bearer new' ? answer(200, { data: 1 }) : answer(401, { error: { code: 'INVALID_API_TOKEN' } }));
  const api = new Api(session, fetcher);
  assert.deepEqual(await Promise.all([api.get('getMe'), api.get('getMe'), api.get('getMe')]), [1, 1, 1]);
  assert.equal(renewals, 1);
});

test('a pasted token that is refused stays a refusal', async () => {
  const session = new Session(storage());
  session.hold({ token: 'x' });
  const api = new Api(session, async () => answer(401, { error: { code: 'INVALID_API_TOKEN', message: 'No.' } }));
  await assert.rejects(api.get('getMe'), { status: 401 });
});

test('a request without an answer, a page of a proxy and a wait are problems of their own', async () => {
  const session = new Session(storage());
  await assert.rejects(new Api(session, async () => { throw new TypeError('failed'); }).get('getMe'), { status: 0 });
  await assert.rejects(new Api(session, async () => new Response('<html>', { status: 200 })).get('getMe'), { status: 502 });
  await assert.rejects(new Api(session, async () => new Response('<html>', { status: 503, headers: { 'Retry-After': '7' } })).get('getMe'), { status: 503, wait: 7 });
});

test('the next page of a bare array is asked of this host, whatever the header says', async () => {
  const link = { Link: '<https://evil.example/api/auditlog/b?cursor=c>; rel="next"' };
  const seen = [];
  const api = new Api(new Session(storage()), async (address) => (seen.push(address), answer(200, [], seen.length === 1 ? link : {})));
  const { next } = await api.bareArray('listAuditEntries', { params: { boardId: 'b' } });
  assert.equal(next, '/api/auditlog/b?cursor=c');
  assert.equal((await api.bareArray('listAuditEntries', { params: { boardId: 'b' }, cursor: next })).next, null);
  assert.equal(seen[1], next);
});

test('signing out leaves nothing in the storage', () => {
  const kept = storage();
  const session = new Session(kept);
  session.hold({ token: 't' });
  assert.equal(new Session(kept).token, 't');
  session.forget();
  assert.equal(kept.held.size, 0);
});

test('a tab whose browser blocks storage keeps its credential until it is left', () => {
  const refuse = () => { throw new Error('Access is denied'); };
  const full = { getItem: () => null, setItem: refuse, removeItem: () => {} };
  for (const view of [{ get sessionStorage() { return refuse(); } }, { sessionStorage: full }, {}]) {
    const kept = storageOf(view);
    assert.ok(kept instanceof MemoryStorage);
    new Session(kept).hold({ token: 't' });
    assert.equal(new Session(kept).token, 't');
    kept.removeItem('board-governance.session');
    assert.equal(new Session(kept).token, null);
  }
  const real = storage();
  assert.equal(storageOf({ sessionStorage: real }), real);
  assert.equal(real.held.size, 0);
});

// State

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

test('an answer that comes after a later one is dropped', async () => {
  const waiting = [];
  const resource = new Resource(() => new Promise((resolve) => waiting.push(resolve)), () => {});
  resource.reload();
  waiting[1]('second');
  await settled();
  waiting[0]('first');
  await settled();
  assert.equal(resource.data, 'second');
});

test('what was loaded stays visible when loading it again fails', async () => {
  let turn = 0;
  const resource = new Resource(async () => { if (turn++) throw new problems.Problem({ status: 503 }); return 'data'; }, () => {});
  await settled();
  await resource.reload();
  assert.deepEqual([resource.data, resource.problem.status], ['data', 503]);
});

test('a whole list loads its pages to the end', async () => {
  const pages = { null: { items: [1], next: 'a' }, a: { items: [2], next: 'b' }, b: { items: [3], next: null } };
  const list = new List(async (cursor) => pages[cursor], () => {}, { isWhole: true });
  for (let turn = 0; turn < 10; turn += 1) await settled();
  assert.deepEqual([list.items, list.hasMore], [[1, 2, 3], false]);
});

test('a whole list that is loaded twice at once comes whole, and holds nothing up', async () => {
  const pages = { null: { items: [1], next: 'a' }, a: { items: [2], next: 'b' }, b: { items: [3], next: null } };
  const list = new List(async (cursor) => (await settled(), pages[cursor]), () => {}, { isWhole: true });
  await settled();
  list.reload();
  for (let turn = 0; turn < 20; turn += 1) await settled();
  assert.deepEqual([list.items, list.hasMore], [[1, 2, 3], false]);
});

test('a page that comes after the list was loaded anew leaves no gap', async () => {
  const pages = { null: { items: [1], next: 'a' }, a: { items: [2], next: 'b' }, b: { items: [3], next: null } };
  const waiting = [];
  const list = new List((cursor) => (cursor === 'b' ? new Promise((resolve) => waiting.push(() => resolve(pages.b))) : Promise.resolve(pages[cursor])), () => {});
  await settled();
  await list.loadMore();
  const third = list.loadMore();
  await list.reload();
  waiting[0]();
  await third;
  assert.deepEqual([list.items, list.hasMore], [[1], true]);
});

test('a repeat of a failed act carries the same key, another body another one', async () => {
  const act = new Act(() => {});
  const keys = [];
  const work = (body) => async () => { keys.push(act.keyFor(body)); throw new problems.Problem({ status: 503 }); };
  await act.run(work({ a: 1 }));
  await act.retry();
  await act.run(work({ a: 2 }));
  assert.equal(keys[0], keys[1]);
  assert.notEqual(keys[1], keys[2]);
});

test('a second click while an act runs does nothing', async () => {
  const act = new Act(() => {});
  let count = 0;
  const slow = async () => { count += 1; await settled(); };
  const [first, second] = await Promise.all([act.run(slow), act.run(slow)]);
  assert.deepEqual([first, second, count], [true, false, 1]);
});

/** An API whose answers carry the tags of a list, in turn; `sent` is each request with its condition. */
function tagged(tags) {
  const sent = [];
  const fetcher = async (address, { method, headers }) => {
    sent.push([method, address.split('/').at(-1), headers['If-Match']]);
    const tag = tags.shift();
    if (tag === 'none') throw new TypeError('failed');
    return new Response(JSON.stringify({ data: { sent: sent.length } }), { headers: tag ? { ETag: tag } : {} });
  };
  return { api: new Api({ token: 't', canRenew: false }, fetcher), sent };
}

const BOARD = { params: { boardId: 'b' } };
const MEETING = { params: { boardId: 'b', meetingId: 'm' } };

test('what was read with a tag is changed on condition that it is still so', async () => {
  const { api, sent } = tagged(['"board"', '"meeting"', '"board 2"', '"meeting 2"', '"meeting 3"']);
  await api.get('getBoard', BOARD);
  await api.get('getMeeting', MEETING);
  await api.get('updateBoard', { ...BOARD, body: {} });
  await api.get('updateMeeting', { ...MEETING, body: {} });
  await api.get('updateMeeting', { ...MEETING, body: {} });
  await api.get('updateMeeting', { ...MEETING, body: {} });
  await api.call('deleteMeeting', MEETING);
  assert.deepEqual(sent.slice(2, 6).map(([, , condition]) => condition), ['"board"', '"meeting"', '"meeting 2"', '"meeting 3"']);
});

test('a change without a tag in its answer is read again, and that is what the page shows', async () => {
  const { api, sent } = tagged(['"one"', null, '"two"', '"three"']);
  await api.get('getMeeting', MEETING);
  const shown = await api.get('updateMeeting', { ...MEETING, body: {} });
  assert.deepEqual(shown, { sent: 3 });
  await api.get('updateMeeting', { ...MEETING, body: {} });
  assert.deepEqual(sent, [['GET', 'm', undefined], ['PATCH', 'm', '"one"'], ['GET', 'm', undefined], ['PATCH', 'm', '"two"']]);
});

test('where a change cannot be read again the next one is refused, not made unseen', async () => {
  const { api, sent } = tagged(['"one"', null, 'none', null]);
  await api.get('getMeeting', MEETING);
  assert.deepEqual(await api.get('updateMeeting', { ...MEETING, body: {} }), { sent: 2 });
  await api.get('updateMeeting', { ...MEETING, body: {} });
  assert.equal(sent[3][2], '"one"');
});

test('a change of a part keeps the condition on the whole', async () => {
  const { api, sent } = tagged(['"board"', '"meeting"']);
  await api.get('getBoard', BOARD);
  await api.get('getMeeting', MEETING);
  await api.call('createMeeting', { ...BOARD, body: {} });
  await api.call('confirmSlot', { params: { ...MEETING.params, slotId: 's' } });
  await api.get('updateBoard', { ...BOARD, body: {} });
  await api.get('updateMeeting', { ...MEETING, body: {} });
  assert.deepEqual(sent.filter(([method]) => method === 'PATCH').map(([, , condition]) => condition), ['"board"', '"meeting"']);
});

test('an answer that the page drops says nothing of what it shows', async () => {
  const pending = [];
  const conditions = [];
  const fetcher = (address, { headers }) => {
    conditions.push(headers['If-Match']);
    return new Promise((resolve) => pending.push((tag) => resolve(new Response('{"data":{}}', { headers: { ETag: tag } }))));
  };
  const api = new Api({ token: 't', canRenew: false }, fetcher);
  const [earlier, later] = [api.get('getMeeting', MEETING), api.get('getMeeting', MEETING)];
  pending[1]('"later"');
  await later;
  pending[0]('"earlier"');
  await earlier;
  const read = api.get('getMeeting', MEETING);
  const change = api.get('updateMeeting', { ...MEETING, body: {} });
  pending[3]('"changed"');
  await change;
  pending[2]('"read before"');
  await read;
  api.get('updateMeeting', { ...MEETING, body: {} });
  assert.deepEqual(conditions.slice(3), ['"later"', '"changed"']);
});

test('what has no tag of a read is changed without a condition', async () => {
  const { api, sent } = tagged(['"one"', '"two"']);
  await api.get('updateMeeting', { ...MEETING, body: {} });
  await api.get('updateMeeting', { ...MEETING, body: {} });
  assert.deepEqual(sent.map(([, , condition]) => condition), [undefined, undefined]);
});
