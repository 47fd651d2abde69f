// People who are invited or added: read from what is pasted, and found again among the members.

import { cellsOf } from './sheet.js';
import { personName } from './words.js';

const BRACKETS = /<\s*[^<>\s]+@[^<>\s]+\s*>/;
const EACH_ADDRESS = /[^\s<>,;"]+@[^\s<>,;"]+/g;
const ADDRESS = /[^\s<>,;"]+@[^\s<>,;"]+/;
// "Berg, Anna" as a line, or before an address; with a comma before the address too, the commas divide cells.
const LAST_NAME_FIRST = /^[^\S\n]*(?<last>[^\s,;\t@<>"][^,;\t\n@<>"]*),[^\S\n]+(?<first>[^\s,;\t@<>"]+(?:[^\S\n]+[^\s,;\t@<>"]+)*)(?<rest>[^\S\n]*(?:$|[;\t<]|[^\S\n][^\s,;<>]+@).*)$/gmu;
const LISTED = /\s*(?:"([^"]*)"|([^<>"\n]*?))\s*<\s*([^<>\s]+@[^<>\s]+)\s*>\s*[,;\n]?/g;
// What people call the columns, in the languages of the pages.
const NAMES = {
  firstName: ['firstname', 'givenname', 'forename', 'vorname'],
  lastName: ['lastname', 'surname', 'familyname', 'nachname', 'familienname'],
  name: ['name', 'fullname', 'person'],
  email: ['email', 'mail', 'emailaddress', 'mailaddress', 'emailadresse', 'mailadresse'],
  position: ['position', 'positions', 'role', 'function', 'funktion', 'rolle'],
};

/**
 * Returns the people of a text, a person a line: names and addresses in any order, cells of a spreadsheet with or without names
 * of their columns, or the list of a mail program ("Ann Lee <ann@example.com>, …"). Of one without a name it is read from the
 * address. `{firstName, lastName, email, boardPositions}`; `lastName` and `email` may be null.
 */
export function readPeople(pasted) {
  return entriesOf(pasted).map(({ name = '', email = '', position = '', ...names }) => {
    const { firstName, lastName } = named({ name: name || nameOf(email), ...names });
    return { firstName, lastName: lastName || null, email: email.toLowerCase() || null, boardPositions: position ? [position] : [] };
  }).filter(({ firstName }) => /\p{L}/u.test(firstName));
}

/**
 * Returns the people that a text in the same forms invites, each address once: `{email, firstName, lastName}`, with the names that it
 * says. What has no address is kept in its place, so that it can be refused by name.
 */
export function readInvitees(pasted) {
  const invited = entriesOf(pasted).map(({ name = '', email = '', ...names }) => {
    const { firstName, lastName } = named({ name, ...names });
    return email ? { email: email.toLowerCase(), firstName: firstName || null, lastName: lastName || null } : { email: [firstName, lastName].filter(Boolean).join(' ').toLowerCase(), firstName: null, lastName: null };
  });
  return invited.filter(({ email }, at) => /[\p{L}\p{N}]/u.test(email) && invited.findIndex((each) => each.email === email) === at);
}

/** Returns the entries of a text, line by line: those with an address in brackets as a mail program's, the others as cells. */
function entriesOf(pasted) {
  const text = pasted.normalize('NFKC').replace(LAST_NAME_FIRST, '$<first> $<last>$<rest>').replace(/[^\n]+/g, apart);
  const groups = [];
  for (const line of text.split('\n').filter((each) => each.trim())) {
    const isListed = BRACKETS.test(line);
    if (groups.at(-1)?.isListed === isListed) groups.at(-1).lines.push(line);
    else groups.push({ isListed, lines: [line] });
  }
  return groups.flatMap(({ isListed, lines }) => (isListed ? fromList(lines.join('\n')) : fromCells(cellsOf(lines.join('\n')))));
}

/** Returns a line with several addresses outside of brackets as a line for each of them; any other as it is. */
function apart(line) {
  if (BRACKETS.test(line)) return line;
  for (const parts of [line.split(';'), line.split(','), line.split(/[\s,;]+/)]) {
    const written = parts.filter((part) => part.trim());
    if (written.length > 1 && written.every((part) => part.match(EACH_ADDRESS)?.length === 1)) return written.map((part) => part.trim()).join('\n');
  }
  return line;
}

function named({ name = '', firstName = '', lastName = '' }) {
  return firstName || lastName ? { firstName: firstName || lastName, lastName: firstName ? lastName : '' } : split(name);
}

/** Returns the text of a file: in UTF-8, UTF-16, or as a spreadsheet of Windows or of an old Mac saves it. */
export function textOfFile(bytes) {
  const all = new Uint8Array(bytes);
  const [first, second] = all;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const isOfMac = all.includes(0x0d) && !all.includes(0x0a); // no other program ends lines so
    return isOfMac ? new TextDecoder('macintosh').decode(bytes).replaceAll('\r', '\n') : new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Whether a text has signs of which nobody can tell the letter that was meant: it was read in another encoding. */
export function isGarbled(text) {
  return /[\uFFFD\u0080-\u009F]/.test(text);
}

/** Returns people as a text that is read as the same people. */
export function textOf(people) {
  return people.map(({ firstName, lastName, email, boardPositions }) => [firstName, lastName, email, ...boardPositions].filter(Boolean).join('; ')).join('\n');
}

function fromList(text) {
  const listed = [...text.matchAll(LISTED)].map(([, quoted, plain, email]) => ({ name: (quoted ?? plain).replace(EACH_ADDRESS, '').trim(), email }));
  const rest = text.replace(LISTED, '\n').replace(/[^\n]+/g, apart).split(/[\n,;]/).map((line) => line.trim()).filter(Boolean);
  return [...listed, ...rest.map(fromLine)];
}

function fromCells(rows) {
  const columns = columnsOf(rows[0] ?? []);
  if (!columns) return rows.map(fromRow);
  return rows.slice(1).map((row) => Object.fromEntries(Object.entries(columns).map(([name, at]) => [name, row[at] ?? ''])));
}

/** Returns the columns that the first row names; null where it is a person. "Name" beside a first name is the last name. */
function columnsOf(first) {
  if (first.some((cell) => cell.includes('@'))) return null;
  const at = (words) => first.findIndex((cell) => words.includes(cell.toLowerCase().replace(/[\s_-]/g, '')));
  const found = Object.fromEntries(Object.entries(NAMES).map(([name, words]) => [name, at(words)]).filter(([, index]) => index >= 0));
  if ('firstName' in found && 'name' in found && !('lastName' in found)) {
    found.lastName = found.name;
    delete found.name;
  }
  return Object.keys(found).length > 1 ? found : null;
}

/** A row without names of columns: the address is what has an `@`; the others are a name, or first and last name, and a position. */
function fromRow(row) {
  const cells = row.filter(Boolean);
  if (cells.length < 2) return fromLine(cells[0]);
  const email = cells.find((cell) => ADDRESS.test(cell)) ?? '';
  const [first = '', second = '', third = ''] = cells.filter((cell) => cell !== email);
  const address = ADDRESS.exec(email)?.[0] ?? '';
  return second ? { firstName: first, lastName: second, email: address, position: third } : { name: first, email: address };
}

function fromLine(line) {
  const cells = line.split(/[;,]/).map((cell) => cell.trim()).filter(Boolean);
  if (cells.length > 1) return fromRow(cells);
  const email = ADDRESS.exec(line)?.[0] ?? '';
  return { name: line.replace(email, '').replace(/[<>()"]/g, ' ').trim(), email };
}

/** "Berg, Anna" and "Anna Berg" are the same name. */
function split(name) {
  const [last, first] = name.split(',').map((part) => part.trim());
  if (first) return { firstName: first, lastName: last };
  const words = name.split(/\s+/).filter(Boolean);
  return words.length > 1 ? { firstName: words.slice(0, -1).join(' '), lastName: words.at(-1) } : { firstName: words[0] ?? '', lastName: '' };
}

/** "anna.berg@example.com" is most likely Anna Berg. */
function nameOf(email) {
  const parts = email.split('@')[0].split(/[._-]+/).filter(Boolean);
  return parts.map((part) => part[0].toUpperCase() + part.slice(1)).join(' ');
}

/** Returns the member whom a person is most likely: one of the same address, otherwise one of the same name. */
export function likely(person, members) {
  const name = alike(person.fullName);
  const ofAddress = person.email && members.find(({ email }) => email?.toLowerCase() === person.email.toLowerCase());
  return ofAddress || members.find((member) => alike(personName(member)) === name);
}

/** Returns a name in the form in which names are compared: accents and full-width letters may be written in two ways. */
function alike(name) {
  return name.normalize('NFKC').toLowerCase();
}
