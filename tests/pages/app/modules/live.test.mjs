// Tests of the live channel's client: the tabs that share a connection, and what a tab says.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';
import { pass, settled, timed } from './timed.mjs';

const { Hub } = await load('live-hub');
const { Live } = await load('live');
const { Problem } = await load('problems');

const BOARD = 'boards/b';

// -- the tabs

/** A tab at a hub: `heard` is what it is told; `says` speaks. */
function tabAt(hub, { given = { ticket: 'T', url: 'wss://here/live' }, answers = true } = {}) {
  const heard = [];
  const port = {
    postMessage(message) {
      heard.push(message);
      if (message.is === 'ticket?' && answers) queueMicrotask(() => port.onmessage({ data: { is: 'ticket', id: message.id, given } }));
    },
  };
  hub.add(port);
  return { heard, says: (data) => port.onmessage({ data }), asked: () => heard.filter(({ is }) => is === 'ticket?').length };
}

/** A hub whose connections are only noted. */
function hubOf() {
  const made = [];
  const hub = new Hub((ticket, heard) => {
    const connection = { ticket, heard, rooms: new Set(), isStopped: false, woken: 0, want(rooms) { this.rooms = rooms; }, show(isShown) { this.isShown = isShown; }, wake() { this.woken += 1; }, stop() { this.isStopped = true; } };
    made.push(connection);
    return connection;
  });
  return { hub, made };
}

timed('all tabs of a person share one connection, which is in the rooms of all', async () => {
  const { hub, made } = hubOf();
  const tabs = [tabAt(hub), tabAt(hub)];
  tabs[0].says({ is: 'see', key: 'anna', rooms: [BOARD] });
  tabs[1].says({ is: 'see', key: 'anna', rooms: ['boards/c'] });
  assert.equal(made.length, 1);
  assert.deepEqual([...made[0].rooms], [BOARD, 'boards/c']);
  made[0].heard({ is: 'ring', ring: {} });
  assert.deepEqual(tabs.map(({ heard }) => heard.map(({ is }) => is)), [['ring'], ['ring']]);
  tabs[0].says({ is: 'bye' });
  assert.deepEqual([[...made[0].rooms], made[0].isStopped], [['boards/c'], false]);
  tabs[1].says({ is: 'bye' });
  assert.equal(made[0].isStopped, true);
});

timed('their connection is shown while one of them is on the screen; one that said goodbye is in no group when it is hidden', async () => {
  const { hub, made } = hubOf();
  const tabs = [tabAt(hub), tabAt(hub)];
  const see = (tab, more = {}) => tab.says({ is: 'see', key: 'anna', rooms: [BOARD], isHidden: false, ...more });
  const shown = () => made.map(({ isShown }) => isShown);
  tabs.forEach((tab) => see(tab));
  tabs[0].says({ is: 'hide' });
  assert.deepEqual(shown(), [true]);
  tabs[1].says({ is: 'hide' });
  assert.deepEqual(shown(), [false]);
  see(tabs[0], { isHidden: true, isAwake: true });
  assert.deepEqual(shown(), [false]);
  see(tabs[0]);
  assert.deepEqual(shown(), [true]);
  for (const said of ['bye', 'hide']) tabs[0].says({ is: said });
  assert.deepEqual(shown(), [false]);
  for (const said of ['bye', 'hide']) tabs[1].says({ is: said });
  assert.deepEqual([made.length, made[0].isStopped], [1, true]);
});

timed('nobody hears what rings for somebody else who is signed in on this browser', async () => {
  const { hub, made } = hubOf();
  const [anna, ben] = [tabAt(hub), tabAt(hub)];
  anna.says({ is: 'see', key: 'anna', rooms: [BOARD] });
  ben.says({ is: 'see', key: 'ben', rooms: [BOARD] });
  made[0].heard({ is: 'ring', ring: {} });
  assert.deepEqual([made.length, anna.heard.length, ben.heard.length], [2, 1, 0]);
  anna.says({ is: 'see', key: 'ben', rooms: [] });
  assert.equal(made[0].isStopped, true);
});

timed('the newest tab gets the ticket; one that does not answer is gone', async () => {
  const { hub, made } = hubOf();
  const [first, second] = [tabAt(hub), tabAt(hub, { answers: false })];
  first.says({ is: 'see', key: 'anna', rooms: [BOARD] });
  second.says({ is: 'see', key: 'anna', rooms: ['boards/c'] });
  const given = made[0].ticket();
  await pass(20_000);
  assert.deepEqual(await given, { ticket: 'T', url: 'wss://here/live' });
  assert.deepEqual([second.asked(), first.asked(), [...made[0].rooms]], [1, 1, [BOARD]]);
});

// -- one tab

/** A page, with what happens to it. */
function viewOf() {
  const handlers = {};
  const target = { addEventListener: (name, handler) => { handlers[name] = handler; } };
  return { ...target, document: { ...target, visibilityState: 'visible' }, happens: (name, event = {}) => handlers[name](event) };
}

function liveOf(api = {}, followed = () => []) {
  const said = [];
  const port = { postMessage: (message) => said.push(message) };
  const view = viewOf();
  const live = new Live(api, followed, { port, view });
  return { live, said, view, hears: (data) => port.onmessage({ data }) };
}

const ANNA = { authType: 'jwt', userId: 'anna' };

test('a tab says whose it is and which board it shows, once, and when that changes', () => {
  const { live, said } = liveOf();
  live.show(ANNA, 'token', 'b');
  live.show(ANNA, 'token', 'b');
  live.show(ANNA, 'token', 'c');
  live.show(ANNA, 'renewed', 'c');
  live.show(null, null);
  assert.deepEqual(said, [
    { is: 'see', key: 'anna jwt', rooms: ['boards/b'], isHidden: false, isAwake: true },
    { is: 'see', key: 'anna jwt', rooms: ['boards/c'], isHidden: false, isAwake: false },
    { is: 'see', key: 'anna jwt', rooms: ['boards/c'], isHidden: false, isAwake: true }, { is: 'bye' },
  ]);
});

test('the token of a board has no channel', () => {
  const { live, said } = liveOf();
  live.show({ authType: 'board_token', boardId: 'b' }, 'token', 'b');
  assert.deepEqual(said, []);
});

test('a credential never reaches the worker', async () => {
  const { live, said, hears } = liveOf({ get: async () => ({ ticket: 'T', url: 'wss://here/live', expiresAt: 'later' }) });
  live.show(ANNA, 'secret-token', 'b');
  hears({ is: 'ticket?', id: 1 });
  await settled();
  assert.doesNotMatch(JSON.stringify(said), /secret-token/);
  assert.deepEqual(said.at(-1), { is: 'ticket', id: 1, given: { ticket: 'T', url: 'wss://here/live' } });
});

for (const [status, given] of [[401, null], [403, null], [404, null], [429, undefined], [503, undefined], [0, undefined]]) {
  test(`a ticket refused with ${status} is ${given === null ? 'not asked for again' : 'asked for later'}`, async () => {
    const { said, hears } = liveOf({ get: async () => { throw new Problem({ status }); } });
    hears({ is: 'ticket?', id: 7 });
    await settled();
    assert.deepEqual(said, [{ is: 'ticket', id: 7, given }]);
  });
}

test('where the service has no channel nothing is asked for again', async () => {
  const { said, hears } = liveOf({ get: async () => { throw new TypeError('No such operation: createLiveTicket'); } });
  hears({ is: 'ticket?', id: 7 });
  await settled();
  assert.deepEqual(said, [{ is: 'ticket', id: 7, given: null }]);
});

timed('what was missed between the page and its room is read, and a board that was taken away too', async () => {
  const reads = [];
  const slots = { on: ['slot'], read: { refresh: async () => (reads.push(Date.now()), true) } };
  const { live, hears } = liveOf({}, () => [slots]);
  live.show(ANNA, 'token', 'b');
  hears({ is: 'joined', room: BOARD });
  await pass(2000);
  assert.equal(reads.length, 0);
  await pass(2000);
  hears({ is: 'joined', room: BOARD });
  await pass(2000);
  assert.equal(reads.length, 1);
  for (const said of [{ is: 'left', room: 'boards/c' }, { is: 'left', room: BOARD }]) {
    hears(said);
    await pass(2000);
  }
  assert.equal(reads.length, 2);
});

timed('a tab that is left says so, and one that is seen again reads what rang meanwhile', async () => {
  const reads = [];
  const slots = { on: ['slot'], read: { refresh: async () => (reads.push(1), true) } };
  const { live, said, view, hears } = liveOf({}, () => [slots]);
  live.show(ANNA, 'token', 'b');
  view.document.visibilityState = 'hidden';
  view.happens('visibilitychange');
  assert.deepEqual(said.at(-1), { is: 'hide' });
  view.happens('online');
  assert.equal(said.at(-1).isHidden, true);
  hears({ is: 'ring', ring: { event: 'slot.proposed', ids: {} } });
  await pass(5000);
  assert.equal(reads.length, 0);
  view.document.visibilityState = 'visible';
  view.happens('visibilitychange');
  assert.deepEqual([said.at(-1).isHidden, said.at(-1).isAwake], [false, true]);
  await pass(2000);
  assert.equal(reads.length, 1);
  view.happens('pagehide');
  assert.deepEqual(said.at(-1), { is: 'bye' });
  view.happens('pageshow', { persisted: true });
  assert.equal(said.at(-1).isAwake, true);
});
