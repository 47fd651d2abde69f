// The history of a board: who did what to which thing, what is filtered, and how an entry is checked.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';

import { load } from './load.mjs';
import { BOARD, ME, at, example, open } from './screen.mjs';
import { KEY, proven } from './log.mjs';

(await load('dates')).setAccountZone('UTC');

const [MEETING] = example('listMeetings');
const [RESOLUTION] = example('listResolutions');
const [MEMBER] = example('listMembers').filter(({ userId }) => userId !== ME.id);
const id = (number) => `${number}`.padStart(24, '0');
const when = (day) => `2026-10-${day}T10:00:00.000Z`;
const entry = (number, action, details = {}) => ({ _id: id(number), boardId: BOARD.id, actorUser: ME.id, action, details, createdVia: 'web', createdAt: when(number), updatedAt: when(number) });
const event = (number, type, refs = {}, more = {}) => ({ object: 'event', id: id(number), boardId: BOARD.id, type, actorUserId: ME.id, createdVia: 'web', createdAt: when(number), refs, details: {}, changes: [], ...more });

const UPDATED = entry(11, 'meetingUpdate', { fields: ['title'] });
const ENTRIES = [UPDATED, entry(12, 'wsRoomJoin')];
const EVENTS = [
  event(11, 'meeting.updated', { meetingId: MEETING.id }, { details: { fields: ['title'] }, changes: [{ field: 'title', from: 'Spring', to: 'Summer' }] }),
  event(13, 'resolution.recused', { resolutionId: RESOLUTION.id, voterId: MEMBER.userId }, { details: { recused: true }, actorUserId: MEMBER.userId }),
  event(14, 'minutes.deleted', { meetingId: MEETING.id }),
];
const shown = (query = '', answers = {}) => open(`${at('history')}${query}`, { listAuditEntries: ENTRIES, listBoardEvents: EVENTS, listMeetings: [MEETING], listResolutions: [RESOLUTION], ...answers });
const rows = (screen) => screen.all('.history > li').map((each) => each.textContent.replace(/\s+/g, ' ').trim());

const { fetch } = globalThis;
afterEach(() => { globalThis.fetch = fetch; });

test('the history names things and says from what to what; who follows the board live is left out at first', async () => {
  const screen = await shown();
  const [minutes, recused, updated, ...rest] = rows(screen);
  assert.match(minutes, new RegExp(`^Olivia Marsh deleted the minutes of a meeting ${MEETING.title}`));
  assert.match(recused, new RegExp(`^${MEMBER.firstName} ${MEMBER.lastName} recorded the recusal of a voter on a resolution .*${RESOLUTION.title}`));
  assert.match(updated, new RegExp(`^Olivia Marsh changed a meeting ${MEETING.title} title: Spring → Summer`));
  assert.deepEqual(rest, []);
  assert.equal(screen.one('.history > li:nth-child(2) a').getAttribute('href'), at(`resolutions/${RESOLUTION.id}`));
  await screen.fill('#history-live', true);
  assert.ok(rows(screen).some((row) => row.includes('follows the board live')));
});

test('rows are filtered by person, kind, thing and day, and the address keeps the filters', async () => {
  const screen = await shown();
  const found = async (name, value) => {
    await screen.fill(`#history-${name}`, value);
    const count = rows(screen).length;
    await screen.fill(`#history-${name}`, '');
    return count;
  };
  assert.equal(await found('person', MEMBER.userId), 1);
  assert.equal(await found('kind', 'meetings'), 2);
  assert.equal(await found('thing', RESOLUTION.id), 1);
  assert.equal(await found('from', '2026-10-13'), 2);
  assert.equal(await found('until', '2026-10-13'), 2);
  await screen.fill('#history-kind', 'meetings');
  assert.equal(screen.gone.at(-1).kind, 'meetings');
});

test('the page of a resolution leads to its history', async () => {
  const page = await open(at(`resolutions/${RESOLUTION.id}`), { getResolution: RESOLUTION });
  const address = page.button('History').getAttribute('href');
  assert.equal(address, `${at('history')}?thing=${RESOLUTION.id}`);
  const screen = await shown(`?thing=${RESOLUTION.id}`);
  assert.equal(rows(screen).length, 1);
  assert.equal(screen.one('#history-thing').value, RESOLUTION.id);
});

test('those who may not read it are offered no history', async () => {
  const page = await open(at(`resolutions/${RESOLUTION.id}`), { getResolution: RESOLUTION }, { may: (name) => name !== 'listAuditEntries' });
  assert.doesNotMatch(page.text(), /History/);
});

const logged = JSON.stringify(UPDATED);

/** Checks the change of the meeting with this proof, and returns what the page says. */
async function check(proof) {
  globalThis.fetch = async (address) => ({ ok: address === '/log/key', text: async () => KEY });
  const screen = await shown('', { getLogProof: proof });
  await screen.click('Check this entry', '.history > li:nth-child(3)');
  await screen.until(() => !screen.one('.history .loading'));
  return screen;
}

test('an entry is checked in the page: as it is shown, in the log, under the log’s signature', async () => {
  const screen = await check(proven(logged));
  await screen.sees('The proof of this entry is valid.', '.history');
  assert.match(screen.text('.history'), /entry 2 of the log governance\.example\.com\/log.*signed its checkpoint of 7 entries/s);
});

test('an entry that is not as it was logged does not hold', async () => {
  const screen = await check(proven(logged.replace('"title"', '"location"')));
  await screen.sees('The proof of this entry is not valid.', '.history');
  assert.match(screen.text('.history'), /differs from what was logged/);
});

test('an entry without a place in the log says that it is logged within a minute', async () => {
  const screen = await check({ ...proven(logged), index: null, proof: null });
  await screen.sees('within a minute', '.history');
});

test('what is saved is what a check elsewhere needs: the entry, its salt and the proof', async () => {
  const kept = [];
  globalThis.URL.createObjectURL = (blob) => { kept.push(blob); return 'blob:1'; };
  globalThis.URL.revokeObjectURL = () => {};
  const screen = await check(proven(logged));
  await screen.sees('The proof of this entry is valid.', '.history');
  await screen.open('.history details');
  await screen.click('Save the proof');
  const { entry: text, salt, proof } = proven(logged);
  assert.deepEqual(JSON.parse(await kept[0].text()), { entry: text, salt, proof });
});
