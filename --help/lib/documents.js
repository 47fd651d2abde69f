// What documents are called, and their types in words.

import { has, t } from './texts.js';
import { sentence } from './words.js';

/** The types to choose from; the API takes any other, too. */
export const TYPES = ['agenda', 'minutes', 'board_pack', 'report', 'presentation', 'policy', 'contract', 'other'];

export function documentType(value) {
  return has(`documentType.${value}`) ? t(`documentType.${value}`) : sentence(value);
}

/** Returns the title of a file's document: its name without the ending. */
export function titleOf({ name }) {
  return name.replace(/\.[^.]+$/, '') || name;
}

/** Returns the newest of these documents that is a board pack whose file can be read. */
export function newestPack(items) {
  const packs = items.filter((item) => item.documentType === 'board_pack' && item.latestVersionId);
  return packs.sort((one, other) => other.latestVersionId.localeCompare(one.latestVersionId))[0];
}

/** Returns the documents whose title or type has each of these words. */
export function matching(items, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter(({ title, documentType: type }) => words.every((word) => `${title} ${type ? documentType(type) : ''}`.toLowerCase().includes(word)));
}

const BY = {
  changed: (one, other) => other.updatedAt.localeCompare(one.updatedAt),
  title: (one, other) => one.title.localeCompare(other.title, undefined, { numeric: true }),
  type: (one, other) => (one.documentType ?? '').localeCompare(other.documentType ?? '') || BY.title(one, other),
};
export const ORDERS = Object.keys(BY);

export function ordered(items, order) {
  return [...items].sort(BY[order]);
}
