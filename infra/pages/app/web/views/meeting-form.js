// The fields of a meeting: for a new one, and for one that is changed.

import { fromWall, ownZone, toWall, zoneName } from '../lib/dates.js';
import { Problem } from '../lib/problems.js';
import { choice, field, form, html } from '../lib/ui.js';

const PLACES = [['', 'Not decided'], 'in_person', 'virtual', 'hybrid'];

export function meetingForm({ act, button, statuses, submit, meeting = {}, cancel = null }) {
  const wall = (instant) => (instant ? toWall(instant) : '');
  return form({
    act, button, submit, cancel, keep: Boolean(meeting.id),
    content: html`
      ${field('title', 'Title', { value: meeting.title, required: true, maxlength: 200 })}
      <div class="pair">
        ${choice('status', 'Status', statuses, { value: meeting.status ?? statuses[0] })}
        ${choice('locationType', 'Kind', PLACES, { value: meeting.locationType ?? '' })}
        ${field('location', 'Place', { value: meeting.location, maxlength: 255 })}
        ${field('virtualMeetingUrl', 'Address of the call', { value: meeting.virtualMeetingUrl, maxlength: 255 })}
        ${field('startTime', 'Start', { type: 'datetime-local', value: wall(meeting.startTime), hint: `In your time zone, ${zoneName(ownZone())}. Leave it empty to vote on a time.` })}
        ${field('endTime', 'End', { type: 'datetime-local', value: wall(meeting.endTime) })}
      </div>`,
  });
}

/** Returns the body of a request; for a meeting that exists only what was changed. */
export function meetingBody(values, meeting = null) {
  const body = { title: values.title, status: values.status };
  for (const name of ['locationType', 'location', 'virtualMeetingUrl']) body[name] = values[name] || null;
  for (const name of ['startTime', 'endTime']) body[name] = instant(values[name], meeting?.[name]);
  if (!meeting) return body;
  const changed = Object.entries(body).filter(([name, value]) => value !== (meeting[name] ?? null));
  if (!changed.length) throw new Problem({ status: 400, message: 'Nothing was changed.' });
  return Object.fromEntries(changed);
}

function instant(value, before) {
  if (!value) return null;
  if (before && toWall(before) === value) return before;
  const found = fromWall(value);
  if (!found) throw new Problem({ status: 400, message: 'The clocks skip this time on that day. Choose another.' });
  return found;
}
