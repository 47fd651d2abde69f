// Tests of the live channel's client: its connection, the tabs that share it, and what a tab says.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

import { load } from './load.mjs';

const { Connection } = await load('live-connection');
const { Hub } = await load('live-hub');
const { Live } = await load('live');
const { Problem } = await load('problems');

const BOARD = 'boards/b';
const settled = () => new Promise((resolve) => { setImmediate(resolve); });

async function pass(milliseconds, step = 250) {
  await settled();
  for (let left = milliseconds; left > 0; left -= step) {
    mock.timers.tick(Math.min(left, step));
    await settled();
  }
}

function timed(name, body) {
  test(name, async () => {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 1_000_000 });
    try {
      await body();
    } finally {
      mock.timers.reset();
    }
  });
}

/** A server in place of sockets: `sockets` has each that was opened; `isUp` says whether it lets them in. */
function server({ isUp = true, answersPings = true } = {}) {
  const it = { sockets: [], isUp, answersPings };
  it.open = (url, protocols) => {
    const socket = {
      url, protocols, readyState: 0, sent: [], at: Date.now(),
      send(text) {
        const message = JSON.parse(text);
        socket.sent.push(message);
        if (message.action === 'join') socket.says({ type: 'joined', room: message.room });
        if (message.action === 'ping' && it.answersPings) socket.says({ type: 'pong' });
      },
      says: (message) => queueMicrotask(() => socket.onmessage({ data: typeof message === 'string' ? message : JSON.stringify(message) })),
      close() {
        if (socket.readyState === 3) return;
        socket.readyState = 3;
        queueMicrotask(() => socket.onclose({ code: 1006 }));
      },
    };
    it.sockets.push(socket);
    queueMicrotask(() => {
      if (!it.isUp) return socket.close();
      socket.readyState = 1;
      socket.onopen();
    });
    return socket;
  };
  return it;
}

/** A connection to such a server, and what it says. */
function connected(from, ticket = async () => ({ ticket: 'T', url: 'wss://here/live' })) {
  const heard = [];
  const connection = new Connection(ticket, (each) => heard.push(each), from.open);
  return { connection, heard };
}

const joins = ({ sent }) => sent.filter(({ action }) => action === 'join').map(({ room }) => room);

timed('it opens the address of its ticket with both protocols, and joins what is wanted', async () => {
  const from = server();
  const { connection, heard } = connected(from);
  connection.want(new Set([BOARD]));
  await pass(500);
  assert.deepEqual([from.sockets[0].url, from.sockets[0].protocols], ['wss://here/live', ['board-governance.v1', 'ticket.T']]);
  assert.deepEqual(joins(from.sockets[0]), [BOARD]);
  assert.deepEqual(heard, [{ is: 'joined', room: BOARD }]);
  connection.stop();
});

timed('a ring is passed on as it came, and what is no message of the channel is not', async () => {
  const from = server();
  const { connection, heard } = connected(from);
  await pass(500);
  const ring = { type: 'ring', room: BOARD, event: 'vote.cast', ids: { meetingId: 'm' }, at: '2026-11-26T00:00:00.000Z' };
  for (const said of [ring, 'no json', 'null', '7', { type: 'later' }]) from.sockets[0].says(said);
  await pass(500);
  assert.deepEqual(heard, [{ is: 'ring', ring }]);
  connection.stop();
});

timed('who goes to another board leaves the first and joins the second', async () => {
  const from = server();
  const { connection } = connected(from);
  connection.want(new Set([BOARD]));
  await pass(500);
  connection.want(new Set(['boards/c']));
  await pass(500);
  assert.deepEqual(from.sockets[0].sent, [{ action: 'join', room: BOARD }, { action: 'leave', room: BOARD }, { action: 'join', room: 'boards/c' }]);
  connection.stop();
});

timed('a lost connection comes back by itself with a new ticket, joins again, and says that something may have been missed', async () => {
  const from = server();
  let tickets = 0;
  const { connection, heard } = connected(from, async () => ({ ticket: `T${(tickets += 1)}`, url: 'wss://here/live' }));
  connection.want(new Set([BOARD]));
  await pass(500);
  from.sockets[0].close();
  await pass(3000);
  assert.equal(from.sockets.length, 2);
  assert.equal(from.sockets[1].protocols[1], 'ticket.T2');
  assert.deepEqual(joins(from.sockets[1]), [BOARD]);
  assert.deepEqual(heard.map(({ is }) => is), ['joined', 'again', 'joined']);
  connection.stop();
});

timed('while the server is away it is asked ever more seldom, at least once in a minute or so, and not in step', async () => {
  const from = server({ isUp: false });
  const { connection } = connected(from);
  await pass(600_000);
  const gaps = from.sockets.slice(1).map(({ at }, index) => at - from.sockets[index].at);
  assert.ok(gaps.length >= 10 && gaps.length <= 30, `${gaps}`);
  assert.ok(Math.max(...gaps) <= 61_000);
  assert.ok(gaps[0] >= 1000 && gaps[4] > gaps[0]);
  assert.ok(new Set(gaps.slice(6)).size > 1);
  connection.stop();
});

timed('a connection that ends as soon as it begins is no reason to hurry', async () => {
  const from = server();
  const { connection } = connected(from);
  for (let turn = 0; turn < 1200; turn += 1) {
    await pass(250);
    from.sockets.at(-1).close();
  }
  assert.ok(from.sockets.length < 20, `${from.sockets.length}`);
  connection.stop();
});

timed('a ticket that is not to be had now is asked for later, one that is refused is not until a page says so', async () => {
  const from = server();
  const answers = [undefined, null, { ticket: 'T', url: 'wss://here/live' }];
  let asked = 0;
  const { connection } = connected(from, async () => answers[(asked += 1) - 1]);
  await pass(120_000);
  assert.deepEqual([asked, from.sockets.length], [2, 0]);
  connection.wake();
  await pass(1000);
  assert.deepEqual([asked, from.sockets.length], [3, 1]);
  connection.stop();
});

timed('a ticket that never comes holds nothing up for ever', async () => {
  const from = server();
  let asked = 0;
  const { connection } = connected(from, () => ((asked += 1), new Promise(() => {})));
  await pass(120_000);
  assert.ok(asked >= 3);
  connection.stop();
});

timed('a silent connection is kept by pings, and one whose other end is gone is given up', async () => {
  const from = server();
  const { connection, heard } = connected(from);
  await pass(1_800_000, 1000);
  assert.equal(from.sockets.length, 1);
  const pings = from.sockets[0].sent.filter(({ action }) => action === 'ping');
  assert.ok(pings.length >= 6 && pings.length <= 8, `${pings.length}`);
  from.answersPings = false;
  await pass(300_000, 1000);
  assert.ok(from.sockets.length > 1);
  assert.ok(heard.some(({ is }) => is === 'again'));
  connection.stop();
});

timed('after sleep it says so and looks whether it is still connected', async () => {
  const from = server();
  const { connection, heard } = connected(from);
  await pass(30_000);
  const before = Date.now();
  mock.timers.setTime(before + 3_600_000);
  await pass(20_000);
  assert.ok(heard.some(({ is }) => is === 'again'));
  assert.ok(from.sockets.at(-1).sent.some(({ action }) => action === 'ping'));
  connection.stop();
});

timed('a room that was taken away is said to be left and not joined again; another one stays', async () => {
  const from = server();
  const { connection, heard } = connected(from);
  connection.want(new Set([BOARD, 'boards/c']));
  await pass(500);
  from.sockets[0].says({ type: 'left', room: BOARD, reason: 'removed' });
  await pass(500);
  connection.want(new Set([BOARD, 'boards/c']));
  await pass(500_000, 1000);
  assert.deepEqual(heard.filter(({ is }) => is === 'left'), [{ is: 'left', room: BOARD }]);
  assert.deepEqual(joins(from.sockets[0]), [BOARD, 'boards/c']);
  connection.stop();
});

timed('a board that may not be joined is asked for once, and a limit is waited for', async () => {
  const from = server();
  const { connection } = connected(from);
  await pass(500);
  const [socket] = from.sockets;
  const refuse = { b: 'FORBIDDEN', c: 'RATE_LIMITED' };
  const send = socket.send;
  socket.send = (text) => {
    const message = JSON.parse(text);
    const code = message.room && refuse[message.room.split('/')[1]];
    if (!code) return send(text);
    socket.sent.push(message);
    return socket.says({ type: 'error', code, message: 'No.', room: message.room });
  };
  connection.want(new Set([BOARD, 'boards/c']));
  await pass(600_000, 1000);
  const asked = joins(socket);
  assert.equal(asked.filter((room) => room === BOARD).length, 1);
  assert.ok(asked.filter((room) => room === 'boards/c').length >= 2);
  connection.stop();
});

timed('one that is stopped asks for nothing and says nothing more', async () => {
  const from = server();
  const { connection, heard } = connected(from);
  connection.want(new Set([BOARD]));
  await pass(500);
  connection.stop();
  from.sockets[0].says({ type: 'ring', room: BOARD, event: 'vote.cast', ids: {} });
  connection.wake();
  await pass(600_000, 1000);
  assert.deepEqual([from.sockets.length, heard.length], [1, 1]);
});

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
    const connection = { ticket, heard, rooms: new Set(), isStopped: false, woken: 0, want(rooms) { this.rooms = rooms; }, wake() { this.woken += 1; }, stop() { this.isStopped = true; } };
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
    { is: 'see', key: 'anna jwt', rooms: ['boards/b'], isAwake: true }, { is: 'see', key: 'anna jwt', rooms: ['boards/c'], isAwake: false },
    { is: 'see', key: 'anna jwt', rooms: ['boards/c'], isAwake: true }, { is: 'bye' },
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
  const { said, hears } = liveOf({ get: async () => { throw new TypeError('No such operation: createTicket'); } });
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
  hears({ is: 'ring', ring: { event: 'slot.proposed', ids: {} } });
  await pass(5000);
  assert.equal(reads.length, 0);
  view.document.visibilityState = 'visible';
  view.happens('visibilitychange');
  await pass(2000);
  assert.equal(reads.length, 1);
  view.happens('pagehide');
  assert.deepEqual(said.at(-1), { is: 'bye' });
  view.happens('pageshow', { persisted: true });
  assert.equal(said.at(-1).isAwake, true);
});
