// The fields of a webhook.

import { checks, field, form, html } from '../lib/ui.js';
import { sentence } from '../lib/words.js';

const EVERYTHING = '*';
/** What events are about: the first part of their types. */
export const SUBJECTS = [
  'board', 'member', 'invite', 'token', 'committee', 'meeting', 'slot', 'guest_link', 'guest', 'action_item', 'document', 'report', 'dashboard', 'webhook', 'user',
];

export function webhookForm({ act, button, submit, webhook = {} }) {
  const chosen = webhook.events ?? [EVERYTHING];
  const groups = SUBJECTS.map((subject) => [`${subject}.*`, sentence(subject)]);
  const others = chosen.filter((type) => type !== EVERYTHING && !groups.some(([group]) => group === type)).map((type) => [type, type]);
  const id = (name) => `webhook-${name}`;
  return form({
    act, button, submit, keep: Boolean(webhook.id),
    content: html`
      <div class="pair">
        ${field('url', 'Address', { id: id('url'), type: 'url', value: webhook.url, required: true, maxlength: 2048, placeholder: 'https://', hint: 'Where the events are sent, over https.' })}
        ${field('name', 'Name', { id: id('name'), value: webhook.name, maxlength: 80 })}
      </div>
      ${checks('events', 'Events that are sent', [[EVERYTHING, 'Everything'], ...groups, ...others], chosen)}`,
  });
}

/** Returns the body of a request; "everything" includes whatever else is chosen. */
export function webhookBody({ url, name, events = [] }) {
  return { url, name: name || null, events: events.includes(EVERYTHING) ? [EVERYTHING] : events };
}

/** What a webhook is sent, in words. */
export function eventsInWords(events) {
  if (events.includes(EVERYTHING)) return 'Everything';
  return events.map((type) => sentence(type.replace(/\.\*$/, ''))).join(', ');
}
