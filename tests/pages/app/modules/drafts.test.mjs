// Tests of half-typed forms.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load, storage } from './load.mjs';

const { Drafts } = await load('drafts');

const field = (name, value, more = {}) => ({ id: `f-${name}`, name, type: 'text', value, ...more });
const formOf = (...elements) => ({ elements });

test('what was typed comes back into the same form of the same page, and into no other', () => {
  const drafts = new Drafts(storage());
  drafts.save('/boards/b', formOf(field('title', 'Half'), field('day', 'mon', { type: 'radio', checked: false }), field('day', 'tue', { type: 'radio', checked: true }), field('staff', 'yes', { type: 'checkbox', checked: true })));
  const [title, mon, tue, staff] = [field('title', ''), field('day', 'mon', { type: 'radio', checked: true }), field('day', 'tue', { type: 'radio', checked: false }), field('staff', 'yes', { type: 'checkbox', checked: false })];
  assert.equal(drafts.restore('/boards/other', formOf(title)), false);
  assert.equal(drafts.restore('/boards/b', formOf(field('name', ''))), false);
  assert.equal(drafts.restore('/boards/b', formOf(title, mon, tue, staff)), true);
  assert.deepEqual([title.value, mon.checked, tue.checked, staff.checked], ['Half', false, true, true]);
});

test('a form that was sent is forgotten alone, signing out forgets all', () => {
  const kept = storage();
  const drafts = new Drafts(kept);
  const [one, other] = [formOf(field('a', '1')), formOf(field('b', '2'))];
  drafts.save('/x', one);
  drafts.save('/x', other);
  drafts.drop('/x', one);
  assert.deepEqual([drafts.restore('/x', one), drafts.restore('/x', other)], [false, true]);
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
