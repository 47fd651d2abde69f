// Who signs the minutes of a board: chosen on the page of its members.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ME, at, example, open } from './screen.mjs';

const [OTHER] = example('listMembers').filter(({ userId }) => userId !== ME.id);
const SIGNERS = { ...example('getMinutesSigners'), signers: [{ userId: ME.id, role: 'Chair' }, { userId: OTHER.userId, role: 'Secretary' }] };

/** Shows the members of a board with these signers, with the form that chooses them opened. */
async function choosing(signers) {
  const screen = await open(at('members'), { getMinutesSigners: { ...SIGNERS, signers }, putMinutesSigners: ({ body }) => ({ ...SIGNERS, ...body }) });
  await screen.open('#choose-signers');
  return screen;
}

const save = (screen) => screen.click('Save', '#choose-signers');

test('signers are added, each member once and in a role, and listed once they are saved', async () => {
  const screen = await choosing([SIGNERS.signers[0]]);
  assert.match(screen.text('#signers'), new RegExp(`${ME.firstName} ${ME.lastName}, Chair`));
  await screen.click('Add a signer');
  assert.ok(!screen.all('#signer-1 option').some(({ value }) => value === ME.id), 'who signs already is not offered again');
  await screen.fill('#signer-1', OTHER.userId);
  await screen.fill('#signer-role-1', ' Secretary ');
  assert.ok(!screen.all('#signer-0 option').some(({ value }) => value === OTHER.userId));
  await save(screen);
  assert.deepEqual(screen.sent, [['putMinutesSigners', { signers: SIGNERS.signers }]]);
  assert.equal(screen.all('#signers > ol li').length, 2);
  assert.equal(screen.one('#choose-signers').open, false);
});

test('signers are put in order and removed, and stay as they are until that is saved', async () => {
  const screen = await choosing(SIGNERS.signers);
  await screen.click('Move item 2 up', '#choose-signers');
  assert.deepEqual(screen.sent, []);
  await save(screen);
  assert.deepEqual(screen.sent[0][1].signers, [...SIGNERS.signers].reverse());
  await screen.open('#choose-signers');
  await screen.click('Remove signer 2');
  await screen.click('Remove signer 1');
  await save(screen);
  assert.deepEqual(screen.sent[1][1], { signers: [] });
  await screen.sees('Nobody signs the minutes of this board.');
});

test('no more signers are added than the API takes, nor by who may not', async () => {
  const members = Array.from({ length: 11 }, (_, index) => ({ ...OTHER, id: `m${index}`, userId: `u${index}` }));
  const signers = members.map(({ userId }) => ({ userId, role: 'Member' }));
  for (const [number, isOffered] of [[9, true], [10, false]]) {
    const screen = await open(at('members'), { listMembers: members, getMinutesSigners: { ...SIGNERS, signers: signers.slice(0, number) } });
    await screen.open('#choose-signers');
    assert.equal(screen.offered('#choose-signers').includes('Add a signer'), isOffered);
  }
  const screen = await open(at('members'), { getMinutesSigners: SIGNERS }, { may: (name) => name !== 'putMinutesSigners' });
  assert.match(screen.text('#signers'), /Chair/);
  assert.equal(screen.one('#choose-signers'), null);
});
