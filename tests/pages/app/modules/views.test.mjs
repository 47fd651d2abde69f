// Tests of what views send, keep and take back. What they look like, the tests in a browser say.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load, storage } from './load.mjs';
import { bound, loadView, settled } from './rendered.mjs';

const { Problem } = await load('problems');
const never = new Promise(() => {});
const FUTURE = '2099-01-01T09:00:00Z';
const board = { userId: 'me', member: {}, current: [], unregistered: { items: [] }, may: () => true, nameOf: (id) => id };

/** Returns an app whose API answers by these functions, by the name of the operation, and what was asked. */
function appOf(answers) {
  const asked = [];
  const call = async (name, options = {}) => {
    asked.push([name, options.body]);
    return answers[name] ? answers[name](options) : never;
  };
  const page = async (name, options) => ({ items: await call(name, options), next: null });
  return { asked, api: { call, page, get: call }, update() {}, say() {} };
}

/** Returns a promise with the functions that settle it. */
function deferred() {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
}

// -- the voting grid

const voted = (vote) => ({ id: 's', startTime: FUTURE, feedbacks: [{ userId: 'me', vote, comment: null, isGuest: false }] });

/** Returns the form for new times, which is loaded once it is opened. */
async function proposalOf(grid) {
  grid.app.access = { ask() {} };
  return grid.proposal.begin();
}

async function gridOf(answers) {
  const { VotingGrid } = await loadView('meeting-grid');
  const app = appOf({ voteOnSlot: () => answers.shift().promise });
  const slots = { data: [voted('didNotVote')], set(data) { this.data = data; } };
  return { app, grid: new VotingGrid(app, board, {}, { data: { status: 'scheduled' } }, slots) };
}

test('of two quick votes the second is sent after the first was answered, and stays', async () => {
  const answers = [deferred(), deferred()];
  const [first, second] = answers;
  const { app, grid } = await gridOf(answers);
  grid.vote(grid.slot('s'), 'ok');
  grid.vote(grid.slot('s'), 'cant');
  await settled();
  const sent = () => app.asked.filter(([name]) => name === 'voteOnSlot').map(([, { vote }]) => vote);
  assert.deepEqual(sent(), ['ok']);
  first.resolve(voted('ok'));
  await settled();
  assert.deepEqual([sent(), grid.mine(grid.slot('s')).vote], [['ok', 'cant'], 'cant']);
  second.resolve(voted('cant'));
  await settled();
  assert.equal(grid.mine(grid.slot('s')).vote, 'cant');
});

test('where the second of two votes is refused the first is what is shown', async () => {
  const answers = [deferred(), deferred()];
  const [first, second] = answers;
  const { grid } = await gridOf(answers);
  grid.vote(grid.slot('s'), 'ok');
  grid.vote(grid.slot('s'), 'cant');
  first.resolve(voted('ok'));
  second.reject(new Problem({ status: 409 }));
  await settled();
  assert.deepEqual([grid.mine(grid.slot('s')).vote, grid.refusal.error.status], ['ok', 409]);
});

test('a vote that is changed keeps the comment that was given with it', async () => {
  const { app, grid } = await gridOf([{ promise: never }]);
  grid.slots.set([{ ...voted('ok'), feedbacks: [{ userId: 'me', vote: 'ok', comment: 'By train', isGuest: false }] }]);
  grid.vote(grid.slot('s'), 'challenging');
  await settled();
  assert.deepEqual(app.asked.at(-1), ['voteOnSlot', { vote: 'challenging', comment: 'By train' }]);
});

test('times are proposed in the zone that is chosen, whatever the reader’s is', async () => {
  const { app, grid } = await gridOf([]);
  const proposal = Object.assign(await proposalOf(grid), { zone: 'Asia/Tokyo' });
  proposal.chosen.add('2099-03-10T09:00');
  bound(proposal.render(), '@click').at(-1)({ currentTarget: { closest: () => null } });
  await settled();
  const [[, { startTime, timezone }]] = app.asked.filter(([name]) => name === 'createSlot');
  assert.deepEqual([startTime, timezone], ['2099-03-10T00:00:00.000Z', 'Asia/Tokyo']);
});

test('times that are copied from another meeting stay the same instants', async () => {
  const { VotingGrid } = await loadView('meeting-grid');
  const app = appOf({ listMeetings: () => [{ id: 'm', title: 'Other' }], listSlots: () => [voted('ok')] });
  const proposal = await proposalOf(new VotingGrid(app, board, {}, { data: { status: 'scheduled' } }, { data: [voted('ok')], set() {} }));
  Object.assign(proposal, { zone: 'Asia/Tokyo' });
  const press = async (does) => {
    bound(proposal.render(), '@click').find((each) => String(each).includes(does))({ currentTarget: { closest: () => null } });
    await settled();
  };
  await press('listMeetings');
  await press('copyFrom');
  assert.deepEqual([...proposal.chosen], ['2099-01-01T18:00']);
});

// -- answers to a meeting

test('an answer that is refused is put back', async () => {
  const { Rsvps } = await loadView('meeting-rsvps');
  const answer = deferred();
  const app = appOf({ listRsvps: () => [{ userId: 'me', status: 'tentative', comment: null }], putRsvp: () => answer.promise });
  const view = new Rsvps(app, board, {});
  await view.list.loaded;
  const pressed = () => bound(view.render({ status: 'scheduled', startTime: FUTURE }), 'aria-pressed');
  assert.deepEqual(pressed(), [false, true, false]);
  bound(view.render({ status: 'scheduled', startTime: FUTURE }), '@click')[0]();
  await settled();
  assert.deepEqual(pressed(), [true, false, false]);
  answer.reject(new Problem({ status: 409 }));
  await settled();
  assert.deepEqual(pressed(), [false, true, false]);
});

test('an answer that is changed keeps the comment that was given with it', async () => {
  const { Rsvps } = await loadView('meeting-rsvps');
  const own = { userId: 'me', status: 'tentative', comment: 'By train' };
  const app = appOf({ listRsvps: () => [own], putRsvp: () => never });
  const view = new Rsvps(app, board, {});
  await view.list.loaded;
  bound(view.render({ status: 'scheduled', startTime: FUTURE }), '@click')[0]();
  await settled();
  assert.deepEqual(app.asked.at(-1), ['putRsvp', { status: 'accepted', comment: 'By train' }]);
});

test('an answer that is sent while its comment is saved keeps the comment', async () => {
  globalThis.location ??= { pathname: '/' };
  const [first, second] = [deferred(), deferred()];
  const waiting = [first, second];
  const { Rsvps } = await loadView('meeting-rsvps');
  const mine = { userId: 'me', status: 'tentative', comment: null };
  const app = appOf({ listRsvps: () => [mine], listUnregisteredRsvps: () => [], putRsvp: () => waiting.shift().promise });
  const rsvps = new Rsvps(app, board, {});
  await rsvps.list.loaded;
  const meeting = { status: 'scheduled', startTime: FUTURE, endTime: FUTURE };
  const [submit] = bound(rsvps.render(meeting), '@submit');
  const [attend] = bound(rsvps.render(meeting), '@click');
  const saved = submitted({ comment: 'By train' }, submit);
  attend();
  await settled();
  const sent = () => app.asked.filter(([name]) => name === 'putRsvp').map(([, { status, comment }]) => [status, comment]);
  assert.equal(sent().length, 1);
  first.resolve({ ...mine, comment: 'By train' });
  await saved;
  await settled();
  assert.deepEqual(sent()[1], ['accepted', 'By train']);
});

// -- the form of a meeting

test('a time that was not changed stays as it is to the second, also in the hour that the clocks repeat', async () => {
  const { instantOf } = await loadView('meeting-form');
  const { setAccountZone, toWall } = await load('dates');
  setAccountZone('Europe/Berlin');
  for (const instant of ['2099-10-25T01:30:00.000Z', '2099-03-10T09:00:59.000Z']) assert.equal(instantOf(toWall(instant), instant), instant);
  setAccountZone(null);
});

// -- when action items are due

test('an open item is late from the day after the one that it is due on', async () => {
  const { due } = await loadView('due-dates');
  const { today } = await load('dates');
  const late = (day, status) => due(day, status).values[0];
  assert.deepEqual([late(today(), 'in_progress'), late('2020-01-01', 'in_progress'), late('2020-01-01', 'completed')], ['', 'bad', '']);
});

// -- the minutes

const NO_ITEMS = { list: { items: [] }, dues: { dayOf: () => '' } };

/** Returns the minutes of a meeting that runs, once they can be edited. */
async function minutesOf(app) {
  const { MinutesPart } = await loadView('meeting-minutes-part');
  await loadView('meeting-minutes');
  const minutes = new MinutesPart(app, { ...board, members: { items: [] } }, {}, { agenda: { resource: { data: null } }, items: NO_ITEMS, resolutions: { opened: [] } });
  await minutes.resource.loaded;
  while (!bound(minutes.render({ status: 'in_progress' }), '@input').length) await null;
  return minutes;
}

test('what is typed into minutes while they are saved is saved after that', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const first = deferred();
  const answers = [first.promise, never];
  const app = appOf({ getMinutes: () => ({ status: 'draft', attendance: [], items: [], quorum: {} }), putMinutes: () => answers.shift() });
  const minutes = await minutesOf(app);
  const typed = () => bound(minutes.render({ status: 'in_progress' }), '@input')[0]();
  const turn = async () => { for (let step = 0; step < 20; step += 1) await null; };
  const saved = () => app.asked.filter(([name]) => name === 'putMinutes').length;
  typed();
  context.mock.timers.tick(1000);
  await turn();
  typed();
  context.mock.timers.tick(1000);
  await turn();
  assert.equal(saved(), 1);
  first.resolve({ status: 'draft', attendance: [], items: [], quorum: {} });
  await turn();
  context.mock.timers.tick(1000);
  await turn();
  assert.equal(saved(), 2);
});

test('what is typed into minutes is saved at once when the view is left', async () => {
  const app = appOf({ getMinutes: () => ({ status: 'draft', attendance: [], items: [], quorum: {} }) });
  const minutes = await minutesOf(app);
  bound(minutes.render({ status: 'in_progress' }), '@input')[0]();
  minutes.dispose();
  await settled();
  assert.equal(app.asked.at(-1)[0], 'putMinutes');
});

/** Minutes that are read as `held.minutes`, in an editor; `text(id)` is what it holds of an item. */
async function editedMinutes(minutes) {
  const { Minutes } = await loadView('meeting-minutes');
  const { drafts } = await load('drafts');
  drafts.forget();
  const held = { minutes };
  const app = appOf({ getMinutes: () => held.minutes, putMinutes: ({ body }) => ({ ...body, status: 'draft', quorum: {}, updatedAt: 'mine' }) });
  const { Resource } = await load('state');
  const read = () => app.api.get('getMinutes');
  const resource = new Resource(read, app.update);
  const view = new Minutes({ app, board: { ...board, members: { items: [] } }, params: {}, resource, read, mayWrite: () => true, others: { agenda: { resource: { data: { items: [] } } }, items: NO_ITEMS, resolutions: { opened: [] } } });
  await resource.loaded;
  const show = () => view.render({ status: 'in_progress' });
  show();
  return Object.assign(held, { app, view, show, text: (id) => view.draft.items.find(({ agendaItemId }) => agendaItemId === id)?.text });
}

const minutesWith = (updatedAt, ...items) => ({ status: 'draft', attendance: [], quorum: {}, updatedAt, items: items.map(([agendaItemId, text]) => ({ agendaItemId, text, decision: null, actionItemIds: [] })) });

test('what another writes in the minutes joins what is typed here about something else', async () => {
  const held = await editedMinutes(minutesWith('1', ['a', 'One'], ['b', 'Two']));
  held.view.draft.items[0].text = 'Mine';
  held.minutes = minutesWith('2', ['a', 'One'], ['b', 'Theirs']);
  assert.equal(await held.view.refresh(), true);
  assert.deepEqual([held.text('a'), held.text('b'), held.view.theirs], ['Mine', 'Theirs', null]);
});

test('what another writes in the minutes about the same item stands beside what is typed here, and nothing is saved', async (context) => {
  const held = await editedMinutes(minutesWith('1', ['a', 'One'], ['b', 'Two']));
  context.mock.timers.enable({ apis: ['setTimeout'] });
  held.view.draft.items[0].text = 'Mine';
  bound(held.show(), '@input')[0]();
  held.minutes = minutesWith('2', ['a', 'Theirs'], ['b', 'Their two']);
  await held.view.refresh();
  context.mock.timers.tick(5000);
  assert.deepEqual([held.text('a'), held.text('b')], ['Mine', 'Their two']);
  assert.deepEqual(held.view.theirs.items.map(({ text }) => text), ['Theirs', 'Their two']);
  assert.deepEqual(held.app.asked.filter(([name]) => name === 'putMinutes'), []);
});

test('of two who save the minutes about different items the second is refused, reads, and saves both', async () => {
  const held = await editedMinutes(minutesWith('1', ['a', 'One'], ['b', 'Two']));
  const sent = [];
  held.app.api.get = async (name, { body } = {}) => {
    if (name === 'getMinutes') return held.minutes;
    sent.push(body.items.map(({ text }) => text));
    if (sent.length === 1) throw new Problem({ status: 412 });
    return minutesWith('3', ['a', 'Mine'], ['b', 'Theirs']);
  };
  held.view.draft.items[0].text = 'Mine';
  bound(held.show(), '@input')[0]();
  held.minutes = minutesWith('2', ['a', 'One'], ['b', 'Theirs']);
  await held.view.flush();
  assert.deepEqual([sent, held.view.saving.problem, held.view.theirs], [[['Mine', 'Two'], ['Mine', 'Theirs']], null, null]);
});

// -- the resolutions of a meeting

test('the ballots of a vote that is open in a meeting are read again with its resolutions', async () => {
  const open = { id: 'r1', title: 'Budget', status: 'open', createdAt: FUTURE, voters: [] };
  const { MeetingResolutions } = await loadView('meeting-resolutions');
  const app = appOf({ listResolutions: () => [open, { ...open, id: 'r2', status: 'carried' }], listBallots: () => [] });
  const part = new MeetingResolutions(app, { ...board, id: 'b1', path: () => '/', members: { items: [] } }, { meetingId: 'm1' });
  await part.list.loaded;
  assert.deepEqual(part.follows.map(({ read }) => read), [part.list]);
  const render = () => bound(part.render({ status: 'in_progress' }), '@click');
  render();
  while (!part.MeetingVote) await settled();
  render();
  const [, ballots] = part.follows;
  await ballots.read.loaded;
  app.asked.length = 0;
  await ballots.read.refresh();
  assert.deepEqual([ballots.on, ballots.ids.resolutionId, app.asked.map(([name]) => name), part.follows.length], [['resolution'], 'r1', ['listBallots'], 2]);
});

// -- the agenda

/** The agenda of a meeting, read as `held.items`. */
async function agendaOf(items) {
  globalThis.location ??= { pathname: '/' };
  (await load('drafts')).drafts.forget();
  const { Agenda } = await loadView('meeting-agenda');
  const held = { items };
  const view = new Agenda(appOf({ getAgenda: () => ({ items: held.items }) }), { ...board, members: { items: [] } }, {}, { list: { items: [] } });
  view.resolutions = { of: () => undefined };
  await view.resource.loaded;
  return Object.assign(held, { view, titles: () => view.editor?.items.map(({ title }) => title), edit: () => bound(view.render({ status: 'scheduled' }), '@click')[0]() });
}

const onAgenda = (...titles) => titles.map((title, index) => ({ id: `${index}`, title, documentIds: [], minutes: null, presenterUserId: null, presenterUnregisteredUserId: null, presenterName: null, kind: null, notes: null }));

test('an agenda that another changes shows that, also where its editor is open and nothing is typed', async () => {
  const held = await agendaOf(onAgenda('One'));
  await held.edit();
  held.items = onAgenda('One', 'Theirs');
  await held.view.refresh();
  assert.deepEqual([held.titles(), held.view.editor.theirs], [['One', 'Theirs'], null]);
});

test('an agenda that another changes while one types stands beside what is typed', async () => {
  const held = await agendaOf(onAgenda('One'));
  await held.edit();
  held.view.editor.items[0].title = 'Mine';
  held.items = onAgenda('Theirs');
  await held.view.refresh();
  assert.deepEqual([held.titles(), held.view.editor.theirs.items[0].title], [['Mine'], 'Theirs']);
});

test('an agenda that only begins at another time is no change of what is typed', async () => {
  const held = await agendaOf(onAgenda('One'));
  await held.edit();
  held.view.editor.items[0].title = 'Mine';
  held.items = onAgenda('One').map((item) => ({ ...item, startsAt: FUTURE }));
  await held.view.refresh();
  assert.deepEqual([held.titles(), held.view.editor.theirs], [['Mine'], null]);
});

test('what is kept of an agenda item that another removed is a new item', async () => {
  const held = await agendaOf(onAgenda('One', 'Two'));
  const sent = [];
  held.view.app.api.get = async (name, { body } = {}) => { if (body) sent.push(body.items.map(({ id, title }) => [id, title])); return { items: held.items }; };
  await held.edit();
  held.view.editor.items[0].title = 'Mine';
  held.items = [onAgenda('One', 'Two')[1]];
  await held.view.refresh();
  bound(held.view.render({ status: 'scheduled' }), '@click')[0]();
  await settled();
  assert.deepEqual(sent, [[[undefined, 'Mine'], ['1', 'Two']]]);
});

test('a presenter is chosen among members and people without an account, and who is named otherwise stays', async () => {
  const held = await agendaOf([{ ...onAgenda('One')[0], presenterName: 'Dr. Guest' }]);
  await held.edit();
  const choose = (value) => bound(held.view.render({ status: 'scheduled' }), '@change').at(-1)({ target: { value } });
  const presenter = () => [held.view.editor.items[0].presenterUserId, held.view.editor.items[0].presenterUnregisteredUserId, held.view.editor.items[0].presenterName];
  assert.deepEqual(presenter(), [null, null, 'Dr. Guest']);
  choose('person p1');
  assert.deepEqual(presenter(), [null, 'p1', null]);
  choose('member u1');
  assert.deepEqual(presenter(), ['u1', null, null]);
  choose('name Dr. Guest');
  assert.deepEqual(presenter(), [null, null, 'Dr. Guest']);
});

// -- action items

/** The form of an action item whose list has this item, and what is sent by it. */
async function itemsOf(item, people) {
  const { Items } = await loadView('meeting-items');
  const sent = [];
  const note = (name) => ({ body }) => { sent.push([name, body]); return { ...item, ...body }; };
  const app = appOf({ listActionItems: () => [item], listDueDates: () => [], updateActionItem: note('update'), createActionItem: note('create'), putUnregisteredAssignee: note('assign') });
  const items = new Items(app, { ...board, current: people, unregistered: { items: people }, members: { items: [] } }, {});
  await items.list.loaded;
  const submit = (index, values) => submitted(values, (target) => bound(items.render({ status: 'scheduled' }), '@submit')[index](target));
  return { items, sent, submit };
}

/** Submits a form as the browser does, with these values. */
async function submitted(values, submit) {
  const { FormData } = globalThis;
  globalThis.FormData = class { [Symbol.iterator] = () => Object.entries(values)[Symbol.iterator](); };
  await submit({ preventDefault() {}, currentTarget: { dataset: {}, elements: [], querySelectorAll: () => [], closest: () => null, reset() {} } });
  globalThis.FormData = FormData;
}

const GRETA = { id: 'g', fullName: 'Greta Lind', status: 'active' };
const TASK = { _id: 'i', title: 'Task', status: 'in_progress', assigneeUserId: null, assigneeName: 'Greta Lind' };
const typed = (who, more = {}) => ({ title: 'Task', status: 'in_progress', dueOn: '', who, ...more });

test('an action item is given to somebody without an account by their id, once it is saved', async () => {
  const { items, sent, submit } = await itemsOf({ ...TASK, assigneeName: null }, [GRETA]);
  await submit(0, typed('person g'));
  assert.deepEqual(sent, [['update', { title: 'Task', status: 'in_progress' }], ['assign', { unregisteredUserId: 'g' }]]);
  assert.equal(items.list.items[0].assigneeName, 'Greta Lind');
});

test('an action item whose person stays is saved without naming them again', async () => {
  const { sent, submit } = await itemsOf(TASK, [GRETA]);
  await submit(0, typed('person g', { title: 'Renamed' }));
  assert.deepEqual(sent, [['update', { title: 'Renamed', status: 'in_progress' }]]);
});

test('an action item is given to a member, to somebody who is only named, or to nobody', async () => {
  for (const [values, expected] of [
    [typed('member u'), { assigneeUserId: 'u', assigneeName: null }],
    [typed('else', { assigneeName: 'Dr. Guest' }), { assigneeUserId: null, assigneeName: 'Dr. Guest' }],
    [typed(''), { assigneeUserId: null, assigneeName: null }],
  ]) {
    const { sent, submit } = await itemsOf(TASK, [GRETA]);
    await submit(0, values);
    assert.deepEqual(sent, [['update', { title: 'Task', status: 'in_progress', ...expected }]]);
  }
});

// -- a guest's votes

async function guestOf(vote, kept = storage(), more = {}) {
  globalThis.localStorage = Object.assign(kept, { length: 0 });
  const { default: create } = await loadView('guest');
  const slot = { id: 's', startTime: FUTURE, endTime: FUTURE, durationInMinutes: 60, ok: 0, challenging: 0, cant: 0 };
  const app = appOf({ viewAsGuest: () => ({ status: 'scheduled', slots: [slot], ...more }), voteAsGuest: vote });
  const view = create(app, { token: 'T' });
  await view.meeting.loaded;
  const remembered = async () => { while (!view.answers) await settled(); };
  const typed = (email) => bound(view.render(), '@input')[0]({ target: { value: email } });
  return { view, typed, kept, remembered, press: (index) => bound(view.render(), '@click')[index](), pressed: () => bound(view.render(), 'aria-pressed') };
}

test('who votes by a link of their own is not asked for an address, and sends none', async () => {
  const sent = [];
  const guest = await guestOf(async ({ body }) => { sent.push(body); return {}; }, storage(), { personal: true });
  await guest.remembered();
  assert.equal(bound(guest.view.render(), '@input').length, 0);
  await guest.press(0);
  assert.deepEqual(sent, [{ vote: 'ok' }]);
});

test('a guest’s vote that is changed keeps the comment that was given with it', async () => {
  const sent = [];
  const guest = await guestOf(async ({ body }) => { sent.push(body); return {}; });
  await guest.remembered();
  guest.typed('ann@example.com');
  await guest.press(0);
  Object.assign(guest.view.given.get('s'), { comment: 'By train' });
  await guest.press(2);
  assert.deepEqual(sent.map(({ vote, comment }) => [vote, comment ?? null]), [['ok', null], ['cant', 'By train']]);
});

test('a guest’s vote that is refused is shown as not given', async () => {
  const guest = await guestOf(async () => { throw new Problem({ status: 409 }); });
  await guest.remembered();
  guest.typed('ann@example.com');
  await guest.press(0);
  assert.deepEqual(guest.pressed(), [false, false, false]);
});

test('a guest’s vote that is changed and refused is shown as it was', async () => {
  const answers = [async () => ({}), async () => { throw new Problem({ status: 409 }); }];
  const guest = await guestOf(() => answers.shift()());
  await guest.remembered();
  guest.typed('ann@example.com');
  await guest.press(0);
  await guest.press(2);
  assert.deepEqual(guest.pressed(), [true, false, false]);
});

test('a guest’s vote is not replaced by one that was remembered', async () => {
  const first = await guestOf(async () => ({}));
  await first.remembered();
  first.typed('ann@example.com');
  await first.press(0);
  const again = await guestOf(() => never, first.kept);
  again.typed('ann@example.com');
  again.press(2);
  await again.remembered();
  assert.deepEqual([again.view.answers.read().answers.s.vote, again.pressed()], ['ok', [false, false, true]]);
});

// -- files on their way

class FakeUpload {
  static sent = 0;

  static statuses = [];

  upload = { addEventListener() {} };

  #heard = {};

  addEventListener(name, heard) {
    this.#heard[name] = heard;
  }

  open() {}

  send() {
    FakeUpload.sent += 1;
    this.status = FakeUpload.statuses.shift() ?? 204;
    this.#heard.load();
  }
}

async function uploadOf(complete, statuses = []) {
  globalThis.XMLHttpRequest = FakeUpload;
  Object.assign(FakeUpload, { sent: 0, statuses });
  const { Uploads } = await loadView('file-uploads');
  const app = appOf({
    createDocumentVersion: () => ({ id: 'v', upload: { url: 'https://bucket.test', fields: {} } }),
    completeDocumentVersion: () => complete.shift()(),
  });
  const arrived = [];
  const uploads = new Uploads(app, async () => ({}), (version) => arrived.push(version.status));
  await uploads.begin([new File(['%PDF-1.7'], 'Paper.pdf')]);
  const [upload] = uploads.begun;
  return { arrived, upload, declared: () => app.asked.filter(([name]) => name === 'createDocumentVersion').length };
}

const refused = (status) => () => { throw new Problem({ status }); };
const ready = () => ({ status: 'ready' });

test('a file that is in the bucket is not sent again where only its completion failed', async () => {
  const { arrived, upload, declared } = await uploadOf([refused(503), ready]);
  await upload.act.retry();
  assert.deepEqual([arrived, FakeUpload.sent, declared()], [['ready'], 1, 1]);
});

test('a file that did not arrive as it was declared is declared and sent again', async () => {
  const { arrived, upload, declared } = await uploadOf([refused(409), ready]);
  await upload.act.retry();
  assert.deepEqual([arrived, FakeUpload.sent, declared()], [['ready'], 2, 2]);
});

test('a file that the bucket refused is declared again, for its form may be over', async () => {
  const { arrived, upload, declared } = await uploadOf([ready], [403]);
  await upload.act.retry();
  assert.deepEqual([arrived, FakeUpload.sent, declared()], [['ready'], 2, 2]);
});

// -- the way back from the provider

test('the code is out of the address before anybody is asked about it', async () => {
  const { default: create } = await loadView('callback');
  const happened = [];
  globalThis.location = { href: 'https://pages.test/app/callback?code=c&state=s' };
  globalThis.history = { replaceState: (_state, _title, address) => happened.push(address) };
  create({ update() {}, provider: async () => (happened.push('provider'), null) });
  await settled();
  assert.deepEqual(happened, ['/app/callback', 'provider']);
});

// -- what invites offer

const OFFER = { inviteId: 'i', inviteeEmail: 'ann@example.com', inviterId: 'me', accessType: 'guest', boardPositions: ['ceo'] };

async function offersOf({ offer = OFFER, adminRole = 'member', listOfferedInvites = () => [offer], createInvite = () => ({}) } = {}) {
  const { InviteOffers } = await loadView('invite-offers');
  const app = { ...appOf({ listOfferedInvites, createInvite }), access: { ask: async () => {}, may: () => true } };
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
  const refused = async (status) => (await offersOf({ listOfferedInvites: () => { throw new Problem({ status }); } })).offers.list;
  assert.deepEqual([(await refused(403)).items, (await refused(403)).problem], [[], null]);
  assert.equal((await refused(503)).problem.status, 503);
});

test('a person’s account lists the invites that they sent on all boards, and a token’s view asks for none', async () => {
  const { InvitesOfMine } = await loadView('invites-of-mine');
  const listed = async (mayList) => {
    const app = { ...appOf({ listReceivedInvites: () => [] }), access: { ask: async () => {}, may: () => mayList } };
    app.api.bareArray = async (name) => { app.asked.push([name]); return { items: [{ ...OFFER, boardId: 'b' }, { ...OFFER, inviteId: 'j', boardId: 'c' }], next: null }; };
    const { sent } = new InvitesOfMine(app);
    await sent.loaded;
    return [app.asked.map(([name]) => name).includes('listSentInvites'), sent.items.map(({ boardId }) => boardId)];
  };
  assert.deepEqual(await listed(true), [true, ['b', 'c']]);
  assert.deepEqual(await listed(false), [false, []]);
});
