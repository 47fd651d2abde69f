// The voting grid: members down, slots across, one tap to vote; on a narrow screen a card for each slot.

import { ANY } from '../lib/access.js';
import { Act } from '../lib/state.js';
import { VOTES, best, booked, collectsVotes, missing, rows, tally, withVote } from '../lib/ranking.js';
import { actProblem, area, avatar, choice, closeAround, confirmButton, disclosure, form, html, nothing, problem, repeat } from '../lib/ui.js';
import { date, elsewhere, endOf, ownZone, timeRange, zoneName } from '../lib/dates.js';
import { label, plural } from '../lib/words.js';
import { proposeForm } from './meeting-propose.js';

export const SIGNS = { ok: '✓', challenging: '(✓)', cant: '✗', didNotVote: '–' };
const NARROW = matchMedia('(max-width: 48rem)');

export class VotingGrid {
  #pending = new Map();
  #taken = new Map();

  constructor(app, board, params, meeting, slots) {
    Object.assign(this, { app, board, params, meeting, slots });
    this.acts = new Map();
    this.proposing = new Act(app.update);
    this.commenting = new Act(app.update);
    this.refusal = null;
    NARROW.addEventListener('change', app.update);
  }

  dispose() {
    NARROW.removeEventListener('change', this.app.update);
  }

  #act(slotId, what) {
    const key = `${slotId} ${what}`;
    if (!this.acts.has(key)) this.acts.set(key, new Act(this.app.update));
    return this.acts.get(key);
  }

  get userId() {
    return this.board.userId;
  }

  get isOpen() {
    return collectsVotes(this.meeting.data, this.slots.data);
  }

  #may(name) {
    return this.board.may(name, { ...this.params, slotId: ANY });
  }

  mayVoteOn(slot) {
    return this.isOpen && this.#may('voteOnSlot') && Boolean(this.board.member) && Date.parse(slot.startTime) > Date.now();
  }

  mine(slot) {
    return slot.feedbacks.find((each) => each.userId === this.userId && !each.isGuest);
  }

  /** Shows the vote at once and sends it; a refused vote is put back with the server's words. */
  vote(slot, vote, comment = this.mine(slot)?.comment ?? null) {
    const before = this.#taken.get(slot.id) ?? slot;
    this.#taken.set(slot.id, before);
    const turn = (this.#pending.get(slot.id)?.turn ?? 0) + 1;
    const previous = this.#pending.get(slot.id)?.work ?? Promise.resolve();
    this.refusal = null;
    this.#put(withVote(slot, this.userId, vote, comment));
    const work = previous.then(() => this.#send(slot, vote, comment, turn));
    this.#pending.set(slot.id, { turn, work });
    return work;
  }

  async #send(slot, vote, comment, turn) {
    const body = comment ? { vote, comment } : { vote };
    try {
      const taken = await this.app.api.get('voteOnSlot', { params: { ...this.params, slotId: slot.id }, body });
      this.#taken.set(slot.id, taken);
      if (this.#pending.get(slot.id).turn === turn) this.#settle(slot.id);
    } catch (error) {
      if (this.#pending.get(slot.id).turn !== turn) return;
      this.#settle(slot.id);
      this.refusal = { slot, error, again: () => this.vote(this.#slot(slot.id), vote, comment) };
      this.app.update();
      if (!(error instanceof Error && 'status' in error)) throw error;
    }
  }

  #settle(slotId) {
    this.#put(this.#taken.get(slotId));
    this.#taken.delete(slotId);
  }

  #slot(slotId) {
    return this.slots.data.find((each) => each.id === slotId);
  }

  #put(slot) {
    this.slots.set(this.slots.data.map((each) => (each.id === slot.id ? slot : each)));
  }

  render() {
    const slots = this.slots.data;
    const meeting = this.meeting.data;
    const marks = { best: this.isOpen ? best(slots) : [], booked: booked(meeting, slots)?.id };
    return html`
      ${this.#standing(meeting, slots, marks)}
      ${slots.length ? html`
        ${this.refusal ? html`<div class="refusal"><p>Your answer for ${when(this.refusal.slot)} was not taken.</p>${problem(this.refusal.error, this.refusal.again, () => this.#dismiss())}</div>` : nothing}
        ${NARROW.matches ? this.#cards(slots, marks) : this.#table(slots, marks)}
        ${this.#comments(slots)}` : html`<p class="empty">No time is proposed yet.</p>`}
      <div class="row">
        ${this.board.may('createSlot', this.params) && ['draft', 'scheduled'].includes(meeting.status) ? disclosure('Propose a time', proposeForm(this)) : nothing}
        ${this.#commentForm(slots)}
      </div>`;
  }

  #dismiss() {
    this.refusal = null;
    this.app.update();
  }

  #standing(meeting, slots, marks) {
    if (!slots.length) return nothing;
    const absent = missing(slots).filter((row) => row.userId);
    const says = marks.booked ? 'A time is booked; voting is closed.' : this.isOpen ? 'Voting is open.' : 'Voting is closed.';
    return html`
      <p class="soft">${says} Times are in your zone, ${zoneName(ownZone())}.</p>
      ${this.isOpen && absent.length ? html`<p class="soft"><b>Not answered yet:</b> ${absent.map((row) => this.#name(row)).join(', ')}</p>` : nothing}`;
  }

  #name(row) {
    if (row.isGuest) return row.email;
    return row.userId === this.userId ? 'You' : this.board.nameOf(row.userId);
  }

  #initialsOf(row) {
    return row.isGuest ? row.email : this.board.nameOf(row.userId);
  }

  /** Your own row first. */
  #rows(slots) {
    const all = rows(slots);
    return [...all.filter((row) => row.userId === this.userId && !row.isGuest), ...all.filter((row) => row.userId !== this.userId || row.isGuest)];
  }

  #table(slots, marks) {
    return html`
      <div class="grid-scroll" role="region" aria-label="Answers of everyone" tabindex="0">
        <table class="grid">
          <caption class="hidden">Who can come when</caption>
          <thead><tr><th scope="col"><span class="hidden">Member</span></th>${repeat(slots, ({ id }) => id, (slot) => html`<th scope="col" class=${state(slot, marks)}>${heading(slot)}${tags(slot, marks)}</th>`)}</tr></thead>
          <tbody>${repeat(this.#rows(slots), ({ key }) => key, (row) => this.#row(row, slots, marks))}</tbody>
          <tfoot><tr><th scope="row">Total</th>${slots.map((slot) => html`<td class=${state(slot, marks)}>${counts(slot)}${this.#tools(slot, marks)}</td>`)}</tr></tfoot>
        </table>
      </div>`;
  }

  #row(row, slots, marks) {
    const name = this.#name(row);
    const isOwn = row.userId === this.userId && !row.isGuest;
    return html`
      <tr class=${isOwn ? 'own' : ''}>
        <th scope="row"><span class="person">${avatar(this.#initialsOf(row))}<span class="name">${name}${row.isGuest ? html`<small>Guest</small>` : nothing}</span></span></th>
        ${slots.map((slot) => {
          const vote = row.votes[slot.id]?.vote ?? 'didNotVote';
          return html`<td class=${state(slot, marks)}>${isOwn && this.mayVoteOn(slot) ? this.#buttons(slot) : sign(vote, row.votes[slot.id]?.comment)}</td>`;
        })}
      </tr>`;
  }

  #buttons(slot, withWords = false) {
    const own = this.mine(slot)?.vote;
    return html`
      <div class="votes ${withWords ? 'wide' : ''}" role="group" aria-label="Your answer for ${when(slot)}">
        ${VOTES.map((vote) => html`
          <button type="button" class="vote ${vote}" aria-pressed=${own === vote} title=${label(vote)} @click=${() => this.vote(this.#slot(slot.id), vote)}>
            <span aria-hidden="true">${SIGNS[vote]}</span><span class=${withWords ? '' : 'hidden'}>${label(vote)}</span></button>`)}
      </div>`;
  }

  #cards(slots, marks) {
    return html`<ul class="slot-cards">${repeat(slots, ({ id }) => id, (slot) => html`
      <li class=${state(slot, marks)}>
        <h3>${heading(slot)}</h3>${tags(slot, marks)}
        ${this.mayVoteOn(slot) ? this.#buttons(slot, true) : nothing}
        <details><summary>${counts(slot)}</summary>
          <ul class="plain-list">${this.#rows(slots).map((row) => html`<li class="row spread"><span>${this.#name(row)}</span>${sign(row.votes[slot.id]?.vote ?? 'didNotVote')}</li>`)}</ul></details>
        ${this.#tools(slot, marks)}
      </li>`)}</ul>`;
  }

  #tools(slot, marks) {
    if (['finalized', 'completed', 'in_progress'].includes(this.meeting.data.status)) return nothing;
    const booking = this.#act(slot.id, 'book');
    const removing = this.#act(slot.id, 'remove');
    const isPast = Date.parse(slot.startTime) <= Date.now();
    return html`
      <div class="tools">
        ${this.#may('confirmSlot') && !isPast && marks.booked !== slot.id ? html`
          <button type="button" class="small" ?disabled=${booking.isBusy} aria-label="Book ${when(slot)}" @click=${() => this.#book(slot, booking)}>Book</button>` : nothing}
        ${this.#may('deleteSlot') && marks.booked !== slot.id ? confirmButton({
          act: removing, text: 'Remove', yes: 'Remove', question: `Remove ${when(slot)} with its votes?`, run: () => this.#remove(slot, removing),
        }) : nothing}
        ${actProblem(booking)}
      </div>`;
  }

  #book(slot, act) {
    return act.run(async () => {
      const params = { ...this.params, slotId: slot.id };
      this.meeting.set((await this.app.api.call('confirmSlot', { params, key: act.keyFor({}) })).data);
      await this.meeting.reload();
      this.app.say(`The meeting is booked for ${when(slot)}.`);
    });
  }

  #remove(slot, act) {
    return act.run(async () => {
      await this.app.api.call('deleteSlot', { params: { ...this.params, slotId: slot.id } });
      this.slots.set(this.slots.data.filter(({ id }) => id !== slot.id));
    });
  }

  #comments(slots) {
    const said = slots.flatMap((slot) => slot.feedbacks.filter(({ comment }) => comment).map((each) => ({ slot, ...each })));
    if (!said.length) return nothing;
    return html`<h3>Comments</h3><ul class="comments">${said.map((each) => html`<li><b>${this.#name(each)}</b> <span class="soft">on ${when(each.slot)}</span><br>${each.comment}</li>`)}</ul>`;
  }

  #commentForm(slots) {
    const voted = slots.filter((slot) => this.mayVoteOn(slot) && (this.mine(slot)?.vote ?? 'didNotVote') !== 'didNotVote');
    if (!voted.length) return nothing;
    return disclosure('Comment on an answer', form({
      act: this.commenting, button: 'Save the comment',
      submit: async ({ slotId, comment }, target) => {
        const slot = this.#slot(slotId);
        const { vote } = this.mine(slot);
        const body = comment.trim() ? { vote, comment: comment.trim() } : { vote };
        this.#put(await this.app.api.get('voteOnSlot', { params: { ...this.params, slotId }, body }));
        closeAround(target);
      },
      content: html`${choice('slotId', 'Your answer for', voted.map((slot) => [slot.id, `${when(slot)}: ${label(this.mine(slot).vote)}`]))}
        ${area('comment', 'Comment', { maxlength: 500, hint: 'Everybody on the board can read it. Leave it empty to remove your comment.' })}`,
    }));
  }
}

export function when(slot) {
  return `${date(slot.startTime)}, ${timeRange(slot.startTime, endOf(slot.startTime, slot.durationInMinutes))}`;
}

export function heading(slot) {
  const end = endOf(slot.startTime, slot.durationInMinutes);
  const beside = elsewhere(slot.startTime, end, slot.timezone);
  return html`<span class="day">${date(slot.startTime)}</span> <span class="hours">${timeRange(slot.startTime, end)}</span>${beside ? html`<small class="zone">${beside}</small>` : nothing}`;
}

function tags(slot, marks) {
  const found = [];
  if (marks.booked === slot.id) found.push(html`<span class="pill good">Booked</span>`);
  if (marks.best.includes(slot.id)) found.push(html`<span class="pill accent">${marks.best.length > 1 ? 'Among the best' : 'Best so far'}</span>`);
  if (Date.parse(slot.startTime) <= Date.now()) found.push(html`<span class="pill">Past</span>`);
  return found.length ? html`<span class="tags">${found}</span>` : nothing;
}

function state(slot, marks) {
  return marks.booked === slot.id ? 'booked' : marks.best.includes(slot.id) ? 'best' : '';
}

function sign(vote, comment = null) {
  return html`<span class="sign ${vote}" title=${label(vote)}><span aria-hidden="true">${SIGNS[vote]}</span><span class="hidden">${label(vote)}</span>${comment ? html`<span class="note" aria-hidden="true"></span>` : nothing}</span>`;
}

export function counts(slot) {
  const { ok, challenging, cant } = tally(slot);
  return html`<span class="counts"><b>${plural(ok, 'yes', 'yes')}</b>${challenging ? `, ${challenging} if need be` : ''}${cant ? `, ${cant} no` : ''}</span>`;
}
