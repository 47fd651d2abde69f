// The items of an agenda: their fields, and the bodies that set them.

import { t } from './texts.js';

export const KINDS = () => [['', '–'], ['information', t('meetingAgenda.information')], ['discussion', t('meetingAgenda.discussion')], ['decision', t('meetingAgenda.decision')], ['approval', t('meetingAgenda.approval')]];
export const DRAFT = 'agenda';
export const NEW_ITEM = 'new';
export const FIELDS = ['id', 'title', 'minutes', 'presenterUserId', 'presenterUnregisteredUserId', 'presenterName', 'kind', 'documentIds', 'notes'];

/** Whether it is known when an item begins: those before it have minutes, or it is the first and has some. */
export function isTimed(items, item) {
  const before = items.slice(0, Math.max(1, items.indexOf(item)));
  return Boolean(item.startsAt) && before.every(({ minutes }) => minutes);
}

/** Returns what is said by items, for comparing. */
export function said(items = []) {
  return JSON.stringify(body(items));
}

/** Returns the body that sets these items; who is named by a link is called as they are called now. */
export function body(items) {
  return { items: items.map((item) => (item.presenterUnregisteredUserId ? { ...item, presenterName: null } : item)).map((item) => Object.fromEntries(FIELDS.map((name) => [name, item[name] ?? null]).filter(([, value]) => value !== null))) };
}

/** Returns the items with a document as a paper of one of them, or of a new one, and of no other. */
export function placed(items, id, documentId, title) {
  const without = items.map((item) => ({ ...item, documentIds: item.documentIds.filter((each) => each !== documentId) }));
  if (id === NEW_ITEM) return [...without, { title, documentIds: [documentId] }];
  return without.map((item) => (item.id === id ? { ...item, documentIds: [...item.documentIds, documentId] } : item));
}
