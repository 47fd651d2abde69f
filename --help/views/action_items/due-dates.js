// The days on which the action items of a board are due.

import { calendarDate, today } from '../../lib/dates.js';
import { List } from '../../lib/state.js';
import { html, nothing, problem } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';

const NEVER = '9999';

export class DueDates {
  constructor(app, boardId) {
    Object.assign(this, { app, boardId });
    const page = (cursor) => app.api.page('listActionItemDueDates', { params: { boardId }, query: { limit: 100 }, cursor });
    this.list = new List(page, app.update, { isWhole: true });
  }

  /** Returns the day of an item ("2026-12-01"), or "". */
  dayOf(itemId) {
    return this.list.items.find(({ actionItemId }) => actionItemId === itemId)?.dueOn ?? '';
  }

  /** Sets the day of an item, or removes it where `day` is ""; asks the API only where that changes something. */
  async save(params, day) {
    if (day === this.dayOf(params.actionItemId)) return;
    const others = () => this.list.items.filter(({ actionItemId }) => actionItemId !== params.actionItemId);
    if (day) {
      const due = await this.app.api.get('putActionItemDueDate', { params, body: { dueOn: day } });
      this.list.replace([...others(), due]);
    } else {
      await this.app.api.call('deleteActionItemDueDate', { params });
      this.list.replace(others());
    }
  }

  /** What went wrong with reading the days. */
  problem() {
    return problem(this.list.problem ?? this.list.more.problem, () => this.list.reload());
  }

  /** Returns the items by their day; those without one come last, in their order. */
  sorted(items) {
    return byDay(items, ({ _id }) => this.dayOf(_id));
  }

  /** When an item is due. */
  of({ _id, status }) {
    return due(this.dayOf(_id), status);
  }
}

/** Returns items by the day that `dayOf` names; those without one come last, in their order. */
export function byDay(items, dayOf) {
  return [...items].sort((one, other) => (dayOf(one) || NEVER).localeCompare(dayOf(other) || NEVER));
}

/** A day in words, marked where it has passed and the item is still open. */
export function due(day, status) {
  if (!day) return nothing;
  const isLate = status === 'in_progress' && day < today();
  return html`<span class="pill ${isLate ? 'bad' : ''}">${t(isLate ? 'dueDates.wasDue' : 'dueDates.due', { day: calendarDate(day) })}</span>`;
}
