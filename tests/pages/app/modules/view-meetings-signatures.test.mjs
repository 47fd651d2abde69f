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
  await screen.sees('This needs a new sign-in. Then try once more.', '.confirm-box[open]');
  assert.equal(screen.button('Sign in again', '.confirm-box[open]').dataset.signIn, 'anew', 'the provider may still know them');
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

// -- corrections

const [ITEM] = example('getMinutes').items;
const FINAL = { ...example('getMinutes'), status: 'final', items: [{ ...ITEM, agendaItemId: null, text: 'As it was approved.' }] };
const DRAFT = { ...example('correctMinutes'), supersedesVersion: 2 };
const NONE = () => { throw refusal(404); };

/** Opens a meeting whose approved minutes are corrected; what is saved becomes the open correction. */
function correctable(answers = {}, options = {}) {
  let correction = null;
  const correctMinutes = ({ body }) => {
    correction = { ...FINAL, status: 'draft', items: body.items.map((item) => ({ ...ITEM, agendaItemId: null, ...item })), updatedAt: `${body.items[0].text.length}` };
    return DRAFT;
  };
  return approved({ getMinutes: FINAL, getAgenda: { ...example('getAgenda'), items: [] }, getMinutesCorrection: () => correction ?? NONE(), correctMinutes, ...answers }, options);
}

test('approved minutes are corrected in the editor of minutes, and circulated with what is typed last', async () => {
  const circulated = { ...DRAFT, status: 'circulated', version: 3, sha256: 'a'.repeat(64), circulatedAt: APPROVED.circulatedAt };
  const screen = await correctable({ circulateMinutes: circulated });
  await screen.sees('As it was approved.');
  await screen.click('Correct the minutes');
  await screen.until(() => screen.one('#minutes textarea'));
  assert.equal(screen.one('#minutes textarea').value, 'As it was approved.');
  await screen.fill('#minutes textarea', 'As it was said.');
  await screen.view.flush();
  await screen.sees('A correction of version 2 is open. It was not circulated yet.');
  assert.ok(!screen.offered('#minutes').includes('Delete the minutes'));
  await screen.fill('#minutes textarea', 'As it was said, word by word.');
  await screen.click('Circulate', '#minutes');
  await screen.click('Circulate', '.confirm-box[open]');
  await screen.sees('Version 3 was circulated on');
  assert.deepEqual(screen.sent.map(([name, body]) => [name, body.items?.[0].text]), [['correctMinutes', 'As it was said.'], ['correctMinutes', 'As it was said, word by word.'], ['circulateMinutes', undefined]]);
  assert.equal(screen.sent[0][1].items[0].id, ITEM.id, 'an item stays the same item');
  await screen.click('Back to the approved minutes');
  await screen.sees('As it was approved.');
});

test('what somebody else has saved into a correction meanwhile is not written over', async () => {
  const theirs = { ...FINAL, status: 'draft', items: [{ ...FINAL.items[0], text: 'Theirs.' }], updatedAt: 'later' };
  let saved = NONE;
  const screen = await correctable({ getMinutesCorrection: () => saved() });
  await screen.click('Correct the minutes');
  await screen.until(() => screen.one('#minutes textarea'));
  saved = () => theirs;
  await screen.fill('#minutes textarea', 'Mine.');
  await screen.view.flush();
  await screen.sees('Theirs.', '#minutes .notice');
  assert.deepEqual(screen.sent, []);
});

test('while a correction is open the minutes are not written, and the approval of what it corrects can be read', async () => {
  const earlier = { ...APPROVED, signatures: [MINE] };
  const screen = await correctable({
    getMeeting: { ...BOOKED, status: 'completed' }, getMinutesApproval: ({ query }) => (query.version === '2' ? earlier : DRAFT),
  });
  await screen.sees('A correction of version 2 is open. It was not circulated yet.');
  assert.equal(screen.one('#minutes textarea'), null);
  assert.ok(!screen.offered('#minutes').some((words) => /Delete|Change/.test(words)), screen.offered('#minutes').join());
  await screen.open('#approval-2');
  await screen.sees(`Their number is ${APPROVED.number}.`, '#approval-2');
  await screen.sees('not yet in the log', '#approval-2 li');
});

test('an approved correction says what it corrects, and the corrected version by which one it was corrected', async () => {
  const newest = { ...APPROVED, version: 3, number: '2026-2', supersedesVersion: 2 };
  const screen = await correctable({ getMinutesApproval: ({ query }) => (query.version ? { ...APPROVED, status: 'corrected', supersededByVersion: 3 } : newest) });
  await screen.sees('These minutes correct version 2.');
  await screen.open('#approval-2');
  await screen.sees('Version 2 was corrected by version 3.', '#approval-2');
});

test('who may not correct minutes, and before the approval nobody, is offered a correction', async () => {
  const may = (name) => name !== 'correctMinutes';
  for (const [answers, options] of [[{}, { may }], [{ getMeeting: { ...BOOKED, status: 'completed' }, getMinutesApproval: example('getMinutesApproval') }, {}]]) {
    const screen = await correctable(answers, options);
    await screen.sees('was circulated on');
    assert.ok(!screen.offered('#minutes').includes('Correct the minutes'));
  }
});
