// Tests of what opens a call.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const { isHost, isLink } = await load('call-address');

test('an address of a call is a link where a click opens it', () => {
  for (const link of ['https://zoom.us/j/1', 'http://meet.example.com', 'tel:+331234', 'msteams:/l/x']) assert.equal(isLink(link), true, link);
  for (const text of ['zoom dot us', 'zoom.us/j/1', 'javascript:alert(1)', 'https://', 'ftp://x.example', 'https://zoom dot us']) assert.equal(isLink(text), false, text);
});

test('a text that only holds an address opens nothing, and has no host', () => {
  for (const address of ['https://zoom.us/j/1', 'tel:+331234']) {
    for (const text of [`see ${address}`, `javascript:alert(1)//${address}`, `${address} at nine`]) assert.equal(isLink(text), false, text);
  }
  for (const text of ['see zoom.us/j/1', '/zoom.us', 'zoom.us at nine', 'zoom.us/j/1 at nine']) assert.equal(isHost(text), false, text);
});

test('a host has names with a point between them, and perhaps a path', () => {
  for (const host of ['zoom.us/j/1', 'zoom.us/', 'zoom.us', 'meet.board.example.com']) assert.equal(isHost(host), true, host);
  for (const text of ['zoom dot us', 'room', 'room/1']) assert.equal(isHost(text), false, text);
});
