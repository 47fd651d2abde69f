// The fields of a webhook.

import { checks, field, form, html } from '../lib/ui.js';

const EVERYTHING = '*';
// What events are about, by the first part of their types.
const SUBJECTS = {
  board: 'The board', member: 'Members', invite: 'Invites', committee: 'Committees', token: 'Tokens', meeting: 'Meetings', slot: 'Proposed times',
  guest_link: 'Guest links', guest: 'Votes of guests', action_item: 'Action items', document: 'Documents', report: 'Reports', dashboard: 'Dashboards',
  webhook: 'Webhooks', user: 'Removed accounts',
};

export function webhookForm({ act, button, submit, webhook = {} }) {
  const chosen = webhook.events ?? [EVERYTHING];
  const groups = Object.entries(SUBJECTS).map(([subject, words]) => [`${subject}.*`, words]);
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
  return events.map((type) => SUBJECTS[type.replace(/\.\*$/, '')] ?? type).join(', ');
}
