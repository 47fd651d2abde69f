// Agenda and minutes that several people write, and the votes of a meeting: what of it is sent, kept and taken back.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';
import { appOf, bound, deferred, loadView, never, settled } from './rendered.mjs';

const { Problem } = await load('problems');
const FUTURE = '2099-01-01T09:00:00Z';
const board = { userId: 'me', member: {}, current: [], unregistered: { items: [] }, withoutAccount: () => undefined, may: () => true, nameOf: (id) => id };

// -- the minutes

const NO_ITEMS = { list: { items: [] }, dues: { dayOf: () => '' } };

/** Returns the minutes of a meeting that runs, once they can be edited. */
async function minutesOf(app) {
  const { MinutesPart } = await loadView('meetings/meeting-minutes-part');
  await loadView('meetings/meeting-minutes');
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
  const { Minutes } = await loadView('meetings/meeting-minutes');
  const { drafts } = await load('drafts');
  drafts.forget();
  const held = { minutes };
  const app = appOf({ getMinutes: () => held.minutes, putMinutes: ({ body }) => ({ ...body, status: 'draft', quorum: {}, updatedAt: 'mine' }) });
  const { MinutesPart } = await loadView('meetings/meeting-minutes-part');
  const part = new MinutesPart(app, { ...board, members: { items: [] } }, {}, { agenda: { resource: { data: { items: [] } } }, items: NO_ITEMS, resolutions: { opened: [] } });
  const view = new Minutes(part);
  await part.resource.loaded;
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

test('minutes that another deletes while they are written here stay as they are typed, and are not saved unasked', async (context) => {
  const held = await editedMinutes(minutesWith('1', ['a', 'One'], ['b', 'Two']));
  held.app.access = { ask: async () => {} };
  context.mock.timers.enable({ apis: ['setTimeout'] });
  held.view.draft.items[0].text = 'Mine';
  bound(held.show(), '@input')[0]();
  held.minutes = null;
  await held.view.refresh();
  context.mock.timers.tick(5000);
  await held.view.flush();
  assert.deepEqual([held.text('a'), held.text('b'), held.view.isGone], ['Mine', 'Two', true]);
  assert.deepEqual(held.app.asked.filter(([name]) => name === 'putMinutes'), []);
});

test('what is typed into minutes that another has deleted joins them when they come back', async () => {
  const held = await editedMinutes(minutesWith('1', ['a', 'One'], ['b', 'Two']));
  held.app.access = { ask: async () => {} };
  held.minutes = null;
  await held.view.refresh();
  held.app.api.call = async () => { held.minutes = minutesWith('3', ['a', 'One'], ['b', 'Two']); };
  assert.equal(held.view.isGone, true);
  const [restore] = bound(held.show(), '@click');
  await restore();
  assert.deepEqual([held.view.isGone, held.view.draft], [false, null]);
  held.show();
  assert.deepEqual([held.text('a'), held.text('b')], ['One', 'Two']);
});

// -- the resolutions of a meeting

test('the ballots of a vote that is open in a meeting are read again with its resolutions', async () => {
  const open = { id: 'r1', title: 'Budget', status: 'open', createdAt: FUTURE, voters: [] };
  const { MeetingResolutions } = await loadView('resolutions/meeting-resolutions');
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
  const { Agenda } = await loadView('meetings/meeting-agenda');
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

test('an agenda that another changes while one types is not saved before something is chosen, and both can be kept', async () => {
  const held = await agendaOf(onAgenda('One'));
  const sent = [];
  held.view.app.api.get = async (name, { body } = {}) => { if (body) sent.push(body.items.map(({ id, title }) => [id, title])); return { items: held.items }; };
  await held.edit();
  held.view.editor.items[0].title = 'Mine';
  held.items = onAgenda('One', 'Theirs');
  await held.view.refresh();
  bound(held.view.render({ status: 'scheduled' }), '@submit')[0]({ preventDefault() {} });
  await settled();
  assert.deepEqual(sent, []);
  bound(held.view.render({ status: 'scheduled' }), '@click')[2]();
  await settled();
  assert.deepEqual(sent, [[['0', 'Mine'], ['1', 'Theirs']]]);
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
