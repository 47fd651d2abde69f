
import { has, t } from './texts.js';
import { sentence } from './words.js';

export const TYPES = ['agenda', 'minutes', 'board_pack', 'report', 'presentation', 'policy', 'contract', 'other'];

export function documentType(value) {
  return has(`documentType.${value}`) ? t(`documentType.${value}`) : sentence(value);
}

export function titleOf({ name }) {
  return name.replace(/\.[^.]+$/, '') || name;
}

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
