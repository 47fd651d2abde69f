// Merging a person without an account with a member, loaded when it is opened: what would move is shown first.

import { date } from '../../lib/dates.js';
import { Act, Resource } from '../../lib/state.js';
import { actProblem, html, nothing, show } from '../../lib/ui.js';
import { personName } from '../../lib/words.js';
import { t } from '../../lib/texts.js';

const MOVED = () => ({
  agendaItems: (number) => t('people.agendaItems', { number }), attendances: (number) => t('people.attendances', { number }), actionItems: (number) => t('people.actionItems', { number }),
  guestVotes: (number) => t('people.votes', { number }), rsvps: (number) => t('people.answers', { number }),
});
const BOTH = 'BOTH_ATTENDED';
const NAMED = 20; // meetings that are read by their ids

export class Merge {
  /** `merged` is called with the person as they are afterwards. */
  constructor(app, board, person, member, merged) {
    Object.assign(this, { app, board, person, member, merged });
    this.params = { boardId: board.id, unregisteredUserId: person.id };
    this.preview = new Resource(() => this.#send(true), app.update);
    this.merging = new Act(app.update);
    this.meetings = null;
  }

  #send(dryRun) {
    const body = { memberId: this.member.id, ...(dryRun ? { dryRun } : {}) };
    return this.app.api.get('mergeUnregisteredUser', { params: this.params, body, ...(dryRun ? {} : { key: this.merging.keyFor(body) }) });
  }

  render() {
    const refusal = [this.preview.problem, this.merging.problem].find((each) => each?.details?.reason === BOTH);
    if (refusal) return this.#bothAttended(refusal.details.meetingIds);
    return show(this.preview, t('people.whatMoves'), ({ moved }) => this.#offer(moved));
  }

  #offer(moved) {
    const name = personName(this.member);
    const parts = Object.entries(MOVED()).filter(([key]) => moved[key]).map(([key, words]) => words(moved[key]));
    return html`
      ${parts.length ? html`<p>${t('people.becomesOf', { name })}</p><ul class="plain-list">${parts.map((each) => html`<li>${each}</li>`)}</ul>` : html`<p>${t('people.nothingIsRecorded')}</p>`}
      <p>${t('people.cannotBeUndone')}</p>
      <p><button type="button" class="danger solid" ?disabled=${this.merging.isBusy} @click=${() => this.#merge()}>${t('people.mergeWith', { name })}</button></p>
      ${actProblem(this.merging)}`;
  }

  /** Where both are noted, by title and day: there one of them is taken out. */
  #bothAttended(meetingIds) {
    this.meetings ??= new Resource(() => Promise.all(meetingIds.slice(0, NAMED).map((meetingId) => this.app.api.get('getMeeting', { params: { boardId: this.board.id, meetingId } }))), this.app.update);
    return html`
      <p role="alert"><b>${t('people.bothAttended')}</b></p>
      ${show(this.meetings, t('common.theMeetings'), (meetings) => html`<ul class="plain-list">${meetings.map(({ id, title, startTime }) => html`<li><a href=${this.board.path('meetings', id)}>${title}</a>${startTime ? html` <span class="soft">${date(startTime)}</span>` : nothing}</li>`)}</ul>`)}
      <p><button type="button" @click=${() => this.#again()}>${t('ui.tryAgain')}</button></p>`;
  }

  #again() {
    this.meetings = null;
    this.merging.dismiss();
    this.preview.reload();
  }

  async #merge() {
    const done = await this.merging.run(() => this.#send(false));
    if (!done) return this.board.unregistered.refresh().catch(() => {}); // a merge that takes long goes on by itself
    this.merged(await this.app.api.get('getUnregisteredUser', { params: this.params }));
    this.app.say(t('people.areMerged', { name: personName(this.member) }));
  }
}
