
import { Act, Resource } from '../lib/state.js';
import { actProblem, html, nothing, show } from '../lib/ui.js';
import { personName } from '../lib/words.js';
import { t } from '../lib/texts.js';

const MOVED = () => ({
  agendaItems: (number) => t('people.agendaItems', { number }), attendances: (number) => t('people.attendances', { number }), actionItems: (number) => t('people.actionItems', { number }),
  guestVotes: (number) => t('people.votes', { number }), rsvps: (number) => t('people.answers', { number }),
});
const BOTH = 'BOTH_ATTENDED';

export class Merge {
  constructor(app, board, person, member, merged) {
    Object.assign(this, { app, board, person, member, merged });
    this.params = { boardId: board.id, unregisteredUserId: person.id };
    this.preview = new Resource(() => this.#send(true), app.update);
    this.merging = new Act(app.update);
  }

  #send(dryRun) {
    const body = { memberId: this.member.id, ...(dryRun ? { dryRun } : {}) };
    return this.app.api.get('mergeUnregisteredUser', { params: this.params, body, ...(dryRun ? {} : { key: this.merging.keyFor(body) }) });
  }

  render() {
    const refusal = [this.preview.problem, this.merging.problem].find((each) => each?.details?.reason === BOTH);
    if (refusal) return this.#bothAttended(refusal.details.meetingIds ?? []);
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

  #bothAttended(meetingIds) {
    return html`
      <p role="alert"><b>${t('people.bothAttended')}</b></p>
      <ul class="plain-list">${meetingIds.map((id, index) => html`<li><a href=${this.board.path('meetings', id)}>${t('people.meetingNumber', { index: index + 1 })}</a></li>`)}</ul>
      <p><button type="button" @click=${() => this.#again()}>${t('ui.tryAgain')}</button></p>`;
  }

  #again() {
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
