// What invites offer, who may change it, and where one's own are listed.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';
import { appOf, bound, loadView } from './rendered.mjs';

const { Problem } = await load('problems');
const board = { userId: 'me', member: {}, current: [], unregistered: { items: [] }, may: () => true, nameOf: (id) => id };

// -- what invites offer

const OFFER = { inviteId: 'i', inviteeEmail: 'ann@example.com', inviterId: 'me', accessType: 'guest', boardPositions: ['ceo'] };

async function offersOf({ offer = OFFER, adminRole = 'member', listBoardSentInvites = () => [offer], createInvite = () => ({}) } = {}) {
  const { InviteOffers } = await loadView('invites/invite-offers');
  const app = { ...appOf({ listBoardSentInvites, createInvite }), access: { ask: async () => {}, may: () => true } };
  const offers = new InviteOffers(app, { ...board, id: 'b', member: { adminRole } }, 'pending');
  await offers.list.loaded;
  app.asked.length = 0;
  return { app, offers };
}

const isOffered = (offers, name) => bound(offers.form(OFFER), '@submit').length > 0 && bound(offers.form(OFFER), 'value').some((value) => value === name);

test('who invited changes access and positions of an invite, an admin the access, and nobody else anything', async () => {
  const others = { ...OFFER, inviterId: 'ben' };
  const changes = async (options) => {
    const { offers } = await offersOf(options);
    return ['collaborator', 'cfo'].map((name) => isOffered(offers, name));
  };
  assert.deepEqual(await changes({}), [true, true]);
  assert.deepEqual(await changes({ offer: others, adminRole: 'admin' }), [true, false]);
  assert.deepEqual(await changes({ offer: others }), [false, false]);
});

test('an invite that is changed is sent with what differs and shows it', async () => {
  const { app, offers } = await offersOf();
  await offers.change(OFFER, { accessType: 'collaborator', boardPositions: ['ceo'] });
  assert.deepEqual(app.asked, [['createInvite', { inviteeEmail: 'ann@example.com', accessType: 'collaborator' }]]);
  assert.deepEqual(offers.list.items, [{ ...OFFER, accessType: 'collaborator' }]);
  await offers.change(offers.list.items[0], { accessType: 'collaborator' });
  assert.equal(app.asked.length, 1);
});

test('an invite whose change is refused stays as it was', async () => {
  const { offers } = await offersOf({ createInvite: () => { throw new Problem({ status: 403 }); } });
  await assert.rejects(offers.change(OFFER, { accessType: 'collaborator', boardPositions: ['cfo'] }));
  assert.deepEqual(offers.list.items, [OFFER]);
});

test('to one who may not invite there is nothing to show of what invites offer; another refusal is shown', async () => {
  const refused = async (status) => (await offersOf({ listBoardSentInvites: () => { throw new Problem({ status }); } })).offers.list;
  assert.deepEqual([(await refused(403)).items, (await refused(403)).problem], [[], null]);
  assert.equal((await refused(503)).problem.status, 503);
});

test('a person’s account lists the invites that they sent on all boards, and a token’s view asks for none', async () => {
  const { InvitesOfMine } = await loadView('invites/invites-of-mine');
  const listed = async (mayList) => {
    const app = { ...appOf({ listMyReceivedInvites: () => [] }), access: { ask: async () => {}, may: () => mayList } };
    app.api.bareArray = async (name) => { app.asked.push([name]); return { items: [{ ...OFFER, boardId: 'b' }, { ...OFFER, inviteId: 'j', boardId: 'c' }], next: null }; };
    const { sent } = new InvitesOfMine(app);
    await sent.loaded;
    return [app.asked.map(([name]) => name).includes('listMySentInvites'), sent.items.map(({ boardId }) => boardId)];
  };
  assert.deepEqual(await listed(true), [true, ['b', 'c']]);
  assert.deepEqual(await listed(false), [false, []]);
});
