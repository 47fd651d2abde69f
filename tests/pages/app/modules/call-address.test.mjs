// Tests of what opens a call.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const { isHost, isLink } = await load('call-address');

test('an address of a call is a link where a click opens it', () => {
  for (const link of ['https://zoom.us/j/1', 'http://meet.example.com', 'tel:+331234', 'msteams:/l/x']) assert.equal(isLink(link), true, link);
  for (const text of ['zoom dot us', 'zoom.us/j/1', 'javascript:alert(1)', 'https://', 'ftp://x.example', 'https://zoom dot us']) assert.equal(isLink(text), false, text);
  assert.deepEqual([isHost('zoom.us/j/1'), isHost('zoom dot us'), isHost('room')], [true, false, false]);
});
