// What is pasted becomes people, and people are found again among the members.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';

const { isGarbled, likely, textOf, textOfFile, readInvitees, readPeople } = await load('people');

const people = (text) => readPeople(text).map(({ firstName, lastName, email, boardPositions }) => [firstName, lastName, email, ...boardPositions]);
const ANNA = ['Anna', 'Berg', 'anna@example.com'];
const BEN = ['Ben', 'Okafor', 'ben@example.com'];

for (const [what, text] of [
  ['a name and an address in a line', 'Anna Berg anna@example.com\nBen Okafor ben@example.com'],
  ['an address first', 'anna@example.com Anna Berg\nben@example.com Ben Okafor'],
  ['commas', 'Anna Berg, anna@example.com\nBen Okafor, ben@example.com'],
  ['the list of a mail program', 'Anna Berg <anna@example.com>, Ben Okafor <ben@example.com>'],
  ['the list of a mail program with semicolons', 'Anna Berg <Anna@Example.com>; Ben Okafor <ben@example.com>;'],
  ['last names first, quoted', '"Berg, Anna" <anna@example.com>, "Okafor, Ben" <ben@example.com>'],
  ['cells of a spreadsheet', 'Anna\tBerg\tanna@example.com\nBen\tOkafor\tben@example.com'],
  ['cells with the address first', 'anna@example.com\tAnna Berg\nben@example.com\tBen Okafor'],
  ['columns that are named', 'E-mail;Last name;First name\nanna@example.com;Berg;Anna\nben@example.com;Okafor;Ben'],
  ['columns that are named in German', 'Vorname\tName\tE-Mail-Adresse\nAnna\tBerg\tanna@example.com\nBen\tOkafor\tben@example.com'],
  ['a column of whole names', 'Name,Email\nAnna Berg,anna@example.com\n"Okafor, Ben",ben@example.com'],
  ['addresses in other brackets', 'Anna Berg (anna@example.com)\nBen Okafor [mailto:ben@example.com]'],
  ['addresses as links', 'Anna Berg <mailto:anna@example.com>; Ben Okafor <mailto:ben@example.com>'],
  ['names in single quotes', "'Anna Berg' <anna@example.com>; ‘Okafor, Ben’ <ben@example.com>"],
  ['the head of a mail', 'To: Anna Berg <anna@example.com>\nAn:\tOkafor, Ben <ben@example.com>'],
  ['a dash or a colon before the address', 'Anna Berg – anna@example.com\nBen Okafor: ben@example.com'],
  ['a numbered list', '1. Anna Berg, anna@example.com\n2. Ben Okafor, ben@example.com'],
  ['a list with bullets', '•\tAnna Berg anna@example.com\n•\tBen Okafor ben@example.com'],
  ['a table that numbers its lines', '1\tAnna\tBerg\tanna@example.com\n2\tBen\tOkafor\tben@example.com'],
  ['lines with telephone numbers', 'Anna;Berg;anna@example.com;+49 30 1234\nBen;Okafor;ben@example.com;030 5678'],
  ['the columns of a comma-separated file, last name first', 'Last, First, E-mail\nBerg, Anna, anna@example.com\nOkafor, Ben, ben@example.com'],
  ['marks of direction and of the order of bytes', '\u202AAnna Berg\u202C \u200Fanna@example.com\n\uFEFFBen Okafor, ben@example.com'],
  ['a table of a text file', '| Anna Berg | anna@example.com |\n| Ben Okafor | ben@example.com |'],
  ['Windows lines and empty ones', 'Anna Berg, anna@example.com\r\n\r\n  \r\nBen Okafor, ben@example.com\r\n'],
]) {
  test(`people are read from ${what}`, () => assert.deepEqual(people(text), [ANNA, BEN]));
}

for (const [what, text] of [
  ['a comma and a blank', 'Berg, Anna anna@example.com\nOkafor, Ben ben@example.com'],
  ['brackets around the address', 'Berg, Anna <anna@example.com>\nOkafor, Ben <ben@example.com>'],
  ['a semicolon before the address', 'Berg, Anna; anna@example.com\nOkafor, Ben; ben@example.com'],
  ['a tab before the address', 'Berg, Anna\tanna@example.com\nOkafor, Ben\tben@example.com'],
  ['decomposed and full-width letters', 'Ｂｅｒｇ，　Ａｎｎａ　ａｎｎａ＠ｅｘａｍｐｌｅ．ｃｏｍ\nOkafor, Ben ben@example.com'],
]) {
  test(`last names come first before a comma: ${what}`, () => assert.deepEqual(people(text), [ANNA, BEN]));
}

test('a line may be a last and a first name alone, and letters are composed', () => {
  assert.deepEqual(people('Berg, Anna\nMu\u0308ller-Lüdenscheidt, Jürgen Karl'), [['Anna', 'Berg', null], ['Jürgen Karl', 'Müller-Lüdenscheidt', null]]);
  assert.deepEqual(people('Anna, Berg, anna@example.com'), [ANNA], 'cells that commas divide');
});

test('a last name of several words stays whole, and a title is none', () => {
  assert.deepEqual(people('van der Berg, Anna\nGarcía Márquez, Gabriel José <g@example.com>'), [['Anna', 'van der Berg', null], ['Gabriel José', 'García Márquez', 'g@example.com']]);
  assert.deepEqual(people('John Smith, Jr.\nAnna Berg, PhD <anna@example.com>\nJohn Smith Jr.'), [['John', 'Smith Jr.', null], ['Anna', 'Berg PhD', 'anna@example.com'], ['John', 'Smith Jr.', null]]);
});

test('names alone in a line are as many people, and the names of columns are none', () => {
  assert.deepEqual(people('Berg, Anna; Okafor, Ben'), [['Anna', 'Berg', null], ['Ben', 'Okafor', null]]);
  for (const header of ['Nachname, Vorname', 'Name']) assert.deepEqual(people(`${header}\nBerg, Anna`), [['Anna', 'Berg', null]], header);
});

test('a position is told from a name by its word, by brackets, or behind the address', () => {
  for (const text of ['Anna Berg, Chair', 'Anna Berg (Chair)']) assert.deepEqual(people(text), [['Anna', 'Berg', null, 'Chair']], text);
  assert.deepEqual(people('Anna Berg, Vorsitzende'), [['Anna', 'Berg', null, 'Vorsitzende']]);
  for (const text of ['Anna Berg\tanna@example.com\tChair', 'Anna Berg (Chair) <anna@example.com>', 'Anna Berg <anna@example.com> (Chair)']) assert.deepEqual(people(text), [[...ANNA, 'Chair']], text);
});

test('a file is read in the encoding in which a spreadsheet saved it', () => {
  const text = 'Vorname;Nachname;E-Mail\r\nJürgen;Müller;juergen@example.com\r\n';
  const bytes = Uint8Array.from(text, (sign) => sign.charCodeAt(0));
  const ofMac = Uint8Array.from(text.replaceAll('\n', ''), (sign) => (sign === 'ü' ? 0x9f : sign.charCodeAt(0)));
  const bigEndian = Uint8Array.from(Buffer.from(`\uFEFF${text}`, 'utf16le').swap16());
  for (const file of [bytes, ofMac, bigEndian, new TextEncoder().encode(text), new TextEncoder().encode(`\uFEFF${text}`), Uint8Array.from(Buffer.from(`\uFEFF${text}`, 'utf16le'))]) {
    assert.deepEqual(people(textOfFile(file)), [['Jürgen', 'Müller', 'juergen@example.com']]);
  }
  assert.deepEqual(['Jürgen', 'J\uFFFDrgen', 'J\u0081rgen'].map(isGarbled), [false, true, true]);
});

test('somebody without an address is a person too, and so is an address without a name', () => {
  assert.deepEqual(people('Greta Lind\nbo.ek@example.com\nplain@example.com'), [['Greta', 'Lind', null], ['Bo', 'Ek', 'bo.ek@example.com'], ['Plain', null, 'plain@example.com']]);
});

test('positions are read where a column names them, or after both names', () => {
  assert.deepEqual(people('First name;Last name;E-mail;Position\nAnna;Berg;anna@example.com;External auditor'), [[...ANNA, 'External auditor']]);
  assert.deepEqual(people('Anna;Berg;anna@example.com;External auditor'), [[...ANNA, 'External auditor']]);
});

test('names of several words keep their words', () => {
  assert.deepEqual(people('Dr. Anna Maria Berg, anna@example.com'), [['Dr. Anna Maria', 'Berg', 'anna@example.com']]);
});

test('among a mail program’s list those without brackets are read too', () => {
  assert.deepEqual(people('Anna Berg <anna@example.com>, ben.okafor@example.com'), [ANNA, BEN.with(2, 'ben.okafor@example.com')]);
});

test('nothing is nobody', () => {
  for (const text of ['', ' \n\t', ',;', 'Name;Email']) assert.deepEqual(readPeople(text), [], JSON.stringify(text));
});

test('the text of those who were refused is read as the same people', () => {
  for (const text of ['Anna Berg <anna@example.com>, Ben Okafor <ben@example.com>', 'E-mail;Last name;First name\nanna@example.com;Berg;Anna\nben@example.com;Okafor;Ben', 'Greta\nAnna; Berg; anna@example.com; Auditor', 'plain@example.com']) {
    const read = readPeople(text);
    assert.deepEqual(people(textOf(read)), people(text), text);
  }
});

const member = (userId, firstName, lastName, email = null) => ({ userId, firstName, lastName, email });

test('a person looks like the member of the same address, before one of the same name', () => {
  const members = [member('u1', 'Anna', 'Berg'), member('u2', 'A.', 'Berg', 'Anna@Example.com')];
  assert.equal(likely({ fullName: 'anna berg', email: 'anna@example.com' }, members).userId, 'u2');
  assert.equal(likely({ fullName: 'ANNA BERG', email: null }, members).userId, 'u1');
  assert.equal(likely({ fullName: 'Ａｎｎａ Berg', email: null }, members).userId, 'u1');
  assert.equal(likely({ fullName: 'Anna Berger', email: null }, members), undefined);
});

test('lines of the form that is promised are read beside those of a mail program', () => {
  const lines = ['Anna Berg <anna@example.com>', 'Ben; Okafor; ben@example.com; Auditor', '"Lind, Greta" <greta@example.com>', 'Cem Kaya, cem@example.com'];
  assert.deepEqual(people(lines.join('\n')), [ANNA, [...BEN, 'Auditor'], ['Greta', 'Lind', 'greta@example.com'], ['Cem', 'Kaya', 'cem@example.com']]);
});

test('several addresses in a line are as many people', () => {
  const BOTH = [ANNA, BEN.with(2, 'ben@example.com')];
  for (const line of ['Anna Berg anna@example.com; Ben Okafor ben@example.com', 'Anna Berg anna@example.com, Ben Okafor ben@example.com']) assert.deepEqual(people(line), BOTH);
  assert.deepEqual(people('anna.berg@example.com ben.okafor@example.com').map(([, , email]) => email), ['anna.berg@example.com', 'ben.okafor@example.com']);
});

const invited = (text) => readInvitees(text).map(({ email, firstName, lastName }) => [email, firstName, lastName]);

for (const [what, text] of [
  ['a mail program’s list', 'Anna Berg <Anna@example.com>, "Okafor, Ben" <ben@example.com>'],
  ['last names first', 'Berg, Anna; anna@example.com\nOkafor, Ben; ben@example.com'],
  ['names and addresses', 'Anna Berg anna@example.com\nBen Okafor, ben@example.com'],
  ['cells', 'Anna\tBerg\tanna@example.com\nBen\tOkafor\tben@example.com'],
  ['mixed lines', 'Anna Berg <anna@example.com>\nOkafor, Ben; ben@example.com\nanna@example.com'],
]) {
  test(`who is invited keeps the name of ${what}`, () => assert.deepEqual(invited(text), [['anna@example.com', 'Anna', 'Berg'], ['ben@example.com', 'Ben', 'Okafor']]));
}

test('an address alone has no name, and an address is invited once', () => {
  const addresses = (text) => invited(text).map(([email, ...names]) => (names.some(Boolean) ? [email, ...names] : email));
  assert.deepEqual(addresses('bob@example.com,\nBOB@example.com eve@example.com\nbob@example.com <bob@example.com>'), ['bob@example.com', 'eve@example.com']);
  assert.deepEqual(addresses('"Kim, Jo"<jo@example.com>, Ann  < ann@example.com > , bob@example.com  \t eve@example.com'),
    [['jo@example.com', 'Jo', 'Kim'], ['ann@example.com', 'Ann', null], 'bob@example.com', 'eve@example.com']);
  assert.deepEqual(addresses(' \n;,'), []);
});

test('what has no address is kept, so that it can be refused by name', () => {
  assert.deepEqual(invited('not an address'), [['not an address', null, null]]);
});

test('the text of invitees who were refused is read as the same', () => {
  const read = readInvitees('Anna Berg <anna@example.com>\nbob@example.com');
  assert.deepEqual(readInvitees(textOf(read.map((each) => ({ ...each, boardPositions: [] })))), read);
});
