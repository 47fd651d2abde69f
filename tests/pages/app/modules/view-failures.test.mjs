// What goes wrong is said in words where it happened; nothing typed is lost; a retry is one press. Nobody is offered what they may not do.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { at, example, open, refusal } from './screen.mjs';

const offline = () => { throw new TypeError('Failed to fetch'); };

for (const [name, fails, said, again] of [
  ['the service is not reached', offline, 'could not be reached', 'Try again'],
  ['a scope is missing', () => { throw refusal(403, { requiredScope: 'meetings:write' }); }, 'lacks the scope meetings:write', 'Create the meeting'],
  ['there were too many requests', () => { throw refusal(429, { wait: 12 }); }, 'You can try again in 12 seconds.', 'Try again'],
  ['the service is busy', () => { throw refusal(503); }, 'The service is busy. Nothing was changed.', 'Try again'],
  ['the service fails', () => { throw refusal(500); }, 'Something went wrong.', 'Try again'],
  ['the session has ended', () => { throw refusal(401); }, 'Your sign-in has ended.', 'Try again'],
]) {
  test(`where ${name} a form says so, keeps what was typed, and is sent again`, async () => {
    let isFailing = true;
    const screen = await open(at('meetings'), { createMeeting: () => (isFailing ? fails() : example('createMeeting')) });
    await screen.open('.disclosure');
    await screen.fill('#f-title', 'Typed once');
    await screen.click('Create the meeting');
    await screen.sees(said, '.form .problem');
    assert.equal(screen.one('#f-title').value, 'Typed once');
    isFailing = false;
    await screen.click(again);
    await screen.until(() => screen.gone.length);
    assert.deepEqual(screen.sent.map(([, { title }]) => title), ['Typed once', 'Typed once']);
    assert.ok(screen.keys[0]);
    assert.equal(screen.keys[1], screen.keys[0], 'a lost answer creates nothing twice');
  });
}

for (const [status, more, said, again] of [
  [404, {}, 'This does not exist, or you may not see it.', 'Create a guest link'],
  [409, { reason: 'LIMIT_REACHED' }, 'The limit is reached.', 'Create a guest link'],
  [429, { wait: 120 }, 'You can try again in 2 minutes.', 'Try again'],
]) {
  test(`a button that failed with ${status} says so beside it, and works again`, async () => {
    let isFailing = true;
    const meeting = { ...example('getMeeting'), startTime: null, endTime: null };
    const screen = await open(at('meetings/:id'), { getMeeting: meeting, openGuestLink: () => { if (isFailing) throw refusal(status, more); return example('openGuestLink'); } });
    for (const fold of screen.all('details.card')) if (fold.firstElementChild.textContent === 'Guests') fold.id = 'guests';
    await screen.open('#guests');
    await screen.until(() => screen.offered('#guests').includes('Create a guest link'));
    await screen.click('Create a guest link');
    assert.ok(screen.text('#guests .problem').includes(said));
    isFailing = false;
    await screen.click(again, '#guests');
    await screen.until(() => screen.one('#guest-url'));
    assert.equal(screen.one('#guests .problem'), null);
  });
}

test('what the API finds wrong stands at its field, which has the focus; the rest is kept', async () => {
  const screen = await open(at('meetings'), { createMeeting: () => { throw refusal(400, { code: 'INVALID_REQUEST_BODY', fields: { endTime: 'must be after `startTime`' } }); } });
  await screen.open('.disclosure');
  await screen.fill('#f-title', 'Ends before it starts');
  await screen.click('Create the meeting');
  assert.equal(screen.text('#f-endTime-error'), 'The end must come after the start.');
  assert.match(screen.text('.problem'), /Nothing was saved\. Correct what is marked above\./);
  assert.deepEqual([document.activeElement.id, screen.one('#f-title').value], ['f-endTime', 'Ends before it starts']);
  assert.doesNotMatch(screen.text(), /startTime/);
});

test('a view that failed is loaded again with one press, and what is not there says so', async () => {
  let isFailing = true;
  const screen = await open(at('documents'), { listDocuments: () => { if (isFailing) throw refusal(503); return example('listDocuments'); } });
  assert.match(screen.text(), /The service is busy\./);
  isFailing = false;
  await screen.click('Try again');
  await screen.sees(example('listDocuments')[0].title);
  const absent = await open(at('meetings/:id'), { getMeeting: () => { throw refusal(404); } });
  assert.match(absent.text(), /This does not exist, or you may not see it\./);
});

// What everybody may press on each page of a board.
const OFFERED = {
  meetings: [], 'meetings/:id': ['I will attend', 'Maybe', 'I will not attend', 'Withdraw', 'Add a comment'], documents: [], 'documents/:id': [],
  reports: [], 'reports/:id': ['Print', 'Who may edit'], cycles: [], 'cycles/:id': [], bets: ['Show how the figures went'], year: ['2025', '2027'], members: [], invites: [], 'action-items': [],
  resolutions: ['Save as CSV'], 'resolutions/:id': [], webhooks: [], 'webhooks/:id': ['Refresh'], tokens: [], settings: [],
};

for (const [page, offered] of Object.entries(OFFERED)) {
  test(`who only reads is offered nothing to write on ${page.replace('/:id', ' of an id')}`, async () => {
    const screen = await open(at(page), {}, { may: (name) => /Rsvp$/.test(name) });
    assert.deepEqual(screen.offered(), offered);
    assert.equal(screen.one('.drop'), null);
  });
}

test('the second button of a question names what stays', async () => {
  for (const path of ['documents/:id', 'members', 'reports/:id', 'meetings/:id', 'resolutions/:id']) {
    const screen = await open(at(path));
    const kept = screen.all('.confirm-box .row > .plain').map(({ textContent }) => textContent.trim());
    assert.ok(kept.length, path);
    for (const words of kept) assert.match(words, /^(Keep (it|them|the .*)|Leave it .*|Stay|Not now)$/, path);
  }
});
