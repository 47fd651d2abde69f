// Proposing a time: a date, a time and the zone in which it is meant.

import { fromWall, ownZone, zoneName, zones } from '../lib/dates.js';
import { Problem } from '../lib/problems.js';
import { choice, field, form, html } from '../lib/ui.js';

const DURATIONS = [15, 30, 45, 60, 75, 90, 105, 120, 150, 180];

export function proposeForm(grid) {
  const zone = grid.slots.data.at(-1)?.timezone ?? ownZone();
  return form({
    act: grid.proposing, button: 'Propose',
    submit: async (values) => {
      const slot = await propose(grid, values);
      grid.slots.set([...grid.slots.data, slot].sort((one, other) => Date.parse(one.startTime) - Date.parse(other.startTime)));
      grid.app.say('The time is proposed.');
    },
    content: html`<div class="pair">
      ${field('startTime', 'Start', { id: 'propose-start', type: 'datetime-local', required: true })}
      ${choice('durationInMinutes', 'Length', DURATIONS.map((minutes) => [String(minutes), length(minutes)]), { id: 'propose-length', value: '120' })}
      ${choice('timezone', 'Time zone', zones().map((each) => [each, zoneName(each)]), { id: 'propose-zone', value: zone })}
    </div>`,
  });
}

async function propose(grid, { startTime, durationInMinutes, timezone }) {
  const instant = fromWall(startTime, timezone);
  if (!instant) throw new Problem({ status: 400, message: `The clocks of ${zoneName(timezone)} skip this time on that day. Choose another.` });
  const body = { startTime: instant, timezone, durationInMinutes: Number(durationInMinutes) };
  try {
    return await grid.app.api.get('createSlot', { params: grid.params, body, key: grid.proposing.keyFor(body) });
  } catch (problem) {
    if (problem.details?.slotId) throw new Problem({ status: 400, message: 'This time is already proposed.' });
    throw problem;
  }
}

function length(minutes) {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return [hours ? `${hours} h` : '', rest ? `${rest} min` : ''].filter(Boolean).join(' ');
}
