// Tests of data and acts of a view.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const { Act, List, Resource } = await load('state');
const problems = await load('problems');

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

test('a resource is loading until its own answer comes, and a failure is no data', async () => {
  let updates = 0;
  const resource = new Resource(async () => { throw new problems.Problem({ status: 404 }); }, () => (updates += 1));
  assert.deepEqual([resource.isLoading, resource.isReady, updates], [true, false, 1]);
  await settled();
  assert.deepEqual([resource.isLoading, resource.isReady, resource.problem.status, updates], [false, false, 404, 2]);
});

test('loading again drops the failure at once', async () => {
  let isAway = true;
  const resource = new Resource(async () => { if (isAway) throw new problems.Problem({ status: 503 }); return null; }, () => {});
  await settled();
  isAway = false;
  const again = resource.reload();
  assert.deepEqual([resource.problem, resource.isLoading], [null, true]);
  await again;
  assert.deepEqual([resource.data, resource.isReady, resource.isLoading], [null, true, false]);
});

test('a failure that comes after what is known to be so is dropped', async () => {
  let fail;
  const resource = new Resource(() => new Promise((_, reject) => (fail = reject)), () => {});
  resource.set('known');
  fail(new problems.Problem({ status: 503 }));
  await settled();
  assert.deepEqual([resource.data, resource.problem, resource.isLoading], ['known', null, false]);
});

test('a mistake of the page itself is a problem that can be seen, and is written to the console', async (context) => {
  const said = context.mock.method(console, 'error', () => {});
  const act = new Act(() => {});
  assert.equal(await act.run(async () => undefined.nothing), false);
  assert.equal(act.problem.status, 500);
  assert.equal(said.mock.callCount(), 1);
});

test('a list that is no whole one loads a page when it is asked to, and nothing after the last', async () => {
  const asked = [];
  const list = new List(async (cursor) => (asked.push(cursor), cursor ? { items: [2], next: null } : { items: [1], next: 'a' }), () => {});
  assert.deepEqual([list.items, list.hasMore], [[], false]);
  await settled();
  assert.deepEqual([list.items, list.hasMore], [[1], true]);
  await list.loadMore();
  assert.deepEqual([list.items, list.hasMore, asked], [[1, 2], false, [null, 'a']]);
  list.replace([3]);
  assert.deepEqual([list.items, list.hasMore], [[3], false]);
});

test('a page that fails can be tried again and ends no list', async () => {
  let isAway = true;
  const pages = { null: { items: [1], next: 'a' }, a: { items: [2], next: null } };
  const list = new List(async (cursor) => { if (cursor && isAway) throw new problems.Problem({ status: 503 }); return pages[cursor]; }, () => {}, { isWhole: true });
  for (let turn = 0; turn < 5; turn += 1) await settled();
  assert.deepEqual([list.items, list.hasMore, list.more.problem.status], [[1], true, 503]);
  isAway = false;
  await list.more.retry();
  assert.deepEqual([list.items, list.hasMore, list.more.problem], [[1, 2], false, null]);
});

test('an act has a key for each thing that it creates: after a success the same body gets another one', async () => {
  const act = new Act(() => {});
  const keys = [];
  const work = async () => keys.push(act.keyFor({ a: 1 }));
  assert.equal(await act.run(work), true);
  assert.equal(await act.run(work), true);
  assert.notEqual(keys[0], keys[1]);
});

test('a key lasts through a failure that is dismissed, for the request may have been carried out', async () => {
  const act = new Act(() => {});
  const keys = [];
  await act.run(async () => { keys.push(act.keyFor({ a: 1 })); throw new problems.Problem({ status: 0 }); });
  act.dismiss();
  assert.equal(act.problem, null);
  await act.run(async () => keys.push(act.keyFor({ a: 1 })));
  assert.equal(keys[0], keys[1]);
});

test('an act is busy while it runs, and a repeat drops the failure before', async () => {
  const seen = [];
  const act = new Act(() => seen.push([act.isBusy, act.problem?.status ?? null]));
  let isAway = true;
  await act.run(async () => { if (isAway) throw new problems.Problem({ status: 429 }); });
  isAway = false;
  assert.equal(await act.retry(), true);
  assert.deepEqual(seen, [[true, null], [false, 429], [true, null], [false, null]]);
});

// -- reading again

const { Problem } = problems;

/** A resource whose loads are answered in turn, with how often it was drawn. */
async function readAgain(answers) {
  const drawn = { times: 0 };
  const resource = new Resource(async () => { const answer = answers.shift(); if (answer instanceof Error) throw answer; return answer; }, () => { drawn.times += 1; });
  await settled();
  drawn.times = 0;
  return { resource, drawn };
}

test('what is read again and has not changed draws nothing', async () => {
  const same = { a: 1 };
  const { resource, drawn } = await readAgain([same, same, { a: 2 }]);
  assert.deepEqual([await resource.refresh(), drawn.times], [true, 0]);
  assert.deepEqual([await resource.refresh(), resource.data, drawn.times], [true, { a: 2 }, 1]);
});

test('what is read again does not say that it is loading', async () => {
  const { resource } = await readAgain(['one', 'two']);
  const reading = resource.refresh();
  assert.equal(resource.isLoading, false);
  await reading;
});

test('what is set while it is read again stays, and was not read', async () => {
  const { resource } = await readAgain(['one', 'two']);
  const reading = resource.refresh();
  resource.set('mine');
  assert.deepEqual([await reading, resource.data], [false, 'mine']);
});

test('nothing is read again while it is loading', async () => {
  const { resource } = await readAgain(['one', 'two']);
  resource.reload();
  assert.equal(await resource.refresh(), false);
});

for (const status of [0, 401, 429, 503]) {
  test(`reading again that fails with ${status} leaves what is shown, and says so to its caller alone`, async () => {
    const { resource } = await readAgain(['one', new Problem({ status })]);
    await assert.rejects(resource.refresh(), { status });
    assert.deepEqual([resource.data, resource.problem], ['one', null]);
  });
}

for (const status of [403, 404]) {
  test(`what is closed or gone when it is read again (${status}) is shown so, until it is there again`, async () => {
    const { resource } = await readAgain(['one', new Problem({ status }), 'one']);
    assert.equal(await resource.refresh(), true);
    assert.equal(resource.problem.status, status);
    await resource.refresh();
    assert.equal(resource.problem, null);
  });
}

test('of a list as many pages are read again as are shown, at once', async () => {
  let version = 1;
  const pages = { null: () => ({ items: [`a${version}`, `b${version}`], next: 'x' }), x: () => ({ items: [`c${version}`], next: 'y' }), y: () => ({ items: [`d${version}`], next: null }) };
  const list = new List(async (cursor) => pages[cursor](), () => {});
  await settled();
  await list.loadMore();
  version = 2;
  await list.refresh();
  assert.deepEqual([list.items, list.hasMore], [['a2', 'b2', 'c2'], true]);
});

test('a whole list is read again to its end, and never shown in part', async () => {
  let version = 1;
  const seen = [];
  const pages = { null: () => ({ items: [`a${version}`], next: 'x' }), x: () => ({ items: [`b${version}`], next: null }) };
  const drawn = { list: null };
  const list = new List(async (cursor) => pages[cursor](), () => seen.push(drawn.list?.items.join()), { isWhole: true });
  drawn.list = list;
  for (let turn = 0; turn < 5; turn += 1) await settled();
  seen.length = 0;
  version = 2;
  await list.refresh();
  assert.deepEqual([...new Set(seen)], ['a2,b2']);
});
