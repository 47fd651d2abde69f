// The module that gives the pages their texts.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const { chosenLanguage, has, locale, setAccountLanguage, t } = await load('texts');
const { storage } = await load('storage');

test('a text has its values, its plural form, and the markup that the view makes', () => {
  assert.equal(t('common.untilDate', { date: 'Monday' }), 'until Monday');
  assert.equal(t('committees.members', { number: 1 }), '1 member');
  assert.equal(t('committees.members', { number: 0 }), '0 members');
  const strong = (words) => ({ strong: words });
  assert.match(t('invites.oneOrSeveralPasteAList'), /“Anna Berg <anna@example\.com>”/, 'what is no markup stays as it is written');
  assert.deepEqual(t('invite.youAreAMemberOfBoardname', { boardName: 'Acme', strong }), ['You are a member of ', { strong: 'Acme' }]);
});

test('the language is the account’s, else the first of the browser that there is, else English', () => {
  assert.equal(chosenLanguage('de', ['en-US']), 'de');
  assert.equal(chosenLanguage(null, ['fr-FR', 'de-AT', 'en']), 'de');
  assert.equal(chosenLanguage('fr', ['de']), 'de');
  assert.equal(chosenLanguage(null, ['fr']), 'en');
  assert.equal(chosenLanguage(undefined, []), 'en');
  assert.equal(locale().split('-')[0], 'en');
});

test('there is a text for a value that has one', () => {
  assert.ok(has('label.draft'));
  assert.ok(!has('label.toString'));
  assert.ok(!has('toString'));
});

test('the account’s language is spoken once its texts are there, and kept for the tab', async () => {
  let changes = 0;
  const changed = () => (changes += 1);
  await setAccountLanguage('de', changed);
  assert.deepEqual([t('common.board'), locale(), changes], ['Gremium', 'de', 1]);
  assert.equal(storage.getItem('board-governance.language'), 'de');
  await setAccountLanguage('de', changed);
  assert.equal(changes, 1);
  await setAccountLanguage(null, changed);
  assert.deepEqual([t('common.board'), changes], ['Board', 2]);
  assert.equal(storage.getItem('board-governance.language'), null);
});
