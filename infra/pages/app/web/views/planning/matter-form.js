// The fields of a matter of the work plan that is changed.

import { KINDS } from '../../lib/agenda-items.js';
import { MONTHS, monthName } from '../../lib/plan.js';
import { area, checks, choice, closeAround, field, form, html, nothing } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';

/** A form that changes a matter; `submit` gets its body, `own` are the committees that the caller is in. */
export function matterForm({ act, submit, matter, board, own }) {
  const id = (name) => `matter-${matter.id}-${name}`;
  const members = board.members.items.map(({ userId }) => [userId, board.nameOf(userId)]);
  return form({
    act, button: t('common.save'), keep: true,
    submit: async (values, target) => {
      await submit(bodyOf(values));
      closeAround(target);
    },
    content: html`
      ${field('title', t('common.title'), { id: id('title'), value: matter.title, required: true, of: 'createPlanItem' })}
      ${checks('months', t('year.months'), MONTHS.map((month) => [String(month), monthName(month)]), matter.months.map(String))}
      <div class="pair">
        ${choice('ownerUserId', t('year.owner'), [['', t('year.nobody')], ...members], { id: id('owner'), value: matter.ownerUserId ?? '' })}
        ${own.length ? choice('committeeId', t('year.seenBy'), [['', t('year.theWholeBoard')], ...own], { id: id('committee'), value: matter.committeeId ?? '' }) : nothing}
        ${choice('kind', t('meetingAgenda.kind'), KINDS(), { id: id('kind'), value: matter.kind ?? '' })}
        ${field('minutes', t('meetingAgenda.minutes'), { id: id('minutes'), type: 'number', value: matter.minutes, min: 1, max: 600 })}
      </div>
      ${field('source', t('year.source'), { id: id('source'), value: matter.source, of: 'createPlanItem', hint: t('year.whatRequiresIt') })}
      ${area('notes', t('meetingAgenda.notes'), { id: id('notes'), value: matter.notes, of: 'createPlanItem' })}`,
  });
}

function bodyOf({ title, months = [], ownerUserId, committeeId, kind, minutes, source, notes }) {
  const set = { ownerUserId: ownerUserId || null, kind: kind || null, minutes: minutes ? Number(minutes) : null, source: source || null, notes: notes || null };
  return { title, months: months.map(Number), ...set, ...(committeeId === undefined ? {} : { committeeId: committeeId || null }) };
}
