// Voting as a guest: the link is all that is needed. The token in the address goes to our own API and is never shown.

import { timeNow } from '../../lib/clock.js';
import { Act, Resource } from '../../lib/state.js';
import { Problem } from '../../lib/problems.js';
import { GuestAnswers } from '../../lib/guest-answers.js';
import { VOTES, best, byDay } from '../../lib/ranking.js';
import { date, elsewhere, timeRange, zoneSentence } from '../../lib/dates.js';
import { area, closeAround, disclosure, form, html, icon, longest, nothing, problem, repeat, show } from '../../lib/ui.js';
import { label } from '../../lib/words.js';
import { SIGNS, counts, hours, when } from './slot-words.js';
import { t } from '../../lib/texts.js';

export default (app, { token }) => new GuestView(app, token);

class GuestView {
  constructor(app, token) {
    Object.assign(this, { app, token });
    this.meeting = new Resource(() => app.api.get('getGuestMeeting', { params: { token } }), app.update);
    this.email = '';
    this.given = new Map();
    this.acts = new Map();
    this.missing = false;
    this.resources = [this.meeting];
    this.#remember();
  }

  async #remember() {
    this.answers = await GuestAnswers.of(this.token);
    const { email, answers } = this.answers.read();
    this.email ||= email;
    this.given = new Map([...Object.entries(answers), ...this.given]);
    this.app.update();
  }

  #keep() {
    this.answers?.keep(this.email, Object.fromEntries(this.given));
  }

  /** For a device that others use too. The answers stay with the board. */
  #forget() {
    this.answers.forget();
    this.email = '';
    this.given.clear();
    this.app.update();
  }

  title = () => this.meeting.data?.title ?? t('common.voteOnATime');

  #act(slotId) {
    if (!this.acts.has(slotId)) this.acts.set(slotId, new Act(this.app.update));
    return this.acts.get(slotId);
  }

  render() {
    const { problem: found } = this.meeting;
    if (found?.status === 404) return this.#absent();
    return html`<div class="narrow">${show(this.meeting, t('common.theMeeting'), (meeting) => this.#meeting(meeting))}</div>`;
  }

  /** Whether the link was sent to one person, and says who votes. */
  get #isPersonal() {
    return Boolean(this.meeting.data?.personal);
  }

  #absent() {
    return html`<div class="narrow card"><h1>${t('common.thisLinkDoesNotWork')}</h1>
      <p>${t('guest.itHasExpiredWasReplacedBy')}</p></div>`;
  }

  #meeting(meeting) {
    const isOpen = ['draft', 'scheduled'].includes(meeting.status) && !meeting.bookedSlotId && !meeting.cancelledAt;
    const beside = meeting.startTime ? elsewhere(meeting.startTime, meeting.endTime, meeting.timezone) : '';
    return html`
      <p class="kicker">${meeting.boardName}</p>
      <h1>${meeting.title}</h1>
      ${meeting.cancelledAt ? html`<p class="notice" role="status"><b>${t('meeting.thisMeetingIsCancelled')}</b></p>` : meeting.startTime ? html`<p class="notice good"><b>${meeting.bookedSlotId ? t('guest.booked') : t('guest.setFor')}</b> ${date(meeting.startTime)}, ${timeRange(meeting.startTime, meeting.endTime)}${beside ? ` (${beside})` : ''}</p>
        ${meeting.bookedSlotId ? html`<p><button type="button" @click=${() => location.assign(`/guest/${this.token}/meeting.ics`)}>${icon('calendar-days')} ${t('guest.addItToYourCalendar')}</button></p>` : nothing}` : nothing}
      ${isOpen ? (meeting.personal ? html`<p>${t('guest.whenCanYouComeThisLink')}</p>` : html`<p>${t('guest.whenCanYouComeGiveYour')}</p>${this.#address()}`) : html`<p>${t('common.votingIsClosed')}</p>`}
      <p class="soft">${zoneSentence()}</p>
      ${meeting.slots.length ? this.#slots(meeting, isOpen) : html`<p class="empty">${t('common.noTimeIsProposedYet')}</p>`}`;
  }

  #address() {
    return html`
      <div class="field">
        <label for="guest-email">${t('guest.yourEMailAddress')}</label>
        <input id="guest-email" type="email" autocomplete="email" maxlength=${longest('voteOnSlotAsGuest', 'email')} .value=${this.email} aria-invalid=${this.missing ? 'true' : nothing} aria-describedby="guest-email-hint" @input=${(event) => this.#typed(event.target.value)}>
        <p class="hint" id="guest-email-hint">${this.missing ? html`<strong>${t('guest.enterYourAddressFirstThenTap')}</strong>` : t('guest.yourAnswersAreKeptUnderIt')}</p>
      </div>`;
  }

  #typed(email) {
    this.email = email.trim();
    this.missing = false;
    this.#keep();
    this.app.update();
  }

  #slots(meeting, isOpen) {
    const marked = isOpen ? best(meeting.slots) : [];
    return html`${byDay(meeting.slots, date).map(({ day, slots }) => html`<h2 class="day">${day}</h2>${this.#cards(meeting, slots, isOpen, marked)}`)}
      ${this.given.size ? html`<p><button type="button" class="plain small" @click=${() => this.#forget()}>${t('guest.forgetMyAnswersOnThisDevice')}</button></p>` : nothing}`;
  }

  #cards(meeting, slots, isOpen, marked) {
    return html`<ul class="slot-cards">${repeat(slots, ({ id }) => id, (slot) => {
      const act = this.#act(slot.id);
      const isBooked = meeting.bookedSlotId === slot.id;
      const isPast = Date.parse(slot.startTime) <= timeNow();
      return html`
        <li class=${isBooked ? 'booked' : marked.includes(slot.id) ? 'best' : ''}>
          <h3 class="slot-heading">${hours(slot)}</h3>
          <p class="soft">${counts(slot)} ${isBooked ? html`<span class="pill good">${t('common.booked')}</span>` : nothing}${marked.includes(slot.id) ? html`<span class="pill accent">${marked.length > 1 ? t('common.amongTheBest') : t('common.bestSoFar')}</span>` : nothing}</p>
          ${isOpen && !isPast ? this.#buttons(slot, act) : nothing}
          ${this.given.has(slot.id) && !act.problem ? html`<p class="saved" role="status">${act.isBusy ? t('guest.saving') : t('guest.yourAnswerVote', { vote: label(this.given.get(slot.id).vote) })}</p>` : nothing}
          ${problem(act.problem, () => act.retry(), () => act.dismiss())}
          ${isOpen && this.given.has(slot.id) ? this.#comment(slot) : nothing}
        </li>`;
    })}</ul>`;
  }

  #buttons(slot, act) {
    const own = this.given.get(slot.id)?.vote;
    return html`
      <div class="votes wide" role="group" aria-label=${t('common.yourAnswerForWhen', { when: when(slot) })}>
        ${VOTES.map((vote) => html`
          <button type="button" class="vote ${vote}" aria-pressed=${own === vote} ?disabled=${act.isBusy} @click=${() => this.#vote(slot, vote, this.given.get(slot.id)?.comment)}>
            <span aria-hidden="true">${SIGNS[vote]}</span><span>${label(vote)}</span></button>`)}
      </div>`;
  }

  #comment(slot) {
    const act = this.#act(`${slot.id} comment`);
    const said = this.given.get(slot.id).comment ?? '';
    return disclosure(said ? t('common.changeTheComment') : t('common.addAComment'), form({
      act, button: t('common.saveTheComment'), keep: true,
      submit: async ({ comment }, target) => {
        await this.#send(slot, this.given.get(slot.id).vote, comment.trim());
        closeAround(target);
      },
      content: area('comment', t('common.comment'), { id: `comment-${slot.id}`, value: said, of: 'voteOnSlotAsGuest', rows: 2 }),
    }));
  }

  async #vote(slot, vote, comment) {
    if (!this.#isPersonal && !/^\S+@\S+\.\S+$/.test(this.email)) {
      this.missing = true;
      this.app.update();
      document.getElementById('guest-email').focus();
      return;
    }
    const before = this.given.get(slot.id);
    const act = this.#act(slot.id);
    this.given.set(slot.id, { vote, comment });
    const done = await act.run(() => this.#send(slot, vote, comment));
    if (done) return;
    if (before) this.given.set(slot.id, before);
    else this.given.delete(slot.id);
    this.app.update();
  }

  async #send(slot, vote, comment) {
    const body = { ...(this.#isPersonal ? {} : { email: this.email }), vote, ...(comment ? { comment } : {}) };
    try {
      await this.app.api.call('voteOnSlotAsGuest', { params: { token: this.token, slotId: slot.id }, body });
    } catch (error) {
      throw worded(error);
    }
    this.given.set(slot.id, { vote, comment });
    this.#keep();
    this.meeting.reload();
  }
}

/** A closed link and a member's address are said in a guest's terms. */
function worded(error) {
  if (error.status !== 404) return error;
  return new Problem({ status: 400, message: t('guest.thisLinkDoesNotWorkAny') });
}
