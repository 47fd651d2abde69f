// Who attends a meeting: your own answer, and those of all members.

import { timeNow } from '../../lib/clock.js';
import { awaitsAnswers, takesAnswers } from '../../lib/ranking.js';
import { Act, List } from '../../lib/state.js';
import { actProblem, area, avatar, closeAround, disclosure, form, html, nothing, problem, show } from '../../lib/ui.js';
import { Reminder } from './meeting-reminder.js';
import { t } from '../../lib/texts.js';

export const ANSWERS = () => ({ accepted: t('meetingRsvps.iWillAttend'), tentative: t('meetingRsvps.maybe'), declined: t('meetingRsvps.iWillNotAttend') });
const DAY_MS = 86_400_000;
const GROUPS = () => ({ accepted: t('meetingRsvps.attending'), tentative: t('meetingRsvps.maybe'), declined: t('meetingRsvps.notAttending'), noAnswer: t('meetingRsvps.noAnswerYet') });

export class Rsvps {
  #sending = Promise.resolve();

  /** `answered` is called once an answer is taken. */
  constructor(app, board, params, answered = () => {}) {
    Object.assign(this, { app, board, params, answered });
    const page = (cursor) => app.api.page('listRsvps', { params, query: { limit: 100 }, cursor });
    this.list = new List(page, app.update, { isWhole: true });
    const others = (cursor) => app.api.page('listUnregisteredRsvps', { params, query: { limit: 100 }, cursor });
    this.others = new List(others, app.update, { isWhole: true });
    this.answering = new Act(app.update);
    this.commenting = new Act(app.update);
    this.reminder = new Reminder(app, board, params, 'answers');
    this.actions = [['putMyRsvp', params], ...this.reminder.actions];
    this.resources = [this.list, this.others];
    this.follows = [{ on: ['meeting', 'member'], read: this.list, isHeld: () => this.answering.isBusy }, { on: ['unregistered_rsvp', 'unregistered_user', 'meeting'], read: this.others }];
  }

  get #own() {
    return this.list.items.find(({ userId }) => userId === this.board.userId);
  }

  render(meeting) {
    const mayAnswer = this.board.may('putMyRsvp', this.params) && takesAnswers(meeting);
    return show(this.list, t('meetingRsvps.theAnswers'), ({ items }) => html`
      ${mayAnswer && this.#own ? this.#buttons(this.#own) : nothing}
      ${Object.entries(GROUPS()).map(([status, heading]) => this.#group(heading, items.filter((each) => each.status === status), this.others.items.filter((each) => each.status === status)))}
      ${this.others.problem ? problem(this.others.problem, () => this.others.reload()) : nothing}
      ${awaitsAnswers(meeting) ? this.#reminders(meeting, items) : nothing}`);
  }

  #reminders(meeting, items) {
    const silent = items.filter(({ status }) => status === 'noAnswer').map(({ userId }) => userId);
    return html`
      ${this.reminder.render(silent)}
      ${Date.parse(meeting.startTime) - timeNow() > DAY_MS ? html`<p class="soft">${t('meetingRsvps.thoseWhoAttendOrHaveNot')}</p>` : nothing}`;
  }

  #buttons(own) {
    const hasAnswered = own.status !== 'noAnswer';
    return html`
      <div class="row" role="group" aria-label=${t('meetingRsvps.yourAnswer')}>
        ${Object.entries(ANSWERS()).map(([status, words]) => html`
          <button type="button" aria-pressed=${own.status === status} class="answer ${status}" ?disabled=${this.answering.isBusy} @click=${() => this.#answer(status)}>${words}</button>`)}
        ${hasAnswered ? html`<button type="button" class="plain" ?disabled=${this.answering.isBusy} @click=${() => this.#takeBack()}>${t('common.takeBack')}</button>` : nothing}
      </div>
      ${actProblem(this.answering)}
      ${hasAnswered ? disclosure(own.comment ? t('common.changeTheComment') : t('common.addAComment'), this.#commentForm(own)) : nothing}`;
  }

  #commentForm(own) {
    return form({
      act: this.commenting, button: t('common.saveTheComment'), keep: true,
      submit: async ({ comment }, target) => {
        this.#put(await this.#send({ comment: comment.trim() }));
        closeAround(target);
      },
      content: area('comment', t('common.comment'), { id: 'rsvp-comment', value: own.comment ?? '', of: 'putMyRsvp', rows: 2, hint: t('meetingRsvps.everybodyOnTheBoardCanRead') }),
    });
  }

  #group(heading, found, others) {
    if (!found.length && !others.length) return nothing;
    return html`
      <h3>${heading} <span class="soft">${found.length + others.length}</span></h3>
      <ul class="people">${found.map(({ userId, comment }) => html`
        <li class="person">${avatar(this.board.nameOf(userId))}<span class="name">${userId === this.board.userId ? t('common.you') : this.board.nameOf(userId)}${comment ? html`<small>${comment}</small>` : nothing}</span></li>`)}${others.map((each) => this.#other(each))}</ul>`;
  }

  /** Somebody without an account, who answers by mail; marked where their mails come back. */
  #other({ unregisteredUserId, comment }) {
    const found = this.board.withoutAccount(unregisteredUserId);
    const name = found?.fullName ?? '…';
    const said = [comment, t('people.noAccount'), found?.bounce ? t('people.mailsComeBack') : ''].filter(Boolean).join(' · ');
    return html`<li class="person">${avatar(name)}<span class="name">${name}<small>${said}</small></span></li>`;
  }

  /** Shows the answer at once; one that is refused is put back. */
  async #answer(status) {
    const before = this.#own;
    this.#put({ ...before, status });
    const done = await this.answering.run(async () => this.#put(await this.#send({ status })));
    if (done) this.answered();
    else this.#put({ ...this.#own, status: before.status });
  }

  /** Sends an answer with its comment, one after the other: neither takes back the other one. */
  #send(change) {
    const sent = this.#sending.then(() => {
      const { status, comment } = { ...this.#own, ...change };
      return this.app.api.get('putMyRsvp', { params: this.params, body: { status, comment: comment || null } });
    });
    this.#sending = sent.catch(() => {});
    return sent;
  }

  #takeBack() {
    return this.answering.run(async () => {
      await this.app.api.call('deleteMyRsvp', { params: this.params });
      this.#put({ ...this.#own, status: 'noAnswer', comment: null, updatedAt: null });
    });
  }

  #put(entry) {
    this.list.replace(this.list.items.map((each) => (each.userId === entry.userId ? entry : each)));
  }
}
