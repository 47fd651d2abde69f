// What is typed into minutes becomes the body that saves them, and differs from what another wrote.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const { bodyOf, differing, draftOf, entryOf, joined, merged, noteOther, notePresence, opened, presenceOf } = await load('minutes-draft');
const KEPT = {
  attendance: [{ userId: 'u1', name: null, present: 'remote' }, { userId: null, name: 'Auditor', present: 'in_person' }],
  items: [{ agendaItemId: 'a1', text: 'Said', decision: { text: 'Done', result: 'noted' }, actionItemIds: ['t1'] }],
};

test('what is not touched is saved as it was', () => {
  assert.deepEqual(bodyOf(draftOf(KEPT)), {
    attendance: [{ userId: 'u1', present: 'remote' }, { name: 'Auditor', present: 'in_person' }],
    items: [{ agendaItemId: 'a1', text: 'Said', decision: { text: 'Done', result: 'noted' }, actionItemIds: ['t1'] }],
  });
});

test('an entry stays the item of the minutes that is about the same, and a new one is none of them', () => {
  const minutes = { attendance: [], items: [['i1', null], ['i2', 'a1'], ['i3', null]].map(([id, agendaItemId]) => ({ id, agendaItemId, text: id, decision: null, actionItemIds: [] })) };
  const draft = draftOf(minutes);
  entryOf(draft, 'a2').text = 'New';
  assert.deepEqual(bodyOf(draft, minutes).items.map(({ id, text }) => [id, text]), [['i1', 'i1'], ['i2', 'i2'], ['i3', 'i3'], [undefined, 'New']]);
});

test('where there are no minutes yet the draft is empty', () => {
  assert.deepEqual(draftOf(null), { attendance: [], items: [] });
});

test('entries that say nothing are not saved, and those about nothing on the agenda name no item', () => {
  const draft = draftOf(null);
  entryOf(draft, 'a1');
  entryOf(draft, null).text = 'Any other business';
  Object.assign(entryOf(draft, 'a2'), { text: ' \n', decision: { text: ' ', result: 'carried' } });
  assert.deepEqual(bodyOf(draft).items, [{ text: 'Any other business' }]);
  assert.equal(entryOf(draft, null), entryOf(draft, null));
});

test('an entry that says nothing but has action items is saved', () => {
  const items = [{ agendaItemId: 'a1', text: '', decision: null, actionItemIds: ['t1'] }];
  assert.deepEqual(bodyOf(draftOf({ attendance: [], items })).items.map(({ actionItemIds }) => actionItemIds), [['t1']]);
});

test('attendance is noted once for each member, and taken back', () => {
  const draft = draftOf(KEPT);
  notePresence(draft, 'u1', 'absent');
  assert.equal(presenceOf(draft, 'u1'), 'absent');
  notePresence(draft, 'u1', '');
  assert.equal(presenceOf(draft, 'u1'), '');
  assert.deepEqual(bodyOf(draft).attendance, [{ name: 'Auditor', present: 'in_person' }]);
});

test('only entries with other words differ', () => {
  const [mine, theirs] = [draftOf(KEPT), draftOf(KEPT)];
  entryOf(mine, 'a2');
  assert.deepEqual(differing(mine, theirs), []);
  entryOf(mine, 'a2').decision = { text: '', result: 'rejected' };
  assert.deepEqual(differing(mine, theirs), []);
  entryOf(theirs, 'a2').text = 'Theirs';
  assert.deepEqual(differing(mine, theirs), ['a2']);
  entryOf(mine, 'a1').decision.result = 'carried';
  entryOf(theirs, null).decision = { text: 'Theirs', result: 'noted' };
  assert.deepEqual(differing(mine, theirs), ['a1', 'a2', null]);
  entryOf(mine, null).decision = { text: 'Mine', result: 'noted' };
  assert.deepEqual(differing(mine, theirs), ['a1', 'a2', null]);
});

// -- what two people write at once

const said = (agendaItemId, text, more = {}) => ({ agendaItemId, text, decision: null, actionItemIds: [], ...more });
const draft = (items, attendance = []) => ({ items, attendance });
const BASE = draft([said('a1', 'One'), said('a2', 'Two')]);

test('what two people wrote about different items is all kept', () => {
  const found = merged(BASE, draft([said('a1', 'Mine'), said('a2', 'Two')]), draft([said('a1', 'One'), said('a2', 'Theirs'), said(null, 'Also theirs')]));
  assert.deepEqual(found.both, []);
  assert.deepEqual(found.mine.items, [said('a1', 'Mine'), said('a2', 'Theirs'), said(null, 'Also theirs')]);
  assert.deepEqual(found.theirs, found.mine);
});

test('of an item that both changed each one’s words are kept apart', () => {
  const found = merged(BASE, draft([said('a1', 'Mine'), said('a2', 'My two')]), draft([said('a1', 'Theirs'), said('a2', 'Two')]));
  assert.deepEqual(found.both, ['a1']);
  assert.deepEqual(found.mine.items, [said('a1', 'Mine'), said('a2', 'My two')]);
  assert.deepEqual(found.theirs.items, [said('a1', 'Theirs'), said('a2', 'My two')]);
});

test('the same words of both are no conflict, nor is an entry that says nothing', () => {
  const same = draft([said('a1', 'Same'), said('a2', 'Two')]);
  assert.deepEqual(merged(BASE, same, structuredClone(same)).both, []);
  const opened = draft([...BASE.items, said('a3', ''), said('a4', '', { decision: { text: '', result: 'noted' } })]);
  assert.deepEqual(merged(BASE, opened, draft([...BASE.items, said('a3', 'Theirs')])).both, []);
});

test('a decision, a result and a task that the other wrote are a change like words', () => {
  for (const more of [{ decision: { text: 'Done', result: 'carried' } }, { actionItemIds: ['t'] }]) {
    const theirs = draft([said('a1', 'One', more), said('a2', 'Two')]);
    assert.deepEqual(merged(BASE, BASE, theirs).mine.items, theirs.items);
    assert.deepEqual(merged(BASE, draft([said('a1', 'Mine'), said('a2', 'Two')]), theirs).both, ['a1']);
  }
  const before = draft([said('a1', '', { decision: { text: 'Done', result: 'carried' } })]);
  const after = draft([said('a1', '', { decision: { text: 'Done', result: 'rejected' } })]);
  assert.deepEqual(merged(before, before, after).mine, after);
});

test('what the other took away is away, unless it was written to here', () => {
  const theirs = draft([said('a2', 'Two')]);
  assert.deepEqual(merged(BASE, BASE, theirs).mine.items, theirs.items);
  const found = merged(BASE, draft([said('a1', 'Mine'), said('a2', 'Two')]), theirs);
  assert.deepEqual([found.both, found.mine.items.map(({ text }) => text).sort()], [['a1'], ['Mine', 'Two']]);
});

test('attendance that each noted is joined by person; of one that both noted mine stays', () => {
  const who = (userId, present, name = null) => ({ userId, name, present });
  const before = draft([], [who('u1', 'remote'), who('u4', 'remote')]);
  const mine = draft([], [who('u1', 'absent'), who('u2', 'remote'), who('u4', 'remote')]);
  const theirs = draft([], [who('u1', 'in_person'), who('u3', 'remote'), who(null, 'remote', 'Auditor')]);
  const { mine: found } = merged(before, mine, theirs);
  const noted = Object.fromEntries(found.attendance.map(({ userId, name, present }) => [userId ?? name, present]));
  assert.deepEqual(noted, { u1: 'absent', u2: 'remote', u3: 'remote', Auditor: 'remote' });
});

test('joining changes none of the drafts', () => {
  const drafts = [BASE, draft([said('a1', 'Mine')]), draft([said('a1', 'One'), said('a2', 'Theirs')])].map((each) => structuredClone(each));
  const copies = structuredClone(drafts);
  merged(...drafts).mine.items[0].text = 'Changed';
  assert.deepEqual(drafts, copies);
});

test('both are kept with their words before mine, unless an entry would have two decisions or too many words', () => {
  const entry = (text, decision = null, more = {}) => ({ agendaItemId: 'a1', text, decision, resolutionId: null, actionItemIds: [], ...more });
  const both = (here, there, other = []) => joined({ attendance: ['mine'], items: [here] }, { attendance: ['theirs'], items: [there, ...other] });
  const done = { text: 'Done', result: 'carried' };
  assert.deepEqual(both(entry('Mine', null, { actionItemIds: ['t1'] }), entry('Theirs', done, { actionItemIds: ['t2'] })),
    { attendance: ['mine'], items: [entry('Theirs\n\nMine', done, { actionItemIds: ['t2', 't1'] })] });
  assert.equal(both(entry('Same', done), entry('Same', done)).items[0].text, 'Same');
  assert.deepEqual(both(entry('Mine'), entry(''), [{ ...entry('More'), agendaItemId: 'a2' }]).items.map(({ text }) => text), ['Mine', 'More']);
  assert.equal(both(entry('', done), entry('', { ...done, result: 'rejected' })), null);
  assert.equal(both(entry('', done), entry('', null, { resolutionId: 'r' })), null);
  assert.equal(both(entry('a'.repeat(10_000)), entry('b'.repeat(10_000))), null);
});

// -- people without an account

test('somebody without an account is noted by their id, and somebody else by their name alone', () => {
  const noted = draftOf(null);
  noteOther(noted, { unregisteredUserId: 'p', name: 'Greta Lind' }, 'remote');
  noteOther(noted, { name: 'Greta Lind' }, 'in_person');
  notePresence(noted, 'u', 'absent');
  assert.deepEqual(bodyOf(noted).attendance, [{ unregisteredUserId: 'p', present: 'remote' }, { name: 'Greta Lind', present: 'in_person' }, { userId: 'u', present: 'absent' }]);
  noteOther(noted, { unregisteredUserId: 'p' }, 'absent');
  noteOther(noted, { name: 'Greta Lind' }, '');
  assert.deepEqual(bodyOf(noted).attendance, [{ userId: 'u', present: 'absent' }, { unregisteredUserId: 'p', present: 'absent' }]);
});

test('who is in the minutes by a link stays so when they are saved again', () => {
  const minutes = { attendance: [{ userId: null, unregisteredUserId: 'p', name: 'Greta Lind', present: 'remote' }], items: [] };
  assert.deepEqual(bodyOf(draftOf(minutes)).attendance, [{ unregisteredUserId: 'p', present: 'remote' }]);
});

test('what is in camera for others is not edited, and stays without being sent', () => {
  const place = { id: 'a', agendaItemId: null, text: null, decision: null, resolutionId: null, actionItemIds: null, audience: null, withheld: true };
  const seen = { id: 'b', agendaItemId: null, text: 'Open', decision: null, resolutionId: null, actionItemIds: [], audience: null, withheld: false };
  const minutes = { attendance: [], items: [place, seen] };
  assert.deepEqual(bodyOf(draftOf(minutes), minutes).items, [{ id: 'b', text: 'Open' }]);
});

test('the audience of an entry is sent where it has one or was changed', () => {
  const item = { id: 'a', agendaItemId: 'x', text: 'Pay', decision: null, resolutionId: null, actionItemIds: [], audience: { userIds: ['u'] }, withheld: false };
  const minutes = { attendance: [], items: [item] };
  const draft = draftOf(minutes);
  assert.deepEqual(bodyOf(draft, minutes).items, [{ id: 'a', agendaItemId: 'x', text: 'Pay', audience: { userIds: ['u'] } }]);
  draft.items[0].audience = null;
  assert.equal(bodyOf(draft, minutes).items[0].audience, null);
});

test('a version is read with what its seals stand for, as far as it is for the reader', () => {
  const [mine, theirs] = [{ id: 'a', sealed: '0' }, { id: 'b', sealed: '1' }];
  const inCamera = [{ item: { id: 'a', text: 'Pay' }, salt: 's', audience: { userIds: ['u'] } }];
  assert.deepEqual(opened({ version: 1, items: [mine, theirs, { id: 'c', text: 'Open' }], inCamera }).items, [
    { id: 'a', text: 'Pay', audience: { userIds: ['u'] } }, { id: 'b', withheld: true }, { id: 'c', text: 'Open' },
  ]);
  assert.deepEqual(opened({ items: [{ id: 'c' }] }).items, [{ id: 'c' }]);
});
