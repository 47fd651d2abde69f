// What admins and owners do with a board: its settings, invites, tokens, webhooks.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ME, at, example, open, refusal } from './screen.mjs';

const OTHERS = example('listMembers').filter(({ userId }) => userId !== ME.id);
const [ADAM] = OTHERS;

test('a board is handed over to a member whose name is typed, and to nobody else', async () => {
  const screen = await open(at('settings'));
  assert.equal(screen.one('#new-owner-name'), null);
  await screen.fill('#f-memberId', ADAM.id);
  await screen.fill('#new-owner-name', 'Olivia Marsh');
  await screen.click('Make Adam Reyes the owner');
  assert.match(screen.text(), /This is not the name of Adam Reyes\. Nothing was changed\./);
  assert.deepEqual(screen.sent, []);
  await screen.fill('#new-owner-name', 'adam reyes');
  await screen.click('Make Adam Reyes the owner');
  assert.deepEqual(screen.sent, [['transferBoardOwnership', { memberId: ADAM.id }]]);
});

test('a member leaves the board after a question, and its owner is offered no such thing', async () => {
  const members = (role) => example('listMembers').map((member) => (member.userId === ME.id ? { ...member, adminRole: role } : member));
  const screen = await open(at('members'), { listMembers: members('member') });
  await screen.until(() => screen.one('.menu [aria-haspopup=dialog]'));
  const [own] = screen.all('.rows > li').filter((row) => row.textContent.includes('You'));
  own.id = 'own';
  await screen.open('#own .menu');
  await screen.sees('Leave', '#own');
  await screen.confirm('Leave', 'Leave the board', '#own');
  assert.deepEqual([screen.sent, screen.gone], [[['removeMember']], ['/boards']]);
  const owner = await open(at('members'), { listMembers: members('owner') });
  assert.doesNotMatch(owner.main.textContent, /Leave/);
});

test('the question before a removal says how many guest links end with it', async () => {
  const ask = async (guestLinks) => {
    const screen = await open(at('members'), { previewRemoval: { ...example('previewRemoval'), guestLinks } });
    await screen.until(() => screen.all('.menu [aria-haspopup=dialog]').length > 0);
    const [row] = screen.all('.rows > li').filter((each) => each.textContent.includes('Adam Reyes'));
    row.id = 'adam';
    await screen.open('#adam .menu');
    await screen.sees('loses access at once', '#adam .question');
    return screen;
  };
  const screen = await ask(3);
  await screen.sees('3 guest links to meetings stop working, because they made them.', '#adam .question');
  assert.doesNotMatch((await ask(0)).text('#adam .question'), /guest link/);
});

test('pasted addresses are invited one by one, each with its own result; those that were refused stay', async () => {
  const refused = { 'colin@example.com': 'must not be the address of a member of the board', nobody: 'must be an e-mail address such as ann@example.com' };
  const screen = await open(at('invites'), {
    createInvite: ({ body: { inviteeEmail } }) => {
      if (refused[inviteeEmail]) throw refusal(400, { fields: { inviteeEmail: refused[inviteeEmail] } });
      return { ...example('createInvite'), deduped: false };
    },
  });
  await screen.fill('#f-addresses', 'Omar Reed <omar@example.com>, ida@example.com; colin@example.com\nnobody');
  assert.equal(screen.one('[name=accessType]:checked').value, 'collaborator');
  assert.equal(screen.one('[name=boardPositions]:checked').value, 'board member');
  await screen.click('Invite', 'form');
  await screen.sees('nobody This is not an e-mail address.', '.results');
  for (const words of ['omar@example.com is invited. The mail was sent.', 'ida@example.com is invited.', 'colin@example.com This person is on the board already.']) assert.ok(screen.text('.results').includes(words), words);
  assert.equal(screen.one('#f-addresses').value, 'colin@example.com\nnobody');
  assert.deepEqual(screen.sent[0], ['createInvite', { inviteeEmail: 'omar@example.com', inviteeFirstName: 'Omar', inviteeLastName: 'Reed', accessType: 'collaborator', boardPositions: ['board member'] }]);
});

test('the mail of an invite is sent again, or is said to wait; one that comes back is marked; an invite that is taken back is found among all', async () => {
  const [person] = example('listUnregisteredUsers');
  const bounced = { ...person, email: 'nadia@example.com', receivesMail: true, status: 'active', bounce: { kind: 'bounce', at: '2026-11-25T12:00:00.000Z', reason: 'unknown' } };
  const screen = await open(at('invites'), { listUnregisteredUsers: [bounced], sendInvite: { ...example('sendInvite'), throttled: true, throttleReason: 'per-invite' } });
  assert.match(screen.text('.rows'), /Mails come back/);
  await screen.open('.rows .menu');
  await screen.click('Resend the mail to nadia@example.com');
  assert.match(screen.text(), /Not sent: At most one mail an hour is sent for an invite\./);
  await screen.open('.rows .menu');
  await screen.confirm('Withdraw', 'Withdraw the invite', '.rows');
  assert.deepEqual(screen.sent.at(-1), ['retractInvite']);
  assert.doesNotMatch(screen.text('.card'), /nadia@/);
  await screen.fill('#f-shown', '');
  assert.match(screen.text('.rows'), /nadia@example\.com.*Withdrawn/);
});

test('a secret is shown once: a token’s, a webhook’s, a calendar’s', async () => {
  const token = example('createBoardToken');
  const screen = await open(at('tokens'));
  await screen.open('.disclosure');
  await screen.fill('#token-name', 'Nightly export');
  await screen.click('Create the token');
  assert.equal(screen.one('#secret').value, token.secret);
  assert.deepEqual(screen.sent, [['createBoardToken', { name: 'Nightly export', preset: 'read_only', expiresInDays: 90 }]]);
  await screen.click('I have it');
  assert.ok(!document.documentElement.outerHTML.includes(token.secret));

  const hook = await open(at('webhooks/:id'));
  await hook.open('.menu');
  await hook.confirm('New secret', 'Create a new secret');
  await hook.sees('Copy the new secret.');
  assert.equal(hook.one('#webhook-secret').value, example('rotateWebhookSecret').secret);

  const account = await open('/app/account');
  await account.open('.card:has(#feed-name) .disclosure');
  await account.fill('#feed-name', 'Board dates');
  await account.click('Create the address');
  assert.equal(account.one('#feed-address').value, example('createCalendarFeed').url);
  await account.click('I have it');
  assert.equal(account.one('#feed-address'), null);
});

test('a token that is revoked, and a calendar that is deleted, are so on the page', async () => {
  const screen = await open(at('tokens'));
  await screen.confirm('Revoke');
  assert.match(screen.text('.rows'), /Revoked/);
  const account = await open('/app/account');
  await account.confirm('Delete', 'Delete the calendar', '.card:has(#feed-name)');
  assert.match(account.text(), /There is no calendar yet\./);
  assert.deepEqual(account.sent, [['deleteCalendarFeed']]);
});

test('what another changed meanwhile is said, and their version is offered', async () => {
  const screen = await open(at('webhooks/:id'), { updateWebhook: () => { throw refusal(412); } });
  await screen.click('Switch off');
  assert.match(screen.text(), /Somebody else changed this in the meantime\./);
  assert.ok(screen.offered().includes('Load their version'));
});

test('a webhook is tested, its attempts are read again, and it is switched off and deleted after a question', async () => {
  const [delivery] = example('listWebhookDeliveries');
  const deliveries = [];
  const screen = await open(at('webhooks/:id'), {
    listWebhookDeliveries: () => deliveries,
    testWebhook: () => { deliveries.push(delivery); return delivery; },
    updateWebhook: ({ body }) => ({ ...example('getWebhook'), ...body }), deleteWebhook: { deleted: true },
  });
  await screen.click('Send a test');
  await screen.click('Refresh');
  assert.match(screen.text(), new RegExp(delivery.type));
  await screen.open('.plain-list details, .rows details');
  assert.match(screen.text(), new RegExp(`${delivery.attempts[0].statusCode} after`));
  await screen.click('Switch off');
  assert.match(screen.text(), /Disabled/);
  await screen.open('.menu');
  await screen.confirm('Delete', 'Delete the webhook');
  assert.deepEqual(screen.sent.map(([name]) => name), ['testWebhook', 'updateWebhook', 'deleteWebhook']);
  assert.deepEqual(screen.gone, [at('webhooks')]);
});
