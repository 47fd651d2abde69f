
import { cellsOf } from './sheet.js';
import { personName } from './words.js';

const ADDRESS = /[^\s<>,;"]+@[^\s<>,;"]+/;
const LISTED = /\s*(?:"([^"]*)"|([^<>"\n]*?))\s*<\s*([^<>\s]+@[^<>\s]+)\s*>\s*[,;\n]?/g;
const NAMES = {
  firstName: ['firstname', 'givenname', 'forename', 'vorname'],
  lastName: ['lastname', 'surname', 'familyname', 'nachname', 'familienname'],
  name: ['name', 'fullname', 'person'],
  email: ['email', 'mail', 'emailaddress', 'mailaddress', 'emailadresse', 'mailadresse'],
  position: ['position', 'positions', 'role', 'function', 'funktion', 'rolle'],
};

export function readPeople(text) {
  const lines = /<[^<>\s]+@[^<>\s]+>/.test(text) ? fromList(text) : fromCells(cellsOf(text));
  return lines.map(({ name = '', firstName = '', lastName = '', email = '', position = '' }) => {
    const named = firstName || lastName ? { firstName: firstName || lastName, lastName: firstName ? lastName : '' } : split(name || nameOf(email));
    return { firstName: named.firstName, lastName: named.lastName || null, email: email.toLowerCase() || null, boardPositions: position ? [position] : [] };
  }).filter(({ firstName }) => /\p{L}/u.test(firstName));
}

export function textOf(people) {
  return people.map(({ firstName, lastName, email, boardPositions }) => [firstName, lastName, email, ...boardPositions].filter(Boolean).join('; ')).join('\n');
}

function fromList(text) {
  const listed = [...text.matchAll(LISTED)].map(([, quoted, plain, email]) => ({ name: (quoted ?? plain).trim(), email }));
  const rest = text.replace(LISTED, '\n').split(/[\n,;]/).map((line) => line.trim()).filter(Boolean);
  return [...listed, ...rest.map(fromLine)];
}

function fromCells(rows) {
  const columns = columnsOf(rows[0] ?? []);
  if (!columns) return rows.map(fromRow);
  return rows.slice(1).map((row) => Object.fromEntries(Object.entries(columns).map(([name, at]) => [name, row[at] ?? ''])));
}

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

function split(name) {
  const [last, first] = name.split(',').map((part) => part.trim());
  if (first) return { firstName: first, lastName: last };
  const words = name.split(/\s+/).filter(Boolean);
  return words.length > 1 ? { firstName: words.slice(0, -1).join(' '), lastName: words.at(-1) } : { firstName: words[0] ?? '', lastName: '' };
}

function nameOf(email) {
  const parts = email.split('@')[0].split(/[._-]+/).filter(Boolean);
  return parts.map((part) => part[0].toUpperCase() + part.slice(1)).join(' ');
}

export function likely(person, members) {
  const name = person.fullName.toLowerCase();
  const ofAddress = person.email && members.find(({ email }) => email?.toLowerCase() === person.email.toLowerCase());
  return ofAddress || members.find((member) => personName(member).toLowerCase() === name);
}
