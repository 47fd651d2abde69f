// Voting as a guest: the link is all that is needed. The token in the address goes to our own API and is never shown.

import { Act, Resource } from '../lib/state.js';
import { Problem } from '../lib/problems.js';
import { storage } from '../lib/storage.js';
import { VOTES, best } from '../lib/ranking.js';
import { date, elsewhere, ownZone, timeRange, zoneName } from '../lib/dates.js';
import { area, closeAround, disclosure, form, html, nothing, problem, repeat, show } from '../lib/ui.js';
import { label } from '../lib/words.js';
import { SIGNS, counts, heading, when } from './meeting-grid.js';

const ADDRESS = 'board-governance.guest-address';

export default (app, { token }) => new GuestView(app, token);

class GuestView {
  constructor(app, token) {
    Object.assign(this, { app, token });
    this.meeting = new Resource(() => app.api.get('viewAsGuest', { params: { token } }), app.update);
    this.email = storage.getItem(ADDRESS) ?? '';
    this.given = new Map();
    this.acts = new Map();
    this.missing = false;
    this.resources = [this.meeting];
  }

  title = () => this.meeting.data?.title ?? 'Vote on a time';

  #act(slotId) {
    if (!this.acts.has(slotId)) this.acts.set(slotId, new Act(this.app.update));
    return this.acts.get(slotId);
  }

  render() {
    const { problem: found } = this.meeting;
    if (found?.status === 404) return this.#absent();
    return html`<div class="narrow">${show(this.meeting, 'the meeting', (meeting) => this.#meeting(meeting))}</div>`;
  }

  #absent() {
    return html`<div class="narrow card"><h1>This link does not work</h1>
      <p>It has expired, was replaced by a new one, or is not complete. Ask the person who sent it for a new link.</p></div>`;
  }

  #meeting(meeting) {
    const isOpen = ['draft', 'scheduled'].includes(meeting.status) && !meeting.bookedSlotId;
    const beside = meeting.startTime ? elsewhere(meeting.startTime, meeting.endTime, meeting.timezone) : '';
    return html`
      <p class="kicker">${meeting.boardName}</p>
      <h1>${meeting.title}</h1>
      ${meeting.startTime ? html`<p class="notice good"><b>${meeting.bookedSlotId ? 'Booked:' : 'Set for'}</b> ${date(meeting.startTime)}, ${timeRange(meeting.startTime, meeting.endTime)}${beside ? ` (${beside})` : ''}</p>` : nothing}
      ${isOpen ? html`<p>When can you come? Give your e-mail address, then answer each time with one tap. You can change your answers later.</p>${this.#address()}` : html`<p>Voting is closed.</p>`}
      <p class="soft">Times are in your zone, ${zoneName(ownZone())}.</p>
      ${meeting.slots.length ? this.#slots(meeting, isOpen) : html`<p class="empty">No time is proposed yet.</p>`}`;
  }

  #address() {
    return html`
      <div class="field">
        <label for="guest-email">Your e-mail address</label>
        <input id="guest-email" type="email" autocomplete="email" maxlength="254" .value=${this.email} aria-invalid=${this.missing ? 'true' : nothing} aria-describedby="guest-email-hint" @input=${(event) => this.#typed(event.target.value)}>
        <p class="hint" id="guest-email-hint">${this.missing ? html`<strong>Enter your address first, then tap your answer.</strong>` : 'Your answers are kept under it. Members of the board can see it.'}</p>
      </div>`;
  }

  #typed(email) {
    this.email = email.trim();
    this.missing = false;
    storage.setItem(ADDRESS, this.email);
    this.app.update();
  }

  #slots(meeting, isOpen) {
    const marked = isOpen ? best(meeting.slots) : [];
    return html`<ul class="slot-cards">${repeat(meeting.slots, ({ id }) => id, (slot) => {
      const act = this.#act(slot.id);
      const isBooked = meeting.bookedSlotId === slot.id;
      const isPast = Date.parse(slot.startTime) <= Date.now();
      return html`
        <li class=${isBooked ? 'booked' : marked.includes(slot.id) ? 'best' : ''}>
          <h2 class="slot-heading">${heading(slot)}</h2>
          <p class="soft">${counts(slot)} ${isBooked ? html`<span class="pill good">Booked</span>` : nothing}${marked.includes(slot.id) ? html`<span class="pill accent">${marked.length > 1 ? 'Among the best' : 'Best so far'}</span>` : nothing}</p>
          ${isOpen && !isPast ? this.#buttons(slot, act) : nothing}
          ${this.given.has(slot.id) && !act.problem ? html`<p class="saved" role="status">${act.isBusy ? 'Saving …' : `Saved: ${label(this.given.get(slot.id).vote)}.`}</p>` : nothing}
          ${problem(act.problem, () => act.retry(), () => act.dismiss())}
          ${isOpen && this.given.has(slot.id) ? this.#comment(slot) : nothing}
        </li>`;
    })}</ul>`;
  }

  #buttons(slot, act) {
    const own = this.given.get(slot.id)?.vote;
    return html`
      <div class="votes wide" role="group" aria-label="Your answer for ${when(slot)}">
        ${VOTES.map((vote) => html`
          <button type="button" class="vote ${vote}" aria-pressed=${own === vote} ?disabled=${act.isBusy} @click=${() => this.#vote(slot, vote, this.given.get(slot.id)?.comment)}>
            <span aria-hidden="true">${SIGNS[vote]}</span><span>${label(vote)}</span></button>`)}
      </div>`;
  }

  #comment(slot) {
    const act = this.#act(`${slot.id} comment`);
    return disclosure('Add a comment', form({
      act, button: 'Save the comment', keep: true,
      submit: async ({ comment }, target) => {
        await this.#send(slot, this.given.get(slot.id).vote, comment.trim());
        closeAround(target);
      },
      content: area('comment', 'Comment', { id: `comment-${slot.id}`, maxlength: 500, rows: 2 }),
    }));
  }

  async #vote(slot, vote, comment) {
    if (!/^\S+@\S+\.\S+$/.test(this.email)) {
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
    const body = { email: this.email, vote, ...(comment ? { comment } : {}) };
    try {
      await this.app.api.call('voteAsGuest', { params: { token: this.token, slotId: slot.id }, body });
    } catch (error) {
      throw worded(error);
    }
    this.given.set(slot.id, { vote, comment });
    this.meeting.reload();
  }
}

/** A closed link and a member's address are said in a guest's terms. */
function worded(error) {
  if (error.status !== 404) return error;
  return new Problem({ status: 400, message: 'This link does not work any more, or the time was taken back. Load the page again.' });
}
