// Tests of lists that are pasted where one line is typed.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const { beginning, readAgenda, readLines } = await load('pasted-lines');

test('a list has its lines without what numbers or marks them, and without those that are empty', () => {
  const text = '1. Opening\r\n\n2.1) Budget  2027\n3\tMinutes\n• Report\n– Outlook\n- Chair\nTOP 4: Beschlüsse\nTOP 5 Sonstiges\n  \n10: Any other business';
  assert.deepEqual(readLines(text), ['Opening', 'Budget 2027', 'Minutes', 'Report', 'Outlook', 'Chair', 'Beschlüsse', 'Sonstiges', 'Any other business']);
});

test('a number with a point is a part of the line where it counts something, or no lines', () => {
  for (const lines of [['2. Quartal', 'Ausblick'], ['31. Dezember', '1. Januar'], ['1. Quartal', '2. Quartal', '3. Quartal'], ['1. Halbjahr 2027'], ['7. Bericht', 'Ausblick']]) {
    assert.deepEqual(readLines(lines.join('\n')), lines);
  }
  assert.deepEqual(readLines('1. Eröffnung\n2. Quartal\n2. Bericht\n3. Varia'), ['Eröffnung', '2. Quartal', 'Bericht', 'Varia']);
  assert.deepEqual(readLines('4. Bericht\n5. Varia'), ['Bericht', 'Varia']);
});

test('the bullets of a word processor are none of the line', () => {
  const marks = ['·\t', 'o\t', '§\t', '\uF0B7 ', '▪ ', '➢\t', '✓ ', '● ', 'a) ', 'o\u00A0\u00A0 '];
  assert.deepEqual(readLines(marks.map((mark) => `${mark}Budget`).join('\n')), marks.map(() => 'Budget'));
  assert.deepEqual(readLines('§ 5 der Satzung\no Tannenbaum'), ['§ 5 der Satzung', 'o Tannenbaum']);
});

test('a word that begins like one that is counted is an item', () => {
  assert.deepEqual(readLines('1. Eröffnung\n2. Jahresabschluss\n3. Tagesordnung\n4. Maiersche Spende\n5. Quartalsbericht'), ['Eröffnung', 'Jahresabschluss', 'Tagesordnung', 'Maiersche Spende', 'Quartalsbericht']);
  assert.deepEqual(readLines('2. Quartals\n31. Dez. 2027'), ['2. Quartals', '31. Dez. 2027']);
});

test('lists of other programs, scripts and habits lose their numbers and signs', () => {
  for (const [first, second] of [
    ['(1) ', '(2) '], ['a. ', 'b. '], ['I. ', 'II. '], ['i) ', 'ii) '], ['1 - ', '2 - '], ['1/ ', '2/ '], ['TOP 1 – ', 'TOP 2 – '], ['Item 1: ', 'Item 2: '], ['Punkt 1: ', 'Punkt 2: '],
    ['☐ ', '☑ '], ['— ', '— '], ['❖\t', '\uF076\t'], ['◆ ', '→ '], ['① ', '② '], ['１．', '２．'], ['1、', '2、'], ['一、', '二、'], ['١. ', '٢. '], ['๑. ', '๒. '], ['•', '•'], ['1.', '2.'], ['\u200E1. ', '\u200E2. '], ['1.\n\t', '2.\n\t'],
  ]) {
    assert.deepEqual(readAgenda(`${first}Opening\n${second}Budget`).map(({ title }) => title), ['Opening', 'Budget'], first);
  }
  assert.deepEqual(readLines('1 Opening\n2 Budget\n3 Closing'), ['Opening', 'Budget', 'Closing']);
  for (const divided of ['\r', '\v', '\u2028', '\u2029', '\u0085']) assert.deepEqual(readLines(`1. Opening${divided}2. Budget`), ['Opening', 'Budget']);
});

test('what only looks like a number or a sign stays', () => {
  const lines = ['Top 10 risks', '2027: Outlook', '2027 – a new roof', 'A. Berg: report', '24/7 support', '10 – 12 Uhr Pause'];
  assert.deepEqual(readLines(lines.join('\n')), lines);
});

test('what begins with a number that is part of it stays whole', () => {
  const lines = ['2027 budget', '3-year plan', '1.5 million for the roof', 'Topics', 'Item 7. Elections'];
  assert.deepEqual(readLines(lines.join('\n')), lines);
});

const agenda = (text) => readAgenda(text).map(({ title, minutes, notes }) => [title, minutes, ...(notes ? [notes] : [])]);

test('minutes in brackets are those of the item', () => {
  assert.deepEqual(agenda('1. Opening (5 min)\n2. Budget 2027 [20 minutes]\n3. Board (2025)\n4. Closing (5\')'), [['Opening', 5], ['Budget 2027', 20], ['Board (2025)', null], ['Closing', 5]]);
  assert.deepEqual(agenda('TOP 1: Eröffnung (5 Min.)\nTOP 2: Haushalt (ca. 20 Minuten)'), [['Eröffnung', 5], ['Haushalt', 20]]);
});

test('lines that are indented or numbered under an item are its notes', () => {
  assert.deepEqual(agenda('1. Finance (30 min)\n   a) Budget\n   b) Audit\n2. Closing'), [['Finance', 30, '– Budget\n– Audit'], ['Closing', null]]);
  assert.deepEqual(agenda('TOP 1 Finanzen\n1.1 Haushalt\n1.2. Prüfung\nTOP 2 Verschiedenes'), [['Finanzen', null, '– Haushalt\n– Prüfung'], ['Verschiedenes', null]]);
  assert.deepEqual(agenda('• Finanzen\n\t◦ Haushalt\n• Varia'), [['Finanzen', null, '– Haushalt'], ['Varia', null]]);
  assert.deepEqual(agenda('1.\tFinance\na.\tBudget\nb.\tAudit\n2.\tClosing'), [['Finance', null, '– Budget\n– Audit'], ['Closing', null]], 'without its indents');
  assert.deepEqual(agenda('•\tFinance\no\tBudget\n•\tClosing'), [['Finance', null, '– Budget'], ['Closing', null]], 'the second bullet of a word processor');
  assert.deepEqual(agenda('1. Finance\n- Budget\n2. Closing'), [['Finance', null, '– Budget'], ['Closing', null]]);
  assert.deepEqual(agenda('   1. Opening\n   2. Closing'), [['Opening', null], ['Closing', null]], 'indented as a whole');
});

test('times of day that begin the lines become minutes', () => {
  assert.deepEqual(agenda('09:00 Opening\n09:15 Budget\n10:00 am Closing'), [['Opening', 15], ['Budget', 45], ['Closing', null]]);
  assert.deepEqual(agenda('9.00–9.15 Uhr Eröffnung\n9.15 bis 10.00 Uhr: Haushalt'), [['Eröffnung', 15], ['Haushalt', 45]]);
  assert.deepEqual(agenda('1.50 million for the roof\n2027 budget'), [['1.50 million for the roof', null], ['2027 budget', null]]);
});

test('the beginning of a text that is too long ends with a whole sign', () => {
  assert.deepEqual(['ab😀c', 'ab', '😀'].map((text) => beginning(text, 3)), ['ab', 'ab', '😀']);
  assert.equal(beginning('ab😀c', 4), 'ab😀');
});
