// The fields of a meeting: for a new one, and for one that is changed.

import { isHost, isLink } from '../../lib/call-address.js';
import { fromWall, ownZone, toWall, zoneName, zones } from '../../lib/dates.js';
import { Problem } from '../../lib/problems.js';
import { choice, field, form, html } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';

const PLACES = () => [['', t('meetingForm.notDecided')], 'in_person', 'virtual', 'hybrid'];

/** The times are of the zone that is chosen, at first one's own. */
export function meetingForm({ act, button, statuses, submit, meeting = {}, ask }) {
  const zone = ownZone();
  const checked = (values, target) => {
    checkCall(values, target);
    return submit({ ...values, zone: values.zone || zone }, target);
  };
  const wall = (instant) => (instant ? toWall(instant, zone) : '');
  return form({
    act, button, submit: checked, keep: Boolean(meeting.id), ask: (values) => ask?.({ ...values, zone: values.zone || zone }) ?? null,
    content: html`<div class="form-part" @change=${(event) => moveEnd(event, meeting, zone)}>
      ${field('title', t('common.title'), { value: meeting.title, required: true, of: 'createMeeting' })}
      <div class="pair">
        ${choice('status', t('common.status'), statuses, { value: meeting.status ?? statuses[0] })}
        ${choice('locationType', t('common.kind'), PLACES(), { value: meeting.locationType ?? '' })}
        ${field('location', t('meetingForm.place'), { value: meeting.location, of: 'createMeeting' })}
        ${field('virtualMeetingUrl', t('meetingForm.addressOfTheCall'), { value: meeting.virtualMeetingUrl, of: 'createMeeting', placeholder: 'https://' })}
        ${field('startTime', t('meetingForm.start'), { type: 'datetime-local', value: wall(meeting.startTime), hint: t('meetingForm.leaveEmptyToVote') })}
        ${field('endTime', t('meetingForm.end'), { type: 'datetime-local', value: wall(meeting.endTime) })}
        ${choice('zone', t('common.timeZone'), zones().map((each) => [each, zoneName(each)]), { value: zone })}
      </div></div>`,
  });
}

/** The end moves along with the start, as long as it was not changed itself. */
function moveEnd({ target }, { startTime, endTime }, zone) {
  if (target.name !== 'startTime' || !startTime || !endTime || !target.value) return;
  const end = target.form.elements.endTime;
  const before = end.dataset.moved ?? toWall(endTime, zone);
  if (end.value !== before) return;
  const start = fromWall(target.value, target.form.elements.zone.value || zone);
  if (!start) return;
  end.value = toWall(new Date(Date.parse(start) + Date.parse(endTime) - Date.parse(startTime)).toISOString(), target.form.elements.zone.value || zone);
  end.dataset.moved = end.value;
}

/** Asks about an address of the call that nobody can open: sent a second time as it is, it is taken as a note. */
function checkCall({ virtualMeetingUrl }, target) {
  const input = target.elements.virtualMeetingUrl;
  const text = virtualMeetingUrl.trim();
  if (!text || isLink(text) || text === input.defaultValue || input.dataset.asked === text) return;
  input.dataset.asked = text;
  const offer = isHost(text) ? t('meetingForm.didYouMeanHttpsText', { text }) : '';
  throw new Problem({ status: 400, message: t('meetingForm.textIsNoAddressThatOpens', { text, offer }) });
}

/** Returns the body of a request; for a meeting that exists only what was changed. @returns {any} */
export function meetingBody(values, meeting = null) {
  const body = { title: values.title, status: values.status };
  for (const name of ['locationType', 'location', 'virtualMeetingUrl']) body[name] = values[name] || null;
  for (const name of ['startTime', 'endTime']) body[name] = instantOf(values[name], meeting?.[name], values.zone);
  if (!meeting) return body;
  const changed = Object.entries(body).filter(([name, value]) => value !== (meeting[name] ?? null));
  if (!changed.length) throw new Problem({ status: 400, message: t('meetingForm.nothingWasChanged') });
  return Object.fromEntries(changed);
}

/** Returns the instant of a `datetime-local` value; the one before where it shows the same. Raises `Problem`. */
export function instantOf(value, before = null, zone = ownZone()) {
  if (!value) return null;
  if (before && toWall(before, zone) === value) return before;
  const found = fromWall(value, zone);
  if (!found) throw new Problem({ status: 400, message: t('meetingForm.theClocksSkipThisTimeOn') });
  return found;
}
