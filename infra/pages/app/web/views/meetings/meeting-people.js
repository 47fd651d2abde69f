// Who of the people without an account is invited to a meeting: all of them, until some are chosen.

import { Act, Resource } from '../../lib/state.js';
import { checks, closeAround, disclosure, form, html, nameList, nothing, problem } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';

export class MeetingPeople {
  constructor(app, board, params) {
    Object.assign(this, { app, board, params });
    this.chosen = new Resource(() => app.api.get('getMeetingPeople', { params, isShared: true }), app.update);
    this.saving = new Act(app.update);
    this.actions = [['putMeetingPeople', params]];
    this.resources = [this.chosen];
    this.follows = [{ on: ['meeting', 'unregistered_user'], read: this.chosen, isHeld: () => this.saving.isBusy }];
  }

  /** Whether the board has anybody to invite. */
  get isThere() {
    return this.board.current.length > 0;
  }

  #isInvited = ({ id }) => this.chosen.data?.unregisteredUserIds?.includes(id) ?? true;

  /** How many of them are invited, and the form that chooses them; `id` tells apart where it stands. */
  render({ status }, id) {
    if (!this.isThere) return nothing;
    const { problem: found } = this.chosen;
    if (found) return problem(found, () => this.chosen.reload());
    if (!this.chosen.isReady) return nothing;
    const mayChoose = status !== 'finalized' && this.board.may('putMeetingPeople', this.params);
    return html`<p>${this.#standing()}</p>${mayChoose ? html`<div class="no-print">${disclosure(t('meetingPeople.choose'), this.#form(), { id })}</div>` : nothing}`;
  }

  #standing() {
    const all = this.board.current;
    const invited = all.filter(this.#isInvited);
    if (!invited.length) return t('meetingPeople.nobodyIsInvited');
    if (invited.length === all.length) return t('meetingPeople.allAreInvited', { number: all.length });
    return t('meetingPeople.someAreInvited', { number: invited.length, all: all.length });
  }

  #form() {
    const all = this.board.current;
    const options = all.map((each) => [each.id, each.bounce ? t('personChoice.mailComesBack', { name: each.fullName }) : each.fullName]);
    return form({
      act: this.saving, button: t('meetingPeople.save'), keep: true,
      submit: async ({ people }, target) => {
        const unregisteredUserIds = people.length === all.length ? null : people;
        this.chosen.set(await this.app.api.get('putMeetingPeople', { params: this.params, body: { unregisteredUserIds } }));
        closeAround(target);
      },
      content: html`
        ${checks('people', t('meetingPeople.invited'), options, all.filter(this.#isInvited).map(({ id }) => id))}
        <p class="soft">${t('meetingPeople.whatFollows')}</p>`,
    });
  }

  /** Who of them hears of what members are told of the meeting. */
  told() {
    const { reached, missed } = this.board.mailed;
    const [heard, lost] = [reached, missed].map((people) => people.filter(this.#isInvited));
    return html`
      ${heard.length ? html`<p>${t('people.getAMailToo', { number: heard.length })}</p>` : nothing}
      ${lost.length ? html`<p>${t('people.areNotReached', { names: nameList(lost.map(({ fullName }) => fullName)) })}</p>` : nothing}`;
  }
}
