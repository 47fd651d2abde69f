// The fields of a document.

import { checks, choice, field, form, html } from '../lib/ui.js';
import { t } from '../lib/texts.js';

export function documentForm({ act, button, committees, meetings, submit, item = {} }) {
  return form({
    act, button, submit, keep: Boolean(item.id),
    content: html`
      ${field('title', t('common.title'), { id: 'document-title', value: item.title, required: true, of: 'createDocument' })}
      <div class="pair">
        ${field('documentType', t('common.type'), { value: item.documentType, of: 'createDocument', hint: t('documentForm.forExampleAgendaMinutesBoardPack') })}
        ${field('mimeType', t('common.mediaType'), { value: item.mimeType, of: 'createDocument', placeholder: 'application/pdf' })}
        ${choice('committeeId', t('common.whoMaySeeIt'), [['', t('common.theWholeBoard')], ...committees.map(({ id, name }) => [id, name])], { value: item.committeeId ?? '' })}
      </div>
      ${meetings.length ? html`<details class="disclosure"><summary>${t('documentForm.meetingsItBelongsTo')}</summary><div class="disclosure-box">${checks('meetingIds', t('common.meetings'), meetings.map(({ id, title }) => [id, title]), item.meetingIds)}</div></details>` : ''}`,
  });
}

export function documentBody(values) {
  const body = { title: values.title, meetingIds: values.meetingIds ?? [] };
  for (const name of ['documentType', 'mimeType', 'committeeId']) body[name] = values[name] || null;
  return body;
}
