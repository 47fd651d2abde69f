// The form for an item of an agenda, to add one or to change one.

import { area, checks, choice, field, form, html } from '../lib/ui.js';
import { label, personName } from '../lib/words.js';
import { t } from '../lib/texts.js';

const KINDS = ['information', 'discussion', 'decision'];
const OF = 'putAgenda';

/** `members` may present it, `papers` are the documents of the meeting. */
export function agendaItemForm({ act, button, submit, item, members, papers }) {
  const id = (name) => `agenda-${item.id ?? 'new'}-${name}`;
  const people = members.map((member) => [member.userId, personName(member)]);
  return form({
    act, button, submit, keep: Boolean(item.id),
    content: html`
      ${field('items.title', t('meetingAgenda.whatIsItAbout'), { id: id('title'), value: item.title, required: true, of: OF })}
      <div class="pair">
        ${field('items.minutes', t('meetingAgenda.minutes'), { id: id('minutes'), type: 'number', min: 1, max: 600, value: item.minutes ?? '' })}
        ${choice('items.kind', t('common.kind'), [['', '–'], ...KINDS.map((kind) => [kind, label(kind)])], { id: id('kind'), value: item.kind ?? '' })}
        ${choice('items.presenterUserId', t('meetingAgenda.presentedBy'), [['', '–'], ...people], { id: id('presenter'), value: item.presenterUserId ?? '' })}
        ${field('items.presenterName', t('meetingItems.somebodyWithoutAnAccount'), { id: id('name'), value: item.presenterName, of: OF })}
      </div>
      ${papers.length ? checks('items.documentIds', t('meetingAgenda.papers'), papers.map((paper) => [paper.id, paper.title]), item.documentIds) : ''}
      ${area('items.notes', t('meetingAgenda.notes'), { id: id('notes'), value: item.notes, of: OF })}`,
  });
}

/** Returns the item that a form describes; who is on the board presents it, if somebody is chosen. */
export function agendaItemBody(values) {
  const of = (name) => values[`items.${name}`] || null;
  return {
    title: of('title'), minutes: of('minutes') ? Number(of('minutes')) : null, kind: of('kind'),
    presenterUserId: of('presenterUserId'), presenterName: of('presenterUserId') ? null : of('presenterName'),
    documentIds: of('documentIds') ?? [], notes: of('notes'),
  };
}
