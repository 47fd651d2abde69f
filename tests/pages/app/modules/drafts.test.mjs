// Tests of half-typed forms.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load, storage } from './load.mjs';

const { Drafts } = await load('drafts');

const field = (name, value, more = {}) => ({ id: `f-${name}`, name, type: 'text', value, ...more });
const formOf = (...elements) => ({ elements });

test('what was typed comes back into the same form of the same page, and into no other', () => {
  const drafts = new Drafts(storage());
  drafts.save('/boards/b', formOf(field('title', 'Half'), field('place', 'There'), field('day', 'mon', { type: 'radio', checked: false }), field('day', 'tue', { type: 'radio', checked: true }), field('staff', 'yes', { type: 'checkbox', checked: true }), field('guests', 'yes', { type: 'checkbox', checked: false })));
  const [title, place, mon, tue, staff, guests] = [field('title', ''), field('place', ''), field('day', 'mon', { type: 'radio', checked: true }), field('day', 'tue', { type: 'radio', checked: false }), field('staff', 'yes', { type: 'checkbox', checked: false }), field('guests', 'yes', { type: 'checkbox', checked: true })];
  assert.equal(drafts.restore('/boards/other', formOf(title)), false);
  assert.equal(drafts.restore('/boards/b', formOf(field('name', ''))), false);
  assert.equal(drafts.restore('/boards/b', formOf(title, place, mon, tue, staff, guests)), true);
  assert.deepEqual([title, place].map(({ value }) => value), ['Half', 'There']);
  assert.deepEqual([mon, tue, staff, guests].map(({ checked }) => checked), [false, true, true, false]);
});

test('a field that a form did not have when it was typed into keeps its own value', () => {
  const drafts = new Drafts(storage());
  drafts.save('/x', formOf(field('a', '1')));
  const added = field('b', 'its own');
  drafts.restore('/x', formOf(field('a', ''), added));
  assert.equal(added.value, 'its own');
});

test('buttons and what has no name are not kept, nor a form of nothing else', () => {
  const kept = storage();
  const form = formOf(field('', 'nameless'), field('how', 'at once', { type: 'submit' }));
  const drafts = new Drafts(kept);
  drafts.save('/x', form);
  assert.equal(kept.held.size, 0);
  drafts.drop('/x', form);
  assert.equal(kept.held.size, 0);
});

test('a form that was sent is forgotten alone, signing out forgets all', () => {
  const kept = storage();
  const drafts = new Drafts(kept);
  const [one, other] = [formOf(field('a', '1')), formOf(field('b', '2'))];
  drafts.save('/x', one);
  drafts.save('/x', other);
  drafts.drop('/x', one);
  assert.deepEqual([drafts.restore('/x', one), drafts.restore('/x', other)], [false, true]);
  assert.deepEqual([...kept.held.keys()], ['board-governance.drafts']);
  drafts.drop('/x', other);
  assert.equal(kept.held.size, 0);
  drafts.save('/x', one);
  drafts.forget();
  assert.equal(kept.held.size, 0);
});

test('a form with a secret in it is never kept', () => {
  const kept = storage();
  new Drafts(kept).save('/x', formOf(field('name', 'n'), field('token', 'secret', { type: 'password' })));
  assert.equal(kept.held.size, 0);
});

test('what is no draft in the storage is none', () => {
  const kept = storage();
  kept.setItem('board-governance.drafts', '{broken');
  assert.equal(new Drafts(kept).restore('/x', formOf(field('a', '1'))), false);
});

test('what somebody else typed whose session ended here is forgotten', () => {
  const drafts = new Drafts(storage());
  drafts.save('/x', formOf(field('a', '1')));
  drafts.belongTo('me');
  assert.equal(drafts.restore('/x', formOf(field('a', ''))), true);
  drafts.belongTo('you');
  assert.equal(drafts.restore('/x', formOf(field('a', ''))), false);
});

test('a part of a page that is no form is kept under a name until it is removed', () => {
  const drafts = new Drafts(storage());
  drafts.put('/x', 'agenda', { items: [1] });
  assert.deepEqual([drafts.get('/x', 'agenda'), drafts.get('/y', 'agenda')], [{ items: [1] }, null]);
  drafts.remove('/x', 'agenda');
  assert.equal(drafts.get('/x', 'agenda'), null);
});
