// Tests of what mails are about.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { load } from './load.mjs';

const { CATEGORIES, MAIL_SWITCHES, topicInWords } = await load('mail-topics');
const { schemas } = JSON.parse(readFileSync(new URL('../../../../openapi.json', import.meta.url))).components;

test('whatever the API lets people turn off can be turned off, and is sent', () => {
  assert.deepEqual([...CATEGORIES].sort(), [...schemas.NotificationCategory['x-produced']].sort());
  assert.deepEqual([...MAIL_SWITCHES].sort(), Object.keys(schemas.CalendarSettingsBody.properties).sort());
});

test('each topic has a heading and a sentence of its own; one that the pages do not know has a heading', () => {
  const topics = [...CATEGORIES, ...MAIL_SWITCHES];
  for (const member of ['heading', 'text']) {
    const said = new Set(topics.map((topic) => topicInWords(topic)[member]).filter(Boolean));
    assert.equal(said.size, topics.length, member);
  }
  assert.deepEqual(topicInWords('not yet known'), { heading: 'E-mails of one kind', text: '' });
});
