// The fields of a webhook.

import { checks, field, form, html } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';

const EVERYTHING = '*';
// What events are about, by the first part of their types.
const SUBJECTS = () => ({
  board: t('webhookForm.theBoard'), member: t('common.members'), invite: t('common.invites'), committee: t('common.committees'), token: t('common.tokens'), meeting: t('common.meetings'), slot: t('webhookForm.proposedTimes'),
  poll: t('webhookForm.deadlinesOfVotes'), reminder: t('webhookForm.reminders'), due_date: t('webhookForm.dueDates'), agenda: t('webhookForm.agendas'), minutes: t('webhookForm.minutes'), export: t('webhookForm.exports'),
  guest_link: t('webhookForm.guestLinks'), guest: t('webhookForm.votesOfGuests'), action_item: t('common.actionItems'), document: t('common.documents'), board_pack: t('webhookForm.boardPacks'), resolution: t('resolutions.decisions'), report: t('common.reports'), dashboard: t('common.dashboards'), comment: t('webhookForm.comments'), validation_flag: t('webhookForm.flags'), cycle: t('common.cycles'), template: t('templates.templates'), plan_item: t('year.thePlan'), backlog_item: t('agendaMoves.theBacklog'), paper_request: t('paperRequests.papers'), series: t('webhookForm.series'), occurrence: t('webhookForm.plannedMeetings'), bet: t('common.bets'),
  unregistered_user: t('webhookForm.peopleWithoutAnAccount'), unregistered_rsvp: t('webhookForm.answersOfPeopleWithoutAn'),
  webhook: t('common.webhooks'), user: t('webhookForm.removedAccounts'),
});

export function webhookForm({ act, button, submit, webhook = {} }) {
  const chosen = webhook.events ?? [EVERYTHING];
  const groups = Object.entries(SUBJECTS()).map(([subject, words]) => [`${subject}.*`, words]);
  const others = chosen.filter((type) => type !== EVERYTHING && !groups.some(([group]) => group === type)).map((type) => [type, type]);
  const id = (name) => `webhook-${name}`;
  return form({
    act, button, submit, keep: Boolean(webhook.id),
    content: html`
      <div class="pair">
        ${field('url', t('common.address'), { id: id('url'), type: 'url', value: webhook.url, required: true, of: 'createWebhook', placeholder: 'https://', hint: t('webhookForm.whereTheEventsAreSentOver') })}
        ${field('name', t('common.name'), { id: id('name'), value: webhook.name, of: 'createWebhook' })}
      </div>
      ${checks('events', t('webhookForm.eventsThatAreSent'), [[EVERYTHING, t('common.everything')], ...groups, ...others], chosen)}`,
  });
}

/** Returns the body of a request; "everything" includes whatever else is chosen. */
export function webhookBody({ url, name, events = [] }) {
  return { url, name: name || null, events: events.includes(EVERYTHING) ? [EVERYTHING] : events };
}

/** What a webhook is sent, in words. */
export function eventsInWords(events) {
  if (events.includes(EVERYTHING)) return t('common.everything');
  return events.map((type) => SUBJECTS()[type.replace(/\.\*$/, '')] ?? type).join(', ');
}
