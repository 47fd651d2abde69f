// The names that pasted invitations give.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ME, at, example, open } from './screen.mjs';

test('pasted names are sent with the invites, and admins read them beside the addresses', async () => {
  const [invite] = example('listBoardInvites');
  const members = example('listMembers').map((member) => (member.userId === ME.id ? { ...member, adminRole: 'owner' } : member));
  const names = [{ inviteId: invite.inviteId, firstName: 'Jonas', lastName: 'Weber' }];
  const screen = await open(at('invites'), { listMembers: members, listBoardInvites: [{ ...invite, status: 'pending' }], listInviteNames: names });
  await screen.sees(`${invite.inviteeEmail} Jonas Weber`);
  await screen.fill('#f-addresses', 'Anna Berg <anna@example.com>\nOkafor, Ben; ben@example.com');
  await screen.click('Invite');
  const sent = screen.sent.filter(([name]) => name === 'createInvite').map(([, body]) => [body.inviteeEmail, body.inviteeFirstName, body.inviteeLastName]);
  assert.deepEqual(sent, [['anna@example.com', 'Anna', 'Berg'], ['ben@example.com', 'Ben', 'Okafor']]);
  assert.equal(screen.all('.results .refused').length, 0);
});
