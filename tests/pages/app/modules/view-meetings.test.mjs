// A meeting: what is shown, offered and sent on its way from proposed times to minutes.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ME, at, example, open, ownInstant, refusal } from './screen.mjs';

const HERE = at('meetings/:id');
const MEETING = { ...example('getMeeting'), startTime: null, endTime: null };
const BOOKED = example('getMeeting');
const [SLOT] = example('listSlots');
const LATER = { ...SLOT, id: 'later', startTime: '2026-12-11T09:15:00.000Z', endTime: '2026-12-11T10:15:00.000Z' };
const NO_POLL = () => { throw refusal(404); };
const [TASK] = example('listMeetingActionItems');

test('a refused vote is put back with the reason, and can be given again', async () => {
  let isClosed = true;
  const vote = ({ body }) => {
    if (isClosed) throw refusal(409, { reason: 'SLOT_VOTES_CLOSED' });
    return { ...SLOT, feedbacks: [{ userId: ME.id, isGuest: false, comment: null, ...body }] };
  };
  const screen = await open(HERE, { getMeeting: MEETING, voteOnSlot: vote });
  const pressed = () => screen.all('.own [aria-pressed=true]').length;
  await screen.press(screen.one('.own .vote.ok'));
  assert.match(screen.text('#times'), /was not taken.*Voting on this time is closed\./);
  assert.equal(pressed(), 0);
  isClosed = false;
  await screen.press(screen.one('.own .vote.cant'));
  assert.equal(pressed(), 1);
  assert.doesNotMatch(screen.text('#times'), /was not taken/);
});

test('a vote has a deadline that is set, moved and removed', async () => {
  const putMeetingPoll = ({ body }) => ({ ...example('getMeetingPoll'), ...body });
  const screen = await open(HERE, { getMeeting: MEETING, getMeetingPoll: NO_POLL, putMeetingPoll });
  await screen.open('#deadline');
  await screen.fill('#f-closesAt', '2026-12-06T12:00');
  await screen.click('Save the deadline');
  assert.match(screen.text('#times'), /Vote until.*get one reminder/);
  await screen.open('#deadline');
  await screen.fill('#f-closesAt', '2026-12-07T12:00');
  await screen.fill('[name=remind]', false);
  await screen.click('Save the deadline');
  assert.deepEqual(screen.sent, [['putMeetingPoll', { closesAt: ownInstant('2026-12-06T12:00'), remind: true }], ['putMeetingPoll', { closesAt: ownInstant('2026-12-07T12:00'), remind: false }]]);
  await screen.open('#deadline');
  await screen.click('Remove the deadline');
  assert.doesNotMatch(screen.text('#times'), /Vote until/);
});

test('after the deadline nobody is offered a vote, and the reader of a board never is', async () => {
  const over = await open(HERE, { getMeeting: MEETING, getMeetingPoll: { ...example('getMeetingPoll'), closesAt: '2026-11-26T11:59:59.000Z' } });
  assert.match(over.text('#times'), /Voting ended/);
  assert.equal(over.one('.vote'), null);
  const may = (name) => name !== 'voteOnSlot';
  assert.equal((await open(HERE, { getMeeting: MEETING, getMeetingPoll: NO_POLL }, { may })).one('.vote'), null);
  assert.equal((await open(HERE, { getMeeting: MEETING, getMeetingPoll: NO_POLL }, { me: 'token' })).one('.vote'), null);
});

test('those who are missing are reminded after a question, and are said to have been less than a day ago', async () => {
  const others = example('listMembers').filter(({ userId }) => userId !== ME.id).map(({ userId }) => ({ userId, isGuest: false, vote: 'didNotVote', comment: null }));
  const answers = { getMeeting: MEETING, getMeetingPoll: NO_POLL, listSlots: [{ ...SLOT, feedbacks: [{ userId: ME.id, isGuest: false, vote: 'ok', comment: null }, ...others] }] };
  const screen = await open(HERE, { ...answers, sendMeetingReminder: { ...example('sendMeetingReminder'), recipients: others.map(({ userId }) => userId) } });
  await screen.confirm('Remind Adam Reyes', 'Remind', '#times');
  assert.match(screen.text('#times'), /Reminded: Adam Reyes/);
  assert.deepEqual(screen.sent, [['sendMeetingReminder', { about: 'votes' }]]);
  const again = await open(HERE, { ...answers, sendMeetingReminder: () => { throw refusal(429, { wait: 86_400 }); } });
  await again.confirm('Remind Adam Reyes', 'Remind', '#times');
  await again.sees('less than a day ago. You can remind them again in 24 hours.');
});

test('an answer to a meeting gets a comment, is changed and taken back', async () => {
  const none = { userId: ME.id, status: 'noAnswer', comment: null, updatedAt: null };
  const screen = await open(HERE, { getMeeting: BOOKED, listSlots: [], listRsvps: [none], putMyRsvp: ({ body }) => ({ ...none, ...body }) });
  await screen.click('Maybe');
  await screen.open('.disclosure:has(#rsvp-comment)');
  await screen.fill('#rsvp-comment', 'If the train runs');
  await screen.click('Save the comment');
  assert.match(screen.text('.people'), /If the train runs/);
  await screen.click('I will attend');
  await screen.click('Withdraw');
  assert.deepEqual(screen.sent, [['putMyRsvp', { status: 'tentative', comment: null }], ['putMyRsvp', { status: 'tentative', comment: 'If the train runs' }], ['putMyRsvp', { status: 'accepted', comment: 'If the train runs' }], ['deleteMyRsvp']]);
});

test('a time that is removed and an item that is deleted can be taken back, and are sent when the view is left', async () => {
  const screen = await open(HERE, { getMeeting: MEETING, getMeetingPoll: NO_POLL, listSlots: [SLOT, LATER], deleteSlot: { deleted: true }, deleteActionItem: { deleted: true } });
  const times = () => screen.all('.grid tfoot td').length;
  const [remove] = screen.all('.grid tfoot .danger');
  await screen.press(remove);
  await screen.until(() => document.activeElement.textContent === 'Undo');
  assert.equal(times(), 1);
  await screen.click('Undo');
  assert.equal(times(), 2);
  await screen.press(screen.all('.grid tfoot .danger')[1]);
  await screen.open('#items .menu');
  await screen.click('Delete', '#items');
  assert.match(screen.text('#items'), new RegExp(`“${TASK.title}” is removed\\.`));
  assert.deepEqual(screen.sent, []);
  screen.view.dispose();
  await screen.until(() => screen.sent.length === 2);
  assert.deepEqual(screen.sent.map(([name]) => name).sort(), ['deleteActionItem', 'deleteSlot']);
});

test('an item has a day, those that are due come first, and a day is taken away', async () => {
  const items = [['a', 'Without a day'], ['b', 'Later'], ['c', 'Sooner']].map(([_id, title]) => ({ ...TASK, _id, title }));
  const dues = [['b', '2026-12-12'], ['c', '2026-12-05']].map(([actionItemId, dueOn]) => ({ ...example('listActionItemDueDates')[0], actionItemId, dueOn }));
  const screen = await open(HERE, { getMeeting: BOOKED, listMeetingActionItems: items, listActionItemDueDates: dues, createActionItem: { ...TASK, _id: 'd' } });
  const titles = () => screen.all('.item b').map((element) => element.textContent);
  assert.deepEqual(titles(), ['Sooner', 'Later', 'Without a day']);
  await screen.open('.item .menu');
  await screen.open('.item .menu .disclosure');
  await screen.fill('.item [name=dueOn]', '');
  await screen.click('Save', '.item');
  assert.equal(titles()[0], 'Later');
  assert.deepEqual(screen.sent.at(-1), ['deleteActionItemDueDate']);
  await screen.open('#items > .disclosure');
  await screen.fill('#item-new-title', 'New');
  await screen.fill('#item-new-due', '2026-12-01');
  await screen.click('Add', '#items');
  assert.deepEqual([screen.sent.at(-1), screen.one('#item-new-title').value], [['putActionItemDueDate', { dueOn: '2026-12-01' }], '']);
});

test('a guest link is created while there is something to vote on, and closed as long as there is one', async () => {
  const screen = await open(HERE, { getMeeting: MEETING });
  await screen.open('details:has(> summary:not(.button)):not(#comments)');
  for (const fold of screen.all('details.card')) if (fold.textContent.includes('Guests')) fold.id = 'guests';
  await screen.open('#guests');
  await screen.until(() => screen.offered('#guests').includes('Create a guest link'));
  await screen.click('Create a guest link');
  assert.equal(screen.one('#guest-url').value, example('openGuestLink').url);
  const over = await open(HERE, { getMeeting: { ...BOOKED, status: 'completed' } });
  for (const fold of over.all('details.card')) if (fold.textContent.includes('Guests')) fold.id = 'guests';
  await over.open('#guests');
  await over.until(() => over.one('#guests .menu'));
  assert.doesNotMatch(over.text('#guests'), /Create a guest link/);
  await over.open('#guests .menu');
  await over.confirm('Close the link', 'Close it');
  assert.deepEqual([over.sent, over.said], [[['closeGuestLink']], ['The guest link is closed.']]);
});

test('times are in the zone of the account, with the meeting’s own beside it', async () => {
  const slots = [{ ...SLOT, startTime: '2027-01-15T12:00:00.000Z', endTime: '2027-01-15T13:00:00.000Z', timezone: 'Asia/Tokyo' }];
  const { setAccountZone } = await import(new URL('lib/dates.js', `file://${process.env.PAGES_WEB}/`));
  for (const [zone, shown] of [['Europe/Paris', '13:00–14:00'], ['America/Los_Angeles', '04:00–05:00'], ['Asia/Kathmandu', '17:45–18:45']]) {
    setAccountZone(zone);
    const screen = await open(HERE, { getMeeting: MEETING, getMeetingPoll: NO_POLL, listSlots: slots });
    assert.ok(screen.text('.grid thead').includes(shown), zone);
    assert.match(screen.text('.grid thead'), /21:00–22:00 Asia\/Tokyo/);
  }
  setAccountZone(null);
});

test('a link of the address leads to the form of a new meeting', async () => {
  const screen = await open(at('meetings/new'));
  await screen.fill('#f-title', 'About the package');
  await screen.click('Create the meeting');
  assert.deepEqual([screen.sent[0][1].title, screen.gone], ['About the package', [at(`meetings/${example('createMeeting').id}`)]]);
});

const AGENDA = { ...example('getAgenda'), items: [] };

function pasted(screen, field, text) {
  field.dispatchEvent(Object.assign(new Event('paste', { bubbles: true, cancelable: true }), { clipboardData: { getData: () => text } }));
  return screen.until(() => screen.all('.agenda.editing li').length > 1);
}

async function key(screen, field, name, more = {}) {
  const event = Object.assign(new Event('keydown', { bubbles: true, cancelable: true }), { key: name, ...more });
  field.dispatchEvent(event);
  await screen.until(() => true);
  return event.defaultPrevented;
}

test('a list that is pasted into a title becomes an item of each line; Enter goes on, and the empty item that it leaves is not saved', async () => {
  const screen = await open(HERE, { getMinutes: NO_POLL, getAgenda: AGENDA, putAgenda: ({ body }) => ({ ...AGENDA, items: body.items.map((item, index) => ({ ...example('getAgenda').items[0], ...item, id: `${index}` })) }) });
  await screen.click('Edit the agenda');
  await screen.until(() => screen.one('.agenda.editing input'));
  const titles = () => screen.all('.agenda.editing .agenda-line input.grow');
  assert.equal(titles()[0].required, true);
  await pasted(screen, titles()[0], '1. Opening\n2. Budget\n3. Any other business\n');
  assert.deepEqual(titles().map(({ value }) => value), ['Opening', 'Budget', 'Any other business']);
  assert.equal(await key(screen, titles()[2], 'Enter', { isComposing: true }), false);
  assert.equal(await key(screen, titles()[0], 'Enter'), true);
  assert.equal(titles().length, 3);
  await key(screen, titles()[2], 'Enter');
  await screen.until(() => titles().length === 4);
  assert.equal(titles()[3].required, false);
  await key(screen, titles()[3], 'Enter');
  assert.equal(titles().length, 4);
  await screen.click('Save the agenda');
  assert.deepEqual(screen.sent.map(([, { items }]) => items.map(({ title }) => title)), [['Opening', 'Budget', 'Any other business']]);
});

test('a pasted agenda keeps its minutes and what stands under an item; an item has a time of day while those before it have minutes', async () => {
  const item = (title, minutes) => ({ ...example('getAgenda').items[0], id: title, title, minutes, startsAt: '2026-12-10T09:15:00.000Z' });
  const screen = await open(HERE, { getMinutes: NO_POLL, getAgenda: { ...AGENDA, items: [item('One', 5), item('Two', null), item('Three', 5)] }, putAgenda: ({ body }) => ({ ...AGENDA, items: body.items }) });
  assert.deepEqual(screen.all('.agenda > li').map((each) => /\d\d:\d\d/.test(each.textContent)), [true, true, false]);
  await screen.click('Edit the agenda');
  await screen.until(() => screen.one('.agenda.editing input'));
  assert.match(screen.text('#agenda-hint'), /A list that you paste becomes an item of each line/);
  await pasted(screen, screen.all('.agenda.editing .agenda-line input.grow').at(-1), 'Four (15 min)\n  a) Audit\n');
  await screen.click('Save the agenda');
  const { title, minutes, notes } = screen.sent[0][1].items.at(-1);
  assert.deepEqual([title, minutes, notes], ['Four', 15, '– Audit']);
});

test('a time of a pasted list that has passed is named, and none of them is chosen', async () => {
  const screen = await open(HERE, { getMeeting: MEETING });
  await screen.open('#propose');
  await screen.until(() => screen.one('#propose-list'));
  screen.one('#propose-list').closest('details').open = true;
  await screen.fill('#propose-list', '2099-03-10 09:00\n2020-03-10 09:00');
  await screen.click('Choose these');
  assert.match(screen.text('#propose'), /This time has passed: Tue,? 10 Mar 2020/);
  assert.equal(screen.one('.chosen'), null);
});

test('the names of many who have not answered wait behind their number, and those of a few are there', async () => {
  const members = Array.from({ length: 9 }, (_, index) => ({ ...example('listMembers')[0], id: `m${index}`, userId: `u${index}`, accessType: 'collaborator', firstName: 'Person', lastName: `${index}` }));
  const shown = (number) => open(HERE, {
    getMeeting: MEETING, listMembers: [...example('listMembers'), ...members],
    listSlots: [{ ...SLOT, feedbacks: members.slice(0, number).map(({ userId }) => ({ userId, isGuest: false, vote: 'didNotVote', comment: null })) }],
  });
  assert.match((await shown(8)).text('#times'), /Not voted yet: Person 0, .*Person 7/);
  const many = await shown(9);
  assert.match(many.text('#times'), /9 members have not voted yet/);
  assert.doesNotMatch(many.text('#times summary + p'), /./);
  assert.match(many.one('#times summary + p').textContent, /Person 0, .*Person 8/);
  const question = many.button('Remind all 9').nextElementSibling.textContent;
  assert.match(question, /Person 6, Person 7 and 1 more/);
  assert.doesNotMatch(question, /Person 8/);
});

test('who finalizes a meeting is told that one of its votes is still open', async () => {
  const question = async (status) => {
    const screen = await open(HERE, { getMeeting: { ...BOOKED, status: 'completed' }, listResolutions: [{ ...example('listResolutions')[0], status }] });
    return screen.one('.confirm-box').textContent;
  };
  assert.match(await question('open'), /A vote of the meeting is still open/);
  assert.doesNotMatch(await question('carried'), /still open/);
});

test('Enter adds the action item that is typed into the minutes', async () => {
  const screen = await open(HERE, { getMeeting: { ...BOOKED, status: 'in_progress' }, getMinutes: NO_POLL });
  await screen.until(() => screen.one('.task-line input'));
  const field = screen.one('.task-line input');
  field.value = 'Book the room';
  field.dispatchEvent(new Event('input', { bubbles: true }));
  await key(screen, field, 'Enter');
  await screen.until(() => screen.sent.length);
  assert.equal(screen.sent[0][1].title, 'Book the room');
});

test('a time that others have voted on is removed after a question that says how many are told, with those without an account, by its proposer and managers alone', async () => {
  const vote = (userId, found = 'ok') => ({ userId, vote: found, comment: null, email: null, isGuest: false });
  const slot = { ...LATER, createdByUserId: 'somebody', feedbacks: [vote('somebody'), vote(ME.id), vote('other'), vote('absent', 'didNotVote'), { ...vote(null), isGuest: true }, { ...vote(null, 'no'), isGuest: true }] };
  const members = (accessType) => [{ ...example('listMembers')[0], userId: ME.id, adminRole: 'member', accessType }];
  const answers = (accessType) => ({ getMeeting: { ...BOOKED, startTime: null, endTime: null, status: 'scheduled' }, listSlots: [slot], getMeetingPoll: NO_POLL, listMembers: members(accessType) });
  const plain = await open(HERE, answers('collaborator'));
  assert.ok(!plain.offered('#times').some((words) => words.startsWith('Remove')), plain.offered('#times').join());
  const screen = await open(HERE, answers('manager'));
  await screen.press(screen.one('#times [aria-label^="Remove"]'));
  assert.match(screen.one('.confirm-box[open]').textContent, /4 others have voted on this time\..*One member is told\. 2 of them have no account; those who voted by the link/s);
  assert.deepEqual(screen.sent, []);
  assert.deepEqual(screen.all('.grid tbody .name').map((name) => name.textContent).slice(-2), ['Guest', 'Guest']);
  await screen.click('Remove the time', '.confirm-box[open]');
  assert.deepEqual(screen.sent, [['deleteSlot']]);
});

test('a meeting is cancelled with a reason, says so, takes no votes and can be taken back; deleting it is another act', async () => {
  const cancellation = { ...example('getCancellation'), reason: 'Strike' };
  let now = null;
  const screen = await open(HERE, {
    getMeeting: { ...BOOKED, status: 'scheduled', startTime: '2099-01-01T09:00:00.000Z' }, getMeetingPoll: NO_POLL, listSlots: [LATER],
    getCancellation: () => now ?? NO_POLL(), cancelMeeting: ({ body }) => (now = { ...cancellation, ...body }), reinstateMeeting: () => { now = null; return { deleted: true }; },
  });
  await screen.open('#main details.menu');
  assert.ok(screen.offered().includes('Delete the meeting'));
  await screen.click('Cancel the meeting');
  assert.match(screen.one('.confirm-box[open]').textContent, /stays with its votes.*members? (is|are) told/s);
  await screen.fill('.confirm-box[open] textarea', 'Strike');
  await screen.click('Cancel the meeting', '.confirm-box[open]');
  await screen.sees('This meeting is cancelled. Strike');
  assert.deepEqual(screen.sent, [['cancelMeeting', { reason: 'Strike' }]]);
  assert.ok(!screen.offered().some((words) => /Start|Book|Open the voting/.test(words)), screen.offered().join());
  await screen.confirm('Withdraw the cancellation', 'Withdraw it');
  await screen.until(() => !screen.text().includes('This meeting is cancelled'));
});

test('moving a meeting that is expected asks first, with the answers that are asked anew, and its end moves along', async () => {
  const rsvp = (userId, status) => ({ ...example('listRsvps')[0], userId, status });
  const screen = await open(HERE, {
    getMeeting: { ...BOOKED, status: 'scheduled', startTime: '2099-01-01T09:00:00.000Z', endTime: '2099-01-01T11:00:00.000Z' }, getMeetingPoll: NO_POLL,
    listRsvps: [rsvp('a', 'accepted'), rsvp('b', 'declined'), rsvp('c', 'noAnswer')], updateMeeting: ({ body }) => ({ ...BOOKED, ...body }),
  });
  await screen.open('#main details.menu');
  await screen.open('#edit');
  await screen.fill('#f-startTime', '2099-01-02T14:00');
  const end = screen.one('#f-endTime').value;
  assert.equal(end, '2099-01-02T16:00');
  screen.one('#edit form').requestSubmit();
  await screen.until(() => screen.one('body > dialog[open]'));
  assert.match(screen.one('body > dialog[open]').textContent, /2 answers are asked anew.*told/s);
  assert.deepEqual(screen.sent, []);
  await screen.click('Keep the time');
  assert.deepEqual(screen.sent, []);
  screen.one('#edit form').requestSubmit();
  await screen.until(() => screen.one('body > dialog[open]'));
  await screen.click('Move the meeting');
  await screen.until(() => screen.sent.length);
  assert.deepEqual(Object.keys(screen.sent[0][1]).sort(), ['endTime', 'startTime']);
});

test('a meeting whose time is ahead, or is voted on, is started after a question; one whose time has come, or that has none, at once', async () => {
  const soon = new Date(Date.now() + 60_000).toISOString();
  const begun = async (meeting, more, press) => {
    const screen = await open(HERE, { getMeeting: { ...BOOKED, status: 'scheduled', ...meeting }, updateMeeting: ({ body }) => ({ ...BOOKED, ...body }), getMeetingPoll: NO_POLL, ...more });
    await press(screen);
    await screen.until(() => screen.sent.length);
    assert.deepEqual(screen.sent, [['updateMeeting', { status: 'in_progress' }]]);
  };
  const asked = (words) => async (screen) => {
    await screen.click('Start the meeting');
    assert.match(screen.button('Start the meeting').nextElementSibling.textContent, words);
    assert.deepEqual(screen.sent, []);
    await screen.confirm('Start the meeting');
  };
  await begun({ startTime: '2027-12-04T09:15:00.000Z', endTime: null }, {}, asked(/scheduled for Sat,? 4 Dec 2027/));
  await begun({ startTime: null, endTime: null }, { listSlots: [LATER] }, asked(/still vote on the times/));
  await begun({ startTime: soon, endTime: null }, {}, (screen) => screen.click('Start the meeting'));
  await begun({ startTime: null, endTime: null }, { listSlots: [] }, (screen) => screen.click('Start the meeting'));
});
