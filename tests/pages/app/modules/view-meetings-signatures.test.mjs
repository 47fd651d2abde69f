// The signatures on approved minutes, and corrections of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ME, at, example, open, refusal } from './screen.mjs';

const HERE = at('meetings/:id');
const BOOKED = example('getMeeting');
const APPROVED = { ...example('approveMinutes'), version: 2, signatures: [] };
const SIGNERS = { ...example('getMinutesSigners'), signers: [{ userId: 'f'.repeat(24), role: 'Chair' }, { userId: ME.id, role: 'Secretary' }] };
const MINE = { userId: ME.id, role: 'Secretary', at: '2026-12-04T10:30:00.000Z', logIndex: null };

/** Opens a finalized meeting whose minutes are approved. */
function approved(answers = {}, options = {}) {
  return open(HERE, {
    getMeeting: { ...BOOKED, status: 'finalized' }, getMinutes: { ...example('getMinutes'), status: 'final' }, getMinutesApproval: APPROVED, getMinutesSigners: SIGNERS,
    listMinutesRemarks: [], ...answers,
  }, options);
}

test('signatures say who signed, in which role and when, which entry of the log holds them, and what they are', async () => {
  const screen = await approved({ getMinutesApproval: { ...APPROVED, signatures: [{ ...MINE, userId: 'f'.repeat(24), role: 'Chair', logIndex: 41 }, MINE] } });
  await screen.until(() => screen.one('#signatures li'));
  const [chair, secretary] = screen.all('#signatures li').map(({ textContent }) => textContent);
  assert.match(chair, /^A former member, Chair .*2026.* · entry 41 of the log$/);
  assert.match(secretary, new RegExp(`^${ME.firstName} ${ME.lastName}, Secretary .*2026.* · not yet in the log$`));
  assert.match(screen.text('#signatures'), /an act of a signed-in person that the log holds\. It is not a qualified electronic signature\./);
});

test('a signer who has not signed this version signs it in two clicks, after a question', async () => {
  const screen = await approved({ signMinutes: { ...APPROVED, signatures: [MINE] } });
  await screen.sees('Nobody has signed yet.');
  await screen.click('Sign the minutes', '#signatures');
  assert.match(screen.text('.confirm-box[open]'), /as: Secretary\.\s*A signature cannot be withdrawn\./);
  assert.deepEqual(screen.sent, []);
  await screen.click('Sign the minutes', '.confirm-box[open]');
  await screen.sees('Secretary', '#signatures li');
  assert.deepEqual(screen.sent, [['signMinutes']]);
  assert.ok(!screen.offered('#signatures').includes('Sign the minutes'), 'each signs a version once');
});

test('who signed in too long ago is told so, and signs in again where the page is', async () => {
  let isFresh = false;
  const signMinutes = () => {
    if (isFresh) return { ...APPROVED, signatures: [MINE] };
    throw refusal(403, { code: 'FRESH_SESSION_REQUIRED' });
  };
  const screen = await approved({ signMinutes });
  await screen.sees('Nobody has signed yet.');
  await screen.click('Sign the minutes', '#signatures');
  await screen.click('Sign the minutes', '.confirm-box[open]');
  await screen.sees('This needs a sign-in of the last ten minutes. Then try once more.', '.confirm-box[open]');
  assert.ok(screen.button('Sign in again', '.confirm-box[open]').matches('[data-sign-in]'));
  isFresh = true;
  await screen.click('Sign the minutes', '.confirm-box[open]');
  await screen.sees('Secretary', '#signatures li');
});

test('who is no signer or may not sign is offered no signature, and before the approval nobody is', async () => {
  for (const [answers, may] of [[{ getMinutesSigners: { ...SIGNERS, signers: SIGNERS.signers.slice(0, 1) } }], [{}, (name) => name !== 'signMinutes']]) {
    const screen = await approved(answers, may && { may });
    await screen.sees('Nobody has signed yet.');
    assert.ok(!screen.offered('#signatures').includes('Sign the minutes'));
  }
  const before = await approved({ getMeeting: { ...BOOKED, status: 'completed' }, getMinutesApproval: example('getMinutesApproval') });
  await before.sees('Version 1 was circulated on');
  assert.equal(before.one('#signatures'), null);
  assert.ok(!before.asked.some(([name]) => name === 'getMinutesSigners'));
});
