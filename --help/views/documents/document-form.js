// The fields of a document.

import { TYPES, documentType } from '../../lib/documents.js';
import { checks, choice, field, form, html } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';

export function documentForm({ act, button, committees, meetings, submit, item }) {
  const types = item.documentType && !TYPES.includes(item.documentType) ? [...TYPES, item.documentType] : TYPES;
  return form({
    act, button, submit, keep: true,
    content: html`
      ${field('title', t('common.title'), { id: 'document-title', value: item.title, required: true, of: 'createDocument' })}
      <div class="pair">
        ${choice('documentType', t('common.type'), [['', '–'], ...types.map((type) => [type, documentType(type)])], { value: item.documentType ?? '' })}
        ${choice('committeeId', t('common.whoMaySeeIt'), [['', t('common.theWholeBoard')], ...committees.map(({ id, name }) => [id, name])], { value: item.committeeId ?? '' })}
      </div>
      ${meetings.length ? html`<details class="disclosure"><summary>${t('documentForm.meetingsItBelongsTo')}</summary><div class="disclosure-box">${checks('meetingIds', t('common.meetings'), meetings.map(({ id, title }) => [id, title]), item.meetingIds)}</div></details>` : ''}`,
  });
}

export function documentBody(values) {
  const body = { title: values.title, meetingIds: values.meetingIds ?? [] };
  for (const name of ['documentType', 'committeeId']) body[name] = values[name] || null;
  return body;
}
