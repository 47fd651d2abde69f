// A proposed time of a meeting in words: when it is, and how many can come.

import { date, elsewhere, endOf, timeRange } from '../../lib/dates.js';
import { tally } from '../../lib/ranking.js';
import { html, nothing } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';

export const SIGNS = { ok: '✓', challenging: '(✓)', cant: '✗', didNotVote: '–' };

export function when(slot) {
  return `${date(slot.startTime)}, ${timeRange(slot.startTime, endOf(slot.startTime, slot.durationInMinutes))}`;
}

/** The hours of a slot; its day stands above those of one day. */
export function hours(slot) {
  const end = endOf(slot.startTime, slot.durationInMinutes);
  const beside = elsewhere(slot.startTime, end, slot.timezone);
  return html`<span class="hours">${timeRange(slot.startTime, end)}</span>${beside ? html`<small class="zone">${beside}</small>` : nothing}`;
}

export function counts(slot) {
  const { ok, challenging, cant } = tally(slot);
  return html`<span class="counts"><b>${t('slotWords.yes', { number: ok })}</b>${challenging ? `, ${t('slotWords.ifNeedBe', { number: challenging })}` : ''}${cant ? `, ${t('slotWords.no', { number: cant })}` : ''}</span>`;
}
