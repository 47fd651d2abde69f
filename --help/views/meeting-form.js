
import { isHost, isLink } from '../lib/call-address.js';
import { fromWall, ownZone, toWall, zoneName, zones } from '../lib/dates.js';
import { Problem } from '../lib/problems.js';
import { choice, field, form, html } from '../lib/ui.js';
import { t } from '../lib/texts.js';

const PLACES = () => [['', t('meetingForm.notDecided')], 'in_person', 'virtual', 'hybrid'];

export function meetingForm({ act, button, statuses, submit, meeting = {} }) {
  const zone = ownZone();
  const checked = (values, target) => {
    checkCall(values, target);
    return submit({ ...values, zone: values.zone || zone }, target);
  };
  const wall = (instant) => (instant ? toWall(instant, zone) : '');
  return form({
    act, button, submit: checked, keep: Boolean(meeting.id),
    content: html`
      ${field('title', t('common.title'), { value: meeting.title, required: true, of: 'createMeeting' })}
      <div class="pair">
        ${choice('status', t('common.status'), statuses, { value: meeting.status ?? statuses[0] })}
        ${choice('locationType', t('common.kind'), PLACES(), { value: meeting.locationType ?? '' })}
        ${field('location', t('meetingForm.place'), { value: meeting.location, of: 'createMeeting' })}
        ${field('virtualMeetingUrl', t('meetingForm.addressOfTheCall'), { value: meeting.virtualMeetingUrl, of: 'createMeeting', placeholder: 'https://' })}
        ${field('startTime', t('meetingForm.start'), { type: 'datetime-local', value: wall(meeting.startTime), hint: t('meetingForm.leaveEmptyToVote') })}
        ${field('endTime', t('meetingForm.end'), { type: 'datetime-local', value: wall(meeting.endTime) })}
        ${choice('zone', t('common.timeZone'), zones().map((each) => [each, zoneName(each)]), { value: zone })}
      </div>`,
  });
}

function checkCall({ virtualMeetingUrl }, target) {
  const input = target.elements.virtualMeetingUrl;
  const text = virtualMeetingUrl.trim();
  if (!text || isLink(text) || text === input.defaultValue || input.dataset.asked === text) return;
  input.dataset.asked = text;
  const offer = isHost(text) ? t('meetingForm.didYouMeanHttpsText', { text }) : '';
  throw new Problem({ status: 400, message: t('meetingForm.textIsNoAddressThatOpens', { text, offer }) });
}

export function meetingBody(values, meeting = null) {
  const body = { title: values.title, status: values.status };
  for (const name of ['locationType', 'location', 'virtualMeetingUrl']) body[name] = values[name] || null;
  for (const name of ['startTime', 'endTime']) body[name] = instantOf(values[name], meeting?.[name], values.zone);
  if (!meeting) return body;
  const changed = Object.entries(body).filter(([name, value]) => value !== (meeting[name] ?? null));
  if (!changed.length) throw new Problem({ status: 400, message: t('meetingForm.nothingWasChanged') });
  return Object.fromEntries(changed);
}

export function instantOf(value, before = null, zone = ownZone()) {
  if (!value) return null;
  if (before && toWall(before, zone) === value) return before;
  const found = fromWall(value, zone);
  if (!found) throw new Problem({ status: 400, message: t('meetingForm.theClocksSkipThisTimeOn') });
  return found;
}
