// The minute book: a year's entries in a table, read whole, with their hashes to copy.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { at, example, open } from './screen.mjs';

const [ENTRY] = example('getMinuteBook').entries;
const CORRECTED = { ...ENTRY, supersededBy: '2026-2' };
const RESOLUTION = { ...ENTRY, kind: 'resolution', id: '1'.repeat(24), title: 'Adopt the budget', heldAt: null, logIndex: null, supersededBy: '2026-3' };
const HERE = at('minute-book/2026');

const book = (...entries) => ({ ...example('getMinuteBook'), entries });

test('the book says what was approved and carried, what took its place, and where the log has it', async () => {
  const screen = await open(HERE, { getMinuteBook: book(CORRECTED, RESOLUTION) });
  const [minutes, resolution] = screen.all('tbody tr');
  assert.match(minutes.textContent.replace(/\s+/g, ' '), /2026-1 .*Minutes.* corrected by 2026-2 .*2026.*412/);
  assert.match(resolution.textContent.replace(/\s+/g, ' '), /2026-1 .*Adopt the budget.*Resolution.* replaced by 2026-3 .*not yet/);
  assert.deepEqual(screen.all('tbody th a').map((link) => link.getAttribute('href')), [at(`meetings/${ENTRY.id}`), at(`resolutions/${RESOLUTION.id}`)]);
});

test('a long book is read whole', async () => {
  const answer = ({ query }) => (query.fromCount === '7' ? book({ ...ENTRY, number: '2026-7' }) : { ...book(ENTRY), nextCount: 7 });
  const screen = await open(HERE, { getMinuteBook: answer });
  assert.deepEqual(screen.all('tbody td:first-child').map((cell) => cell.textContent), ['2026-1', '2026-7']);
});

test('a hash is copied whole, and shown where it cannot be', async () => {
  const copied = [];
  const browser = (clipboard) => Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { clipboard } });
  browser({ writeText: async (text) => copied.push(text) });
  const screen = await open(HERE, { getMinuteBook: book(ENTRY) });
  await screen.click('Copy the hash of 2026-1');
  browser(undefined);
  await screen.click('Copy the hash of 2026-1');
  assert.deepEqual([copied, screen.said], [[ENTRY.sha256], ['Copied.', ENTRY.sha256]]);
});

test('without a year it is that of today, and another one is chosen', async () => {
  const years = [];
  const screen = await open(at('minute-book'), { getMinuteBook: ({ params }) => { years.push(params.year); return book(); } });
  const year = String(new Date().getFullYear());
  await screen.sees(`Nothing stands in the minute book of ${year}.`);
  await screen.fill('#book-year', String(year - 1));
  assert.deepEqual([years, screen.gone], [[year], [at(`minute-book/${year - 1}`)]]);
});

test('a manager has the sealed document of the book made, after a question', async () => {
  const screen = await open(HERE, { getMinuteBook: book(ENTRY), createMinuteBookDocument: example('createMinuteBookDocument') });
  await screen.click('Make the sealed document');
  assert.match(screen.text('.confirm-box[open]'), /every member can read/);
  assert.deepEqual(screen.sent, []);
  await screen.click('Make the sealed document', '.confirm-box[open]');
  await screen.until(() => screen.said.length);
  assert.deepEqual(screen.sent, [['createMinuteBookDocument']]);
  const reader = await open(HERE, { getMinuteBook: book(ENTRY) }, { may: (name) => name !== 'createMinuteBookDocument' });
  assert.ok(!reader.offered().includes('Make the sealed document'));
});

test('approved minutes lead to the book of their number', async () => {
  const approved = { ...example('approveMinutes'), number: '2025-4' };
  const screen = await open(at('meetings/:id'), { getMeeting: { ...example('getMeeting'), status: 'finalized' }, getMinutes: { ...example('getMinutes'), status: 'final' }, getMinutesApproval: approved });
  await screen.until(() => screen.one(`a[href="${at('minute-book/2025')}"]`));
});
