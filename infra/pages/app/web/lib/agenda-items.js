// The items of an agenda: their fields, and the bodies that set them.

import { t } from './texts.js';

export const KINDS = () => [['', '–'], ['information', t('meetingAgenda.information')], ['discussion', t('meetingAgenda.discussion')], ['decision', t('meetingAgenda.decision')], ['approval', t('meetingAgenda.approval')]];
export const DRAFT = 'agenda';
export const NEW_ITEM = 'new';
export const FIELDS = ['id', 'title', 'minutes', 'presenterUserId', 'presenterUnregisteredUserId', 'presenterName', 'kind', 'documentIds', 'notes', 'audience'];

/** Returns the title of an item; of one in camera for others, that it is withheld. */
export function titleOf({ title, withheld }) {
  return withheld ? t('inCamera.withheld') : title;
}

/** Returns the ids of an item's papers. */
export function papersOf({ documentIds }) {
  return documentIds ?? [];
}

/** Returns the fields of an item that an editor holds. */
export function editable(item) {
  return { ...Object.fromEntries(FIELDS.map((name) => [name, item[name]])), documentIds: papersOf(item), isElse: item.isElse, withheld: item.withheld, isOpened: item.isOpened };
}

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
  return { items: items.map((item) => (item.presenterUnregisteredUserId ? { ...item, presenterName: null } : item)).map(sent) };
}

/** Returns what is sent of an item: of a withheld one that it stays, and of one that is opened that it is for nobody alone. */
function sent(item) {
  if (item.withheld) return { id: item.id, withheld: true };
  const given = Object.fromEntries(FIELDS.map((name) => [name, item[name] ?? null]).filter(([, value]) => value !== null));
  return item.isOpened ? { ...given, audience: null } : given;
}

/** Returns the items with a document as a paper of one of them, or of a new one, and of no other. */
export function placed(items, id, documentId, title) {
  const without = items.map((item) => ({ ...item, documentIds: papersOf(item).filter((each) => each !== documentId) }));
  if (id === NEW_ITEM) return [...without, { title, documentIds: [documentId] }];
  return without.map((item) => (item.id === id ? { ...item, documentIds: [...item.documentIds, documentId] } : item));
}
