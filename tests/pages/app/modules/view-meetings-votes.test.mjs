// What members and guests answer: votes, times that they propose, whether they attend. What was answered last is what is shown and kept.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { appOf, deferred, loadView, never } from './rendered.mjs';
import { ME, at, example, open, refusal, settled } from './screen.mjs';

const HERE = at('meetings/:id');
const FUTURE = '2099-01-01T09:00:00.000Z';
const BOOKED = example('getMeeting');
const MEETING = { ...BOOKED, startTime: null, endTime: null };
const SLOT = { ...example('listSlots')[0], startTime: FUTURE, endTime: FUTURE };

const voted = (vote, comment = null) => ({ ...SLOT, feedbacks: [{ userId: ME.id, vote, comment, isGuest: false }] });

/** The grid of a meeting with one time, whose votes get these answers one after the other. */
async function gridOf(slot, ...answers) {
  const screen = await open(HERE, { getMeeting: MEETING, getMeetingPoll: () => { throw refusal(404); }, listSlots: [slot], voteOnSlot: () => answers.shift() });
  return Object.assign(screen, {
    vote: (kind) => screen.press(screen.one(`.own .vote.${kind}`)),
    pressed: () => ['ok', 'challenging', 'cant'].filter((kind) => screen.one(`.own .${kind}[aria-pressed=true]`)),
    votes: () => screen.sent.map(([, { vote }]) => vote),
  });
}

test('of two quick votes the second is sent after the first was answered, and stays', async () => {
  const [first, second] = [deferred(), deferred()];
  const grid = await gridOf(voted('didNotVote'), first.promise, second.promise);
  await grid.vote('ok');
  await grid.vote('cant');
  assert.deepEqual(grid.votes(), ['ok']);
  first.resolve(voted('ok'));
  await settled();
  assert.deepEqual([grid.votes(), grid.pressed()], [['ok', 'cant'], ['cant']]);
  second.resolve(voted('cant'));
  await settled();
  assert.deepEqual(grid.pressed(), ['cant']);
});

test('where the second of two votes is refused the first is what is shown', async () => {
  const [first, second] = [deferred(), deferred()];
  const grid = await gridOf(voted('didNotVote'), first.promise, second.promise);
  await grid.vote('ok');
  await grid.vote('cant');
  first.resolve(voted('ok'));
  await settled();
  second.reject(refusal(409));
  await settled();
  assert.deepEqual(grid.pressed(), ['ok']);
  assert.match(grid.text('.refusal'), /was not taken/);
});

test('a vote that is changed keeps the comment that was given with it', async () => {
  const grid = await gridOf(voted('ok', 'By train'), never);
  await grid.vote('challenging');
  assert.deepEqual(grid.sent, [['voteOnSlot', { vote: 'challenging', comment: 'By train' }]]);
});

/** The form for new times, in the zone of Tokyo. */
async function proposalOf(more = {}) {
  const screen = await open(HERE, { getMeeting: MEETING, getMeetingPoll: () => { throw refusal(404); }, listSlots: [SLOT], createSlot: SLOT, ...more });
  await screen.open('#propose');
  await screen.until(() => screen.one('#propose-zone'));
  await screen.fill('#propose-zone', 'Asia/Tokyo');
  for (const details of screen.all('#propose .disclosure')) details.open = true;
  return screen;
}

test('times are proposed in the zone that is chosen, whatever the reader’s is', async () => {
  const screen = await proposalOf();
  await screen.fill('#propose-list', '2099-03-10 09:00');
  await screen.click('Choose these');
  await screen.click('Propose');
  const [[, { startTime, timezone }]] = screen.sent;
  assert.deepEqual([startTime, timezone], ['2099-03-10T00:00:00.000Z', 'Asia/Tokyo']);
});

test('times that are copied from another meeting stay the same instants', async () => {
  const screen = await proposalOf({ listMeetings: [{ ...MEETING, id: 'other', title: 'Other' }] });
  await screen.click('Show the meetings');
  await screen.click('Other');
  await screen.click('Propose');
  assert.equal(screen.sent[0][1].startTime, FUTURE);
});

/** The answers to a meeting that is booked; its own answer, and what is given to each that is sent. */
async function answersOf(own, ...given) {
  const mine = { userId: ME.id, comment: null, updatedAt: null, ...own };
  return open(HERE, { getMeeting: { ...BOOKED, startTime: FUTURE, endTime: FUTURE }, listSlots: [], listRsvps: [mine], listUnregisteredRsvps: [], putMyRsvp: () => given.shift() });
}

test('an answer that is refused is put back', async () => {
  const answer = deferred();
  const screen = await answersOf({ status: 'tentative' }, answer.promise);
  const pressed = () => screen.all('.answer').map((button) => button.getAttribute('aria-pressed'));
  assert.deepEqual(pressed(), ['false', 'true', 'false']);
  await screen.press(screen.one('.answer'));
  assert.deepEqual(pressed(), ['true', 'false', 'false']);
  answer.reject(refusal(409));
  await settled();
  assert.deepEqual(pressed(), ['false', 'true', 'false']);
});

test('an answer that is sent while its comment is saved keeps the comment', async () => {
  const saved = deferred();
  const screen = await answersOf({ status: 'tentative' }, saved.promise, never);
  await screen.open('.disclosure:has(#rsvp-comment)');
  await screen.fill('#rsvp-comment', 'By train');
  await screen.click('Save the comment');
  await screen.press(screen.one('.answer'));
  assert.equal(screen.sent.length, 1);
  saved.resolve({ userId: ME.id, status: 'tentative', comment: 'By train', updatedAt: null });
  await settled();
  assert.deepEqual(screen.sent[1], ['putMyRsvp', { status: 'accepted', comment: 'By train' }]);
});

// -- guests

const SEEN = { ...example('getGuestMeeting'), startTime: null, endTime: null, bookedSlotId: null, status: 'scheduled', slots: [{ ...example('getGuestMeeting').slots[0], startTime: FUTURE, endTime: FUTURE }] };

/** The page of a guest's link, with an address typed unless the link says who votes. */
async function guestOf(voteOnSlotAsGuest, more = {}) {
  localStorage.clear();
  const screen = await open('/guest/T', { getGuestMeeting: { ...SEEN, ...more }, voteOnSlotAsGuest });
  if (!more.personal) await screen.fill('#guest-email', 'ann@example.com');
  return Object.assign(screen, {
    vote: (kind) => screen.press(screen.one(`.vote.${kind}`)),
    pressed: () => screen.all('.vote').map((button) => button.getAttribute('aria-pressed') === 'true'),
  });
}

test('who votes by a link of their own is not asked for an address, and sends none', async () => {
  const guest = await guestOf({}, { personal: true });
  assert.equal(guest.one('#guest-email'), null);
  await guest.vote('ok');
  assert.deepEqual(guest.sent, [['voteOnSlotAsGuest', { vote: 'ok' }]]);
});

test('a guest’s vote that is changed keeps its comment, and one that is refused is shown as it was', async () => {
  const answers = [() => ({}), () => ({}), () => { throw refusal(409); }];
  const guest = await guestOf(() => answers.shift()());
  await guest.vote('ok');
  Object.assign(guest.view.given.values().next().value, { comment: 'By train' });
  await guest.vote('cant');
  assert.deepEqual(guest.sent.map(([, { vote, comment }]) => [vote, comment ?? null]), [['ok', null], ['cant', 'By train']]);
  await guest.vote('challenging');
  assert.deepEqual(guest.pressed(), [false, false, true]);
  const refused = await guestOf(() => { throw refusal(409); });
  await refused.vote('ok');
  assert.deepEqual(refused.pressed(), [false, false, false]);
});

test('a guest’s vote is not replaced by one that was remembered', async () => {
  const first = await guestOf({});
  await first.vote('ok');
  const { default: create } = await loadView('meetings/guest');
  const again = create(appOf({ getGuestMeeting: () => SEEN, voteOnSlotAsGuest: () => never }), { token: 'T' });
  await again.meeting.loaded;
  again.given.set(SEEN.slots[0].id, { vote: 'cant' });
  while (!again.answers) await settled();
  assert.deepEqual([again.answers.read().answers[SEEN.slots[0].id].vote, again.given.get(SEEN.slots[0].id).vote], ['ok', 'cant']);
});
