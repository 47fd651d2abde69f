
import { calendarDate, today } from '../lib/dates.js';
import { List } from '../lib/state.js';
import { html, nothing, problem } from '../lib/ui.js';
import { t } from '../lib/texts.js';

const NEVER = '9999';

export class DueDates {
  constructor(app, boardId) {
    Object.assign(this, { app, boardId });
    const page = (cursor) => app.api.page('listDueDates', { params: { boardId }, query: { limit: 100 }, cursor });
    this.list = new List(page, app.update, { isWhole: true });
  }

  dayOf(itemId) {
    return this.list.items.find(({ actionItemId }) => actionItemId === itemId)?.dueOn ?? '';
  }

  async save(params, day) {
    if (day === this.dayOf(params.actionItemId)) return;
    const others = () => this.list.items.filter(({ actionItemId }) => actionItemId !== params.actionItemId);
    if (day) {
      const due = await this.app.api.get('putDueDate', { params, body: { dueOn: day } });
      this.list.replace([...others(), due]);
    } else {
      await this.app.api.call('deleteDueDate', { params });
      this.list.replace(others());
    }
  }

  problem() {
    return problem(this.list.problem ?? this.list.more.problem, () => this.list.reload());
  }

  sorted(items) {
    return byDay(items, ({ _id }) => this.dayOf(_id));
  }

  of({ _id, status }) {
    return due(this.dayOf(_id), status);
  }
}

export function byDay(items, dayOf) {
  return [...items].sort((one, other) => (dayOf(one) || NEVER).localeCompare(dayOf(other) || NEVER));
}

export function due(day, status) {
  if (!day) return nothing;
  const isLate = status === 'in_progress' && day < today();
  return html`<span class="pill ${isLate ? 'bad' : ''}">${t(isLate ? 'dueDates.wasDue' : 'dueDates.due', { day: calendarDate(day) })}</span>`;
}
