// People who are invited or added: read from what is pasted, and found again among the members.

import { INVISIBLE, unmarked } from './pasted-lines.js';
import { cellsOf } from './sheet.js';
import { personName } from './words.js';

const BRACKETS = /<\s*[^<>\s]+@[^<>\s]+\s*>/;
const ADDRESS = /[^\s<>,;:"()[\]|]+@[^\s<>,;:"()[\]|]*[^\s<>,;:"()[\]|.]/;
const EACH_ADDRESS = new RegExp(ADDRESS, 'g');
const MAIL_HEADER = /^[^\S\n]*(?:from|to|cc|bcc|von|an|kopie)\s*:\s*/gimu;
const QUOTES = "'‘’‚“”„";
// What stands around a name and is none of it: quotes of mail programs, and what divides it from an address.
const AROUND = new RegExp(`^[\\s${QUOTES}:/–—-]+|[\\s${QUOTES}:/–—-]+$`, 'gu');
const IN_BRACKETS = /^(?<name>.*\p{L}.*?)\s*\((?<position>[^()@]*\p{L}[^()@]*)\)\s*$/u;
// What follows a last name, and is no first name: "Smith, Jr.", "Berg, PhD".
const TITLE = /^(?:jr|sr|ii|iii|iv|esq|ph\.?d|mba|md|cpa|ll\.?m|m\.?sc|b\.?sc|m\.?a|b\.?a)\.?$/i;
const BEFORE_TITLE = new RegExp(`,[^\\S\\n]*(?=${TITLE.source.slice(1, -1)}(?![\\p{L}.]))`, 'giu');
// What people of a board are, in the languages of the pages: "Anna Berg, Chair" is no last name first.
const OFFICE = /^(?:(?:vice|deputy|board|non-executive|independent|acting) )*(?:chair|president|treasurer|secretary|director|member|observer|investor|auditor|advisor|counsel|manag|executive|founder|partner|trustee|c[a-z]o$|vorsitz|stellvertret|präsident|vizepräsident|schatzmeister|kassier|schriftführ|vorstand|mitglied|beirat|beirät|aufsichtsrat|geschäftsführ|prüfer)/iu;
// Stands between a first and a last name that are known as such.
const BETWEEN = '\u001F';
// "Berg, Anna" as a line, or before an address; with a comma before the address too, the commas divide cells.
const LAST_NAME_FIRST = /^[^\S\n]*(?<last>[^\s,;\t@<>"][^,;\t\n@<>"]*),[^\S\n]+(?<first>[^\s,;\t@<>"]+(?:[^\S\n]+[^\s,;\t@<>"]+)*)(?<rest>[^\S\n]*(?:$|[;\t<]|[^\S\n][^\s,;<>]+@).*)$/gmu;
const LISTED = /\s*(?:"([^"]*)"|([^<>"\n]*?))\s*<\s*([^<>\s]+@[^<>\s]+)\s*>(?:[^\S\n]*\(([^()@\n]*)\))?\s*[,;\n]?/g;
// What people call the columns, in the languages of the pages.
const NAMES = {
  firstName: ['firstname', 'givenname', 'forename', 'first', 'vorname'],
  lastName: ['lastname', 'surname', 'familyname', 'last', 'nachname', 'familienname'],
  name: ['name', 'fullname', 'person'],
  email: ['email', 'mail', 'emailaddress', 'mailaddress', 'email1value', 'emailadresse', 'mailadresse'],
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
  const readable = pasted.normalize('NFKC').replace(INVISIBLE, '').replaceAll('،', ',').replaceAll('؛', ';').replace(/mailto:/gi, '');
  const table = cellsOf(readable);
  if (columnsOf(table[0] ?? [])) return fromCells(table);
  const lines = unmarked(readable.replace(MAIL_HEADER, '').replace(BEFORE_TITLE, ' ').replace(/[^\n]+/g, eachName).split(/\r?\n/));
  return grouped(lines.join('\n').replace(LAST_NAME_FIRST, lastNameFirst).replace(/[^\n]+/g, apart));
}

function grouped(text) {
  const groups = [];
  for (const line of text.split('\n').filter((each) => each.trim())) {
    const isListed = BRACKETS.test(line);
    if (groups.at(-1)?.isListed === isListed) groups.at(-1).lines.push(line);
    else groups.push({ isListed, lines: [line] });
  }
  return groups.flatMap(({ isListed, lines }) => (isListed ? fromList(lines.join('\n')) : fromCells(cellsOf(lines.join('\n')))));
}

/** Returns a line of names alone, "Berg, Anna; Lee, Bo", as a line for each of them; any other as it is. */
function eachName(line) {
  const names = line.split(';').filter((part) => part.trim());
  return names.length > 1 && names.every((name) => /^[^,@]+,[^,@]+$/.test(name)) ? names.map((name) => name.trim()).join('\n') : line;
}

function lastNameFirst(whole, ...groups) {
  const { last, first, rest } = groups.at(-1);
  return OFFICE.test(first) ? whole : `${first}${BETWEEN}${last}${rest}`;
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
  const listed = [...text.matchAll(LISTED)].map(([, quoted, plain, email, position]) => ({ ...described((quoted ?? plain).replace(EACH_ADDRESS, '')), ...(position ? { position } : {}), email }));
  const rest = text.replace(LISTED, '\n').replace(/[^\n]+/g, apart).split(/[\n,;]/).map((line) => line.trim()).filter(Boolean);
  return [...listed, ...rest.map(fromLine)];
}

function fromCells(rows) {
  const columns = columnsOf(rows[0] ?? []);
  if (!columns) return rows.map(fromRow);
  return rows.slice(1).map((row) => Object.fromEntries(Object.entries(columns).map(([name, at]) => [name, name === 'email' ? ADDRESS.exec(row[at])?.[0] ?? row[at] ?? '' : row[at] ?? ''])));
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
  const isAlone = first.length === 1 && ('name' in found || 'email' in found);
  return isAlone || Object.keys(found).length > 1 ? found : null;
}

/**
 * A row without names of columns: the address is what has an `@`; the others are a name, or first and last name, and a position.
 * What has no letter is a number of the line or of a telephone.
 */
function fromRow(row) {
  const cells = row.filter((cell) => /\p{L}/u.test(cell));
  if (cells.length < 2) return fromLine(cells[0] ?? '');
  const at = cells.findIndex((cell) => ADDRESS.test(cell));
  const email = ADDRESS.exec(cells[at])?.[0] ?? '';
  const [first = '', second = '', third = ''] = cells.toSpliced(at, at < 0 ? 0 : 1);
  if (!second) return { ...described(first), email };
  const isWhole = first.includes(BETWEEN) || (/\S\s+\S/.test(first) && (at === 1 || (!third && OFFICE.test(second))));
  return isWhole ? { name: first, email, position: second } : { firstName: first, lastName: second, email, position: third };
}

function fromLine(line) {
  const cells = line.split(/[;,]/).map((cell) => cell.trim()).filter(Boolean);
  if (cells.length > 1) return fromRow(cells);
  const email = ADDRESS.exec(line)?.[0] ?? '';
  return { ...described(line.replace(email, '')), email };
}

/** "Anna Berg (Chair)" is a name and a position. */
function described(text) {
  const { name = text, position } = IN_BRACKETS.exec(text)?.groups ?? {};
  return { name: name.replace(/[<>()[\]"|]/g, ' ').replace(AROUND, ''), ...(position ? { position } : {}) };
}

/** "Berg, Anna" and "Anna Berg" are the same name; "Jr." is no last name. */
function split(name) {
  const [first, last] = name.includes(BETWEEN) ? name.split(BETWEEN) : name.split(',').reverse();
  if (first && last) return { firstName: first.trim(), lastName: last.trim() };
  const words = name.split(/\s+/).filter(Boolean);
  const family = words.length > 2 && TITLE.test(words.at(-1)) ? -2 : -1;
  return words.length > 1 ? { firstName: words.slice(0, family).join(' '), lastName: words.slice(family).join(' ') } : { firstName: words[0] ?? '', lastName: '' };
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
