// The status of an action item, changed in place: shown at once, put back with the server's words if refused.

import { html, live, pill, problem } from '../../lib/ui.js';
import { label } from '../../lib/words.js';
import { t } from '../../lib/texts.js';

const STATUSES = ['in_progress', 'completed', 'cancelled'];

export class ItemStatus {
  constructor(app, replace) {
    Object.assign(this, { app, replace });
    this.refusals = new Map();
  }

  render(item, mayWrite) {
    if (!mayWrite) return pill(item.status);
    const refusal = this.refusals.get(item._id);
    return html`
      <label class="inline"><span class="hidden">${t('itemStatus.statusOfTitle', { title: item.title })}</span>
        <select class="small" .value=${live(item.status)} @change=${(event) => this.#change(item, event.target.value)}>
          ${STATUSES.map((status) => html`<option value=${status} ?selected=${status === item.status}>${label(status)}</option>`)}
        </select></label>
      ${refusal ? problem(refusal.error, () => this.#change(item, refusal.status), () => this.#dismiss(item)) : ''}`;
  }

  async #change(item, status) {
    this.refusals.delete(item._id);
    this.replace({ ...item, status });
    try {
      const params = { boardId: item.boardId, meetingId: item.meetingId, actionItemId: item._id };
      const changed = await this.app.api.get('updateActionItem', { params, body: { status } });
      this.replace({ ...item, status: changed.status });
    } catch (error) {
      this.refusals.set(item._id, { error, status });
      this.replace(item);
    }
  }

  #dismiss(item) {
    this.refusals.delete(item._id);
    this.app.update();
  }
}
