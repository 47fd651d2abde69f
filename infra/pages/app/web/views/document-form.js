// The fields of a document.

import { checks, choice, field, form, html } from '../lib/ui.js';

export function documentForm({ act, button, committees, meetings, submit, item = {} }) {
  return form({
    act, button, submit, keep: Boolean(item.id),
    content: html`
      ${field('title', 'Title', { id: 'document-title', value: item.title, required: true, maxlength: 200 })}
      <div class="pair">
        ${field('documentType', 'Type', { value: item.documentType, maxlength: 64, hint: 'For example agenda, minutes, board_pack, policy.' })}
        ${field('mimeType', 'Media type', { value: item.mimeType, maxlength: 255, placeholder: 'application/pdf' })}
        ${choice('committeeId', 'Who may see it', [['', 'The whole board'], ...committees.map(({ id, name }) => [id, name])], { value: item.committeeId ?? '' })}
      </div>
      ${meetings.length ? html`<details class="disclosure"><summary>Meetings it belongs to</summary><div class="disclosure-box">${checks('meetingIds', 'Meetings', meetings.map(({ id, title }) => [id, title]), item.meetingIds)}</div></details>` : ''}`,
  });
}

export function documentBody(values) {
  const body = { title: values.title, meetingIds: values.meetingIds ?? [] };
  for (const name of ['documentType', 'mimeType', 'committeeId']) body[name] = values[name] || null;
  return body;
}
