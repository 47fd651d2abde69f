// The palette: what Enter does before anything is chosen.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import './dom.mjs';
import { loadFrom } from './load.mjs';

const { Palette } = await loadFrom('.', 'palette');

async function opened(lists = {}, board = null, agendas = {}) {
  document.body.innerHTML = '<dialog id="palette"></dialog>';
  const did = [];
  const app = { api: { page: async (name) => ({ items: lists[name] ?? [] }), bareArray: async (name) => ({ items: lists[name] ?? [] }), get: async (_, { params }) => ({ items: agendas[params.meetingId] }) }, board, update() {}, go: (path) => did.push(path), signOut: () => did.push('signed out') };
  const palette = new Palette(app, document.getElementById('palette'));
  palette.open();
  await palette.boards.loaded;
  await Promise.all(palette.lists.map(({ loaded }) => loaded));
  palette.draw();
  const input = () => document.querySelector('#palette input');
  const key = (name) => input().dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
  const type = (text) => { input().value = text; input().dispatchEvent(new Event('input', { bubbles: true })); };
  const shown = () => [...document.querySelectorAll('#palette [role=option] span')].map(({ textContent }) => textContent);
  const kinds = () => [...document.querySelectorAll('#palette [role=option] small')].map(({ textContent }) => textContent);
  return { did, key, type, shown, kinds };
}

test('Enter in a palette that was just opened opens a page: signing out stands last', async () => {
  const { did, key, shown } = await opened();
  assert.equal(shown().at(-1), 'Sign out');
  key('Enter');
  assert.deepEqual(did, ['/app/for-you']);
});

test('signing out is never chosen by itself, even where nothing else is found', async () => {
  const { did, key, type, shown } = await opened();
  type('sign out');
  assert.deepEqual(shown(), ['Sign out']);
  assert.equal(document.querySelector('#palette [aria-selected=true]'), null);
  key('Enter');
  assert.deepEqual(did, []);
  key('ArrowDown');
  key('Enter');
  assert.deepEqual(did, ['signed out']);
});

test('what is found on a board says what it is: one line each, decisions of minutes, people and action items too', async () => {
  const { did, key, type, shown, kinds } = await opened({
    listBoards: [{ id: 'b1', name: 'Northwind' }],
    listMeetings: [{ id: 'm1', title: 'Lease meeting' }],
    listUnregisteredUsers: [{ id: 'p1', fullName: 'Greta Lease' }],
    listMeetingDecisions: [{ meetingId: 'm1', decisions: [{ text: 'Lease is signed' }, { text: 'No loan' }] }],
    listBoardActionItems: [{ id: 'a1', meetingId: 'm1', title: 'Lease to the bank' }],
  });
  type('lease');
  assert.deepEqual(shown(), ['Lease meeting', 'Lease is signed', 'Lease to the bank', 'Greta Lease']);
  assert.deepEqual(kinds(), ['Meeting · Northwind', 'Decision · Northwind', 'Action item · Northwind', 'Person · Northwind']);
  key('Enter');
  assert.deepEqual(did, ['/boards/b1/meetings/m1']);
});

test('items of the agendas of the board that is shown are found, but those of meetings that are over', async () => {
  const board = { id: 'b1', board: { data: { name: 'Northwind' } }, may: () => false, path: () => '', resources: [] };
  const meetings = [{ id: 'm1', title: 'Spring', status: 'scheduled' }, { id: 'm2', title: 'Winter', status: 'finalized' }];
  const lists = { listBoards: [{ id: 'b1', name: 'Northwind' }], listMeetings: meetings };
  const { did, key, type, shown, kinds } = await opened(lists, board, { m1: [{ title: 'Lease of the office' }] });
  type('lease');
  assert.deepEqual([shown(), kinds()], [['Lease of the office'], ['Agenda · Northwind']]);
  key('Enter');
  assert.deepEqual(did, ['/boards/b1/meetings/m1']);
});
