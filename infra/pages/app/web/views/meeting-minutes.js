// The minutes of a meeting: written beside the agenda while it runs and after it, read by all members once they are final.

import { Resource } from '../lib/state.js';
import { html, nothing, pill, problem } from '../lib/ui.js';
import { nullIfAbsent } from '../lib/problems.js';
import { MinutesForm } from './minutes-form.js';
import { t } from '../lib/texts.js';

const WRITABLE = ['in_progress', 'completed'];

export class Minutes {
  constructor(app, board, params, agenda, items) {
    Object.assign(this, { app, board, params, agenda, items });
    this.minutes = new Resource(() => app.api.get('getMinutes', { params }).catch(nullIfAbsent), app.update);
    this.form = new MinutesForm(this);
    this.actions = [['putMinutes', params]];
  }

  /** Whether there is anything to show: minutes, or the right to write them now. */
  isShown(meeting) {
    return Boolean(this.minutes.data) || Boolean(this.minutes.problem) || this.#mayWrite(meeting);
  }

  #mayWrite({ status }) {
    return WRITABLE.includes(status) && this.board.may('putMinutes', this.params) && this.minutes.isReady;
  }

  /** Saves what was typed last. */
  dispose() {
    this.form.flush();
  }

  render(meeting) {
    const { data, problem: found } = this.minutes;
    if (found && !data) return problem(found, () => this.minutes.reload());
    if (this.#mayWrite(meeting) && this.agenda.agenda.isReady) return this.form.render();
    return data ? this.#read(data) : nothing;
  }

  /** How many members are there, of how many. */
  quorum() {
    const { data } = this.minutes;
    return data ? html`<p class="soft">${t('meetingMinutes.ofMembersArePresent', data.quorum)}</p>` : nothing;
  }

  #read({ items, attendance }) {
    const there = attendance.filter(({ present }) => present !== 'absent');
    return html`
      ${this.quorum()}
      ${there.length ? html`<p>${t('meetingMinutes.presentNames', { names: there.map((each) => this.nameOf(each)).join(', ') })}</p>` : nothing}
      <ol class="rows">${items.map((item) => this.#entry(item))}</ol>`;
  }

  #entry({ agendaItemId, text, decision, actionItemIds }) {
    return html`
      <li class="item">
        <h3>${this.headingOf(agendaItemId)}</h3>
        <p class="text-value">${text}</p>
        ${decision ? html`<p class="text-value"><b>${t('meetingMinutes.decision')}</b> ${decision.text} ${pill(decision.result)}</p>` : nothing}
        ${actionItemIds.length ? html`<p class="small">${t('common.actionItems')}: ${actionItemIds.map((id) => this.titleOf(id)).join(', ')}</p>` : nothing}
      </li>`;
  }

  nameOf({ userId, name }) {
    return userId ? this.board.nameOf(userId) : name;
  }

  headingOf(agendaItemId) {
    return this.agenda.items.find(({ id }) => id === agendaItemId)?.title ?? t('meetingMinutes.notOnTheAgenda');
  }

  titleOf(actionItemId) {
    return this.items.list.items.find(({ _id }) => _id === actionItemId)?.title ?? '…';
  }
}
