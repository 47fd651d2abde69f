// The voting grid: members down, slots across, one tap to vote; on a narrow screen a card for each slot.

import { timeNow } from '../../lib/clock.js';
import { ANY } from '../../lib/access.js';
import { Act } from '../../lib/state.js';
import { VOTES, best, booked, byDay, collectsVotes, isVoter, missing, rows, tally, withVote } from '../../lib/ranking.js';
import { MOST_NAMES, avatar, confirmButton, html, nameList, nothing, problem, repeat } from '../../lib/ui.js';
import { date, zoneSentence } from '../../lib/dates.js';
import { label } from '../../lib/words.js';
import { SlotComments } from './meeting-comments.js';
import { Removals } from '../../lib/removals.js';
import { Poll } from './meeting-poll.js';
import { Opened } from '../opened.js';
import { Reminder } from './meeting-reminder.js';
import { SIGNS, counts, hours, when } from './slot-words.js';
import { t } from '../../lib/texts.js';

const NARROW = matchMedia('(max-width: 48rem)');

export class VotingGrid {
  #pending = new Map();
  #taken = new Map();

  /** `booked` is called once a time is booked, for the answers have changed too, and `voted` once a vote is taken. */
  constructor(app, board, params, meeting, slots, people, { booked = () => {}, voted = () => {} } = {}) {
    Object.assign(this, { app, board, params, meeting, slots, people, booked, voted });
    this.acts = new Map();
    this.proposal = new Opened(app, async () => new (await import('./meeting-propose.js')).ProposeTimes(this));
    this.poll = new Poll(app, board, params);
    this.reminder = new Reminder(app, board, params, 'votes');
    this.focused = null;
    this.comments = new SlotComments(this);
    this.removals = new Removals(app);
    this.refusal = null;
    const ofSlots = ['voteOnSlot', 'confirmSlot', 'deleteSlot'].map((name) => [name, { ...params, slotId: ANY }]);
    this.actions = [['createSlot', params], ...ofSlots, ...this.poll.actions];
    this.resources = [this.poll.resource];
    this.follows = [{ on: ['poll'], read: this.poll.resource }];
    NARROW.addEventListener('change', app.update);
  }

  dispose() {
    NARROW.removeEventListener('change', this.app.update);
    this.removals.dispose();
  }

  #act(slotId, what) {
    const key = `${slotId} ${what}`;
    if (!this.acts.has(key)) this.acts.set(key, new Act(this.app.update));
    return this.acts.get(key);
  }

  /** Whether a vote is under way: the page shows it already, the API does not. */
  get isSending() {
    return this.#taken.size > 0;
  }

  get userId() {
    return this.board.userId;
  }

  /** Whether a time is still looked for: none is booked. */
  get isUndecided() {
    return Boolean(this.slots.data) && collectsVotes(this.meeting.data, this.slots.data);
  }

  get isOpen() {
    return this.isUndecided && !this.poll.isClosed;
  }

  #may(name) {
    return this.board.may(name, { ...this.params, slotId: ANY });
  }

  get mayPropose() {
    return !this.meeting.data.cancellation && this.board.may('createSlot', this.params) && ['draft', 'scheduled'].includes(this.meeting.data.status);
  }

  mayVoteOn(slot) {
    return this.isOpen && this.#may('voteOnSlot') && Boolean(this.board.member) && Date.parse(slot.startTime) > timeNow();
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
    this.put(withVote(slot, this.userId, vote, comment));
    const work = previous.then(() => this.#send(slot, vote, comment, turn));
    this.#pending.set(slot.id, { turn, work });
    return work;
  }

  async #send(slot, vote, comment, turn) {
    const body = comment ? { vote, comment } : { vote };
    try {
      const taken = await this.app.api.get('voteOnSlot', { params: { ...this.params, slotId: slot.id }, body });
      this.#taken.set(slot.id, taken);
      this.voted();
      if (this.#pending.get(slot.id).turn === turn) this.#settle(slot.id);
    } catch (error) {
      if (this.#pending.get(slot.id).turn !== turn) return;
      this.#settle(slot.id);
      this.refusal = { slot, error, again: () => this.vote(this.slot(slot.id), vote, comment) };
      this.app.update();
      if (!(error instanceof Error && 'status' in error)) throw error;
    }
  }

  #settle(slotId) {
    this.put(this.#taken.get(slotId));
    this.#taken.delete(slotId);
  }

  slot(slotId) {
    return this.slots.data.find((each) => each.id === slotId);
  }

  put(slot) {
    this.slots.set(this.slots.data.map((each) => (each.id === slot.id ? slot : each)));
  }

  render() {
    const slots = this.#kept;
    const meeting = this.meeting.data;
    const marks = { best: this.isUndecided ? best(slots) : [], booked: booked(meeting, slots)?.id };
    return html`
      ${this.#standing(meeting, slots, marks)}
      ${this.removals.render()}
      ${slots.length ? html`
        ${this.refusal ? html`<div class="refusal"><p>${t('meetingGrid.yourAnswerForWhenWasNot', { when: when(this.refusal.slot) })}</p>${problem(this.refusal.error, this.refusal.again, () => this.#dismiss())}</div>` : nothing}
        ${NARROW.matches ? this.#cards(slots, marks) : this.#table(slots, marks)}
        ${this.comments.render(slots)}` : html`<p class="empty">${t('common.noTimeIsProposedYet')}</p>`}
      <div class="row">
        ${this.mayPropose ? this.proposal.render(t('common.proposeTimes'), { id: 'propose' }) : nothing}
        ${this.isUndecided && slots.length ? this.poll.render() : nothing}
        ${this.comments.form(slots)}
      </div>`;
  }

  /** The times that are not being removed. */
  get #kept() {
    return this.removals.without(this.slots.data, ({ id }) => id);
  }

  #dismiss() {
    this.refusal = null;
    this.app.update();
  }

  #standing(meeting, slots, marks) {
    if (!slots.length) return nothing;
    const [absent, unable] = this.#absent(slots);
    const says = marks.booked ? t('meetingGrid.aTimeIsBookedVotingIs') : this.isOpen ? t('meetingGrid.votingIsOpen') : t('common.votingIsClosed');
    return html`
      ${this.isUndecided ? this.poll.standing() : nothing}
      <p class="soft">${says} ${zoneSentence()}</p>
      ${this.isOpen && absent.length ? html`${this.#missing(absent)}
        ${meeting.status === 'draft' ? nothing : this.reminder.render(absent.map(({ userId }) => userId))}` : nothing}
      ${this.isOpen && unable.length ? html`<p class="soft"><b>${t('meetingGrid.cannotVote')}</b> ${this.#names(unable)}. ${unable.some((row) => row.userId === this.userId) ? t('meetingGrid.yourAccessToThisBoardIs') : t('meetingGrid.theirAccessToThisBoardIs')}</p>` : nothing}`;
  }

  /** Who has not answered; the names of many wait behind their number. */
  #missing(absent) {
    if (absent.length <= MOST_NAMES) return html`<p class="soft"><b>${t('meetingGrid.notAnsweredYet')}</b> ${this.#names(absent)}</p>`;
    return html`<details class="soft"><summary><b>${t('meetingGrid.haveNotAnsweredYet', { number: absent.length })}</b></summary><p>${this.#names(absent)}</p></details>`;
  }

  #names(found) {
    return nameList(found.map((row) => this.name(row)), found.length);
  }

  /** Members without an answer: those who could give one, and those who only read. */
  #absent(slots) {
    const all = missing(slots);
    const mayVote = ({ userId }) => {
      const member = this.board.members.items.find((each) => each.userId === userId);
      return !member || isVoter(member);
    };
    return [all.filter(mayVote), all.filter((row) => !mayVote(row))];
  }

  name(row) {
    if (row.isGuest) return row.email ?? t('meetingGrid.guest');
    return row.userId === this.userId ? t('common.you') : this.board.nameOf(row.userId);
  }

  #initialsOf(row) {
    return row.isGuest ? row.email ?? t('meetingGrid.guest') : this.board.nameOf(row.userId);
  }

  /** Your own row first. */
  #rows(slots) {
    const all = rows(slots);
    return [...all.filter((row) => row.userId === this.userId && !row.isGuest), ...all.filter((row) => row.userId !== this.userId || row.isGuest)];
  }

  #table(slots, marks) {
    return html`
      <div class="grid-scroll" role="region" aria-label=${t('meetingGrid.answersOfEveryone')} tabindex="0">
        <table class="grid">
          <caption class="hidden">${t('meetingGrid.whoCanComeWhen')}</caption>
          <thead>
            <tr><th rowspan="2" scope="col" class="names"><span class="hidden">${t('meetingGrid.member')}</span></th>${byDay(slots, date).map(({ day, slots: found }) => html`<th scope="colgroup" colspan=${found.length} class="days">${day}</th>`)}</tr>
            <tr>${repeat(slots, ({ id }) => id, (slot) => html`<th scope="col" class=${state(slot, marks)}>${hours(slot)}${tags(slot, marks)}</th>`)}</tr>
          </thead>
          <tbody @keydown=${(event) => this.#move(event)}>${repeat(this.#rows(slots), ({ key }) => key, (row) => this.#row(row, slots, marks))}</tbody>
          <tfoot><tr><th scope="row" class="names">${t('meetingGrid.total')}</th>${slots.map((slot) => html`<td class=${state(slot, marks)}>${counts(slot)}${this.#tools(slot, marks)}</td>`)}</tr></tfoot>
        </table>
      </div>`;
  }

  #row(row, slots, marks) {
    const name = this.name(row);
    const isOwn = row.userId === this.userId && !row.isGuest;
    return html`
      <tr class=${isOwn ? 'own' : ''}>
        <th scope="row" class="names"><span class="person">${avatar(this.#initialsOf(row))}<span class="name">${name}${row.isGuest && row.email ? html`<small>${t('meetingGrid.guest')}</small>` : nothing}</span></span></th>
        ${slots.map((slot) => {
          const vote = row.votes[slot.id]?.vote ?? 'didNotVote';
          return html`<td class=${state(slot, marks)}>${isOwn && this.mayVoteOn(slot) ? this.#buttons(slot) : sign(vote, row.votes[slot.id]?.comment)}</td>`;
        })}
      </tr>`;
  }

  #buttons(slot, withWords = false) {
    const own = this.mine(slot)?.vote;
    return html`
      <div class="votes ${withWords ? 'wide' : ''}" role="group" aria-label=${t('common.yourAnswerForWhen', { when: when(slot) })}>
        ${VOTES.map((vote) => html`
          <button type="button" class="vote ${vote}" aria-pressed=${own === vote} title=${label(vote)} tabindex=${withWords || this.#isStop(slot, vote) ? 0 : -1} data-vote="${slot.id} ${vote}"
            @click=${() => this.vote(this.slot(slot.id), vote)}>
            <span aria-hidden="true">${SIGNS[vote]}</span><span class=${withWords ? '' : 'hidden'}>${label(vote)}</span></button>`)}
      </div>`;
  }

  /** The one answer of the grid that the tab key reaches: where the arrow keys left, or the first. */
  #isStop(slot, vote) {
    const first = this.#kept.find((each) => this.mayVoteOn(each));
    return (this.focused ?? `${first?.id} ${VOTES[0]}`) === `${slot.id} ${vote}`;
  }

  /** The arrow keys, Home and End move between the answers that can be given. */
  #move(event) {
    const all = [...event.currentTarget.querySelectorAll('[data-vote]')];
    const at = all.indexOf(event.target.closest('[data-vote]'));
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + VOTES.length, ArrowUp: at - VOTES.length, Home: 0, End: all.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const next = all[Math.min(Math.max(to, 0), all.length - 1)];
    this.focused = next.dataset.vote;
    next.focus();
    this.app.update();
  }

  #cards(slots, marks) {
    return byDay(slots, date).map(({ day, slots: found }) => html`<h3 class="day">${day}</h3>${this.#cardsOf(found, marks)}`);
  }

  #cardsOf(slots, marks) {
    return html`<ul class="slot-cards">${repeat(slots, ({ id }) => id, (slot) => html`
      <li class=${state(slot, marks)}>
        <h4>${hours(slot)}</h4>${tags(slot, marks)}
        ${this.mayVoteOn(slot) ? this.#buttons(slot, true) : nothing}
        <details><summary>${counts(slot)}</summary>
          <ul class="plain-list">${this.#rows(slots).map((row) => html`<li class="row spread"><span>${this.name(row)}</span>${sign(row.votes[slot.id]?.vote ?? 'didNotVote')}</li>`)}</ul></details>
        ${this.#tools(slot, marks)}
      </li>`)}</ul>`;
  }

  #tools(slot, marks) {
    const { status, cancellation } = this.meeting.data;
    if (cancellation || ['finalized', 'completed', 'in_progress'].includes(status)) return nothing;
    const booking = this.#act(slot.id, 'book');
    const isPast = Date.parse(slot.startTime) <= timeNow();
    return html`
      <div class="tools">
        ${this.#may('confirmSlot') && !isPast && marks.booked !== slot.id ? confirmButton({
          act: booking, text: t('meetingGrid.book'), yes: t('meetingGrid.book'), of: t('meetingGrid.bookWhen', { when: when(slot) }), tone: '', question: this.#askToBook(slot), run: () => this.#book(slot, booking),
        }) : nothing}
        ${marks.booked === slot.id || !this.#mayRemove(slot) ? nothing : votesOfOthers(slot).length ? this.#askToRemove(slot) : html`<button type="button" class="danger" aria-label=${t('meetingGrid.removeWhen', { when: when(slot) })} @click=${() => this.#remove(slot)}>${t('common.remove')}</button>`}
      </div>`;
  }

  /** Once others have voted on a time, who proposed it and managers alone take it away. */
  #mayRemove(slot) {
    const isOwn = Boolean(this.userId) && slot.createdByUserId === this.userId;
    return this.#may('deleteSlot') && (isOwn || this.board.isManager || !votesOfOthers(slot).length);
  }

  #askToRemove(slot) {
    const act = this.#act(slot.id, 'remove');
    const voted = votesOfOthers(slot);
    const guests = voted.filter(({ isGuest }) => isGuest).length;
    const told = voted.filter(({ userId, isGuest }) => !isGuest && userId !== this.userId).length;
    const run = () => act.run(async () => {
      await this.app.api.call('deleteSlot', { params: { ...this.params, slotId: slot.id } });
      this.slots.set(this.slots.data.filter(({ id }) => id !== slot.id));
    });
    return confirmButton({
      act, run, text: t('common.remove'), yes: t('meetingGrid.removeTheTime'), of: t('meetingGrid.removeWhen', { when: when(slot) }),
      question: html`<p><b>${when(slot)}</b></p><p>${t('meetingGrid.othersHaveVotedOnIt', { number: voted.length })} ${t('meetingGrid.theirVotesGoWithIt')} ${t('meetingGrid.votersAreTold', { number: told })} ${guests ? t('meetingGrid.votersWithoutAccount', { number: guests }) : ''}</p>`,
    });
  }

  /** What follows from booking, in numbers. */
  #askToBook(slot) {
    const { ok } = tally(slot);
    return html`
      <p><b>${t('meetingGrid.bookWhenQuestion', { when: when(slot) })}</b></p>
      <p>${this.meeting.data.status === 'draft' ? t('meetingGrid.nobodyIsToldOfADraft') : t('common.membersAreTold', { number: this.board.others })} ${t('meetingGrid.yesCountsAsAttending', { number: ok })}</p>${this.meeting.data.status === 'draft' ? nothing : this.people.told()}`;
  }

  #book(slot, act) {
    return act.run(async () => {
      const params = { ...this.params, slotId: slot.id };
      const { data } = await this.app.api.call('confirmSlot', { params, key: act.keyFor({}) });
      await this.meeting.reload(); // shown with its tag, so that it can be changed at once
      if (this.meeting.problem) this.meeting.set(data);
      this.booked();
      this.app.say(t('meetingGrid.theMeetingIsBookedForWhen', { when: when(slot) }));
    });
  }

  #remove(slot) {
    this.focused = null;
    this.removals.begin(slot.id, when(slot), {
      send: () => this.app.api.call('deleteSlot', { params: { ...this.params, slotId: slot.id } }),
      done: () => this.slots.set(this.slots.data.filter(({ id }) => id !== slot.id)),
    });
  }
}

/** The votes on a time but that of who proposed it. */
function votesOfOthers({ feedbacks, createdByUserId }) {
  return feedbacks.filter(({ vote, userId, isGuest }) => vote !== 'didNotVote' && (isGuest || userId !== createdByUserId));
}

function tags(slot, marks) {
  const found = [];
  if (marks.booked === slot.id) found.push(html`<span class="pill good">${t('common.booked')}</span>`);
  if (marks.best.includes(slot.id)) found.push(html`<span class="pill accent">${marks.best.length > 1 ? t('common.amongTheBest') : t('common.bestSoFar')}</span>`);
  if (Date.parse(slot.startTime) <= timeNow()) found.push(html`<span class="pill">${t('common.past')}</span>`);
  return found.length ? html`<span class="tags">${found}</span>` : nothing;
}

function state(slot, marks) {
  return marks.booked === slot.id ? 'booked' : marks.best.includes(slot.id) ? 'best' : '';
}

function sign(vote, comment = null) {
  return html`<span class="sign ${vote}" title=${label(vote)}><span aria-hidden="true">${SIGNS[vote]}</span><span class="hidden">${label(vote)}</span>${comment ? html`<span class="note" aria-hidden="true"></span>` : nothing}</span>`;
}
