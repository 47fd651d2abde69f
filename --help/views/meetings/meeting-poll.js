// Until when the members vote on a meeting's times.

import { timeNow } from '../../lib/clock.js';
import { dateTime, ownZone, toWall, zoneName } from '../../lib/dates.js';
import { Act, Resource } from '../../lib/state.js';
import { actProblem, checks, closeAround, disclosure, field, form, html, nothing, problem, relativeTime } from '../../lib/ui.js';
import { instantOf } from './meeting-form.js';
import { t } from '../../lib/texts.js';

export class Poll {
  constructor(app, board, params) {
    Object.assign(this, { app, board, params });
    this.resource = new Resource(() => app.api.get('getMeetingPoll', { params, isShared: true }).catch(withoutPoll), app.update);
    this.saving = new Act(app.update);
    this.removing = new Act(app.update);
    this.actions = ['putMeetingPoll', 'deleteMeetingPoll'].map((name) => [name, params]);
  }

  /** Whether the deadline has come: by the clock, as the API reads it. */
  get isClosed() {
    const { data } = this.resource;
    return Boolean(data) && Date.parse(data.closesAt) <= timeNow();
  }

  /** The deadline in words; nothing without one. */
  standing() {
    const { data, problem: found } = this.resource;
    if (found) return problem(found, () => this.resource.reload());
    if (!data) return nothing;
    if (this.isClosed) return html`<p><b>${t('meetingPoll.votingEnded')}</b> ${dateTime(data.closesAt)}. ${this.#mayWrite ? t('meetingPoll.bookOneOfTheTimesOr') : ''}</p>`;
    return html`<p><b>${t('meetingPoll.voteUntilDatetime', { dateTime: dateTime(data.closesAt) })}</b> (${relativeTime(data.closesAt)}). ${data.remind ? t('meetingPoll.membersWhoHaveNotVotedGet') : t('meetingPoll.nobodyIsRemindedByItself')}</p>`;
  }

  get #mayWrite() {
    return this.board.may('putMeetingPoll', this.params);
  }

  /** The form for a deadline, where there may be one: before a time is booked. */
  render() {
    const { data } = this.resource;
    if (!this.resource.isReady || !this.#mayWrite) return nothing;
    return disclosure(data ? t('meetingPoll.changeTheDeadline') : t('meetingPoll.setADeadline'), html`
      ${this.#form(data)}
      ${data && this.board.may('deleteMeetingPoll', this.params) ? html`<p><button type="button" class="plain" ?disabled=${this.removing.isBusy} @click=${(event) => this.#remove(event.target)}>${t('meetingPoll.removeTheDeadline')}</button></p>${actProblem(this.removing)}` : nothing}`, { id: 'deadline' });
  }

  #form(data) {
    return form({
      act: this.saving, button: t('meetingPoll.saveTheDeadline'), keep: true,
      submit: async ({ closesAt, remind }, target) => {
        const body = { closesAt: instantOf(closesAt, data?.closesAt), remind: remind.length > 0 };
        this.resource.set(await this.app.api.get('putMeetingPoll', { params: this.params, body }));
        closeAround(target);
      },
      content: html`
        ${field('closesAt', t('meetingPoll.membersAndGuestsCanVoteUntil'), { type: 'datetime-local', value: data ? toWall(data.closesAt) : '', required: true, hint: t('common.inYourTimeZone', { zoneName: zoneName(ownZone()) }) })}
        ${checks('remind', t('meetingPoll.reminder'), [['yes', t('meetingPoll.remindThoseWhoHaveNotVoted')]], data?.remind === false ? [] : ['yes'])}`,
    });
  }

  async #remove(button) {
    const done = await this.removing.run(() => this.app.api.call('deleteMeetingPoll', { params: this.params }));
    if (!done) return;
    closeAround(button);
    this.resource.set(null);
  }
}

function withoutPoll(error) {
  if (error.status === 404) return null;
  throw error;
}
