// Tests of the live channel's connection: tickets, joins, pings, and what comes after a loss.

import assert from 'node:assert/strict';
import { mock } from 'node:test';

import { load } from './load.mjs';
import { pass, timed } from './timed.mjs';

const { Connection } = await load('live-connection');

const BOARD = 'boards/b';

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
  await pass(3_500_000, 1000);
  assert.equal(from.sockets.length, 1);
  const pings = from.sockets[0].sent.filter(({ action }) => action === 'ping');
  assert.ok(pings.length === 6, `${pings.length}`);
  from.answersPings = false;
  await pass(600_000, 1000);
  assert.ok(from.sockets.length > 1);
  assert.ok(heard.some(({ is }) => is === 'again'));
  connection.stop();
});

timed('while no tab is on the screen nothing is pinged: the connection ends before the platform ends it, and stays away', async () => {
  const from = server();
  const { connection, heard } = connected(from);
  connection.want(new Set([BOARD]));
  await pass(500);
  connection.show(false);
  await pass(500_000, 1000);
  assert.equal(from.sockets[0].readyState, 1);
  await pass(60_000, 1000);
  assert.equal(from.sockets[0].readyState, 3);
  await pass(7_200_000, 10_000);
  connection.wake();
  await pass(500);
  assert.deepEqual([from.sockets.length, from.sockets[0].sent.filter(({ action }) => action === 'ping').length], [1, 0]);
  connection.show(true);
  await pass(500);
  assert.deepEqual([from.sockets.length, joins(from.sockets[1])], [2, [BOARD]]);
  assert.deepEqual(heard.map(({ is }) => is), ['joined', 'again', 'joined']);
  await pass(600_000, 1000);
  assert.ok(from.sockets[1].sent.some(({ action }) => action === 'ping'));
  connection.stop();
});

timed('a tab that is back before that finds its connection, and asks whether it is still there', async () => {
  const from = server();
  const { connection, heard } = connected(from);
  await pass(500);
  connection.show(false);
  await pass(300_000, 1000);
  connection.show(true);
  await pass(500);
  assert.deepEqual([from.sockets.length, from.sockets[0].sent, heard], [1, [{ action: 'ping' }], []]);
  connection.show(true);
  await pass(500);
  assert.equal(from.sockets[0].sent.length, 1);
  connection.stop();
});

timed('what is lost while no tab is on the screen comes back when one is', async () => {
  const from = server();
  const { connection } = connected(from);
  await pass(500);
  connection.show(false);
  from.sockets[0].close();
  await pass(600_000, 1000);
  assert.equal(from.sockets.length, 1);
  connection.show(true);
  await pass(500);
  assert.equal(from.sockets.length, 2);
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
