// Tests of words for values.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { load } from './load.mjs';

const words = await load('words');
const ROOT = new URL('../../../../', import.meta.url);

test('initials of names, addresses and nothing', () => {
  assert.deepEqual(['Olivia Marsh', 'Ana Maria de Souza', 'guest@example.org', 'Élodie', '王 小明', '', '(?)'].map(words.initials),
    ['OM', 'AS', 'G', 'É', '王小', '?', '?']);
});

test('an invite’s message is shown as it was typed', () => {
  assert.equal(words.unescaped('For the &lt;next&gt; &amp;amp; one&#x27;s'), "For the <next> &amp; one's");
});

test('values without words of their own are still readable', () => {
  assert.equal(words.label('board_pack'), 'Board pack');
  assert.equal(words.label('constructor'), 'Constructor');
  assert.equal(words.label(null), '');
  assert.equal(words.auditDetails({ from: 'draft', to: 'scheduled' }), 'Draft → Scheduled');
  assert.equal(words.auditDetails({}), '');
  assert.equal(words.auditDetails({ fields: ['boardPositions', 'dueAt'], positions: ['cfo'] }), 'changed: positions, due at · CFO');
});

test('every action of the audit log, and every field that it names, has words in every language', () => {
  const { schemas } = JSON.parse(readFileSync(new URL('openapi.json', ROOT))).components;
  const { AuditAction } = schemas;
  for (const language of ['en', 'de']) {
    const messages = JSON.parse(readFileSync(new URL(`infra/pages/app/messages/${language}.json`, ROOT)));
    assert.deepEqual(AuditAction.enum.filter((action) => !messages[`audit.${action}`]), [], language);
    for (const name of ['MemberPatch', 'MeetingPatch', 'ActionItemPatch', 'UnregisteredUserPatch', 'BoardPatch']) {
      const fields = Object.keys(schemas[name].properties).filter((field) => !['status', 'inviteCodeEnabled'].includes(field));
      assert.deepEqual(fields.filter((field) => !messages[`changed.${field}`]), [], `${language} ${name}`);
    }
  }
});

test('a membership without changed fields is a new one', () => {
  assert.equal(words.auditAction('memberChange', { memberEmail: 'a@example.com', positions: [] }), 'joined the board');
  assert.equal(words.auditAction('memberChange', { fields: ['committees'] }), 'changed a member');
});
