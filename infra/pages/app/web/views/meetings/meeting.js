import { Act, Resource } from '../../lib/state.js';
import { actProblem, card, closeAround, confirmButton, folded, html, longest, menu, nothing, pill, show } from '../../lib/ui.js';
import { drafts, isTyped } from '../../lib/drafts.js';
import { settle } from '../../lib/news.js';
import { isLink } from '../../lib/call-address.js';
import { date, dateTime, elsewhere, fromWall, ownZone, timeRange, toWall, zoneName } from '../../lib/dates.js';
import { label } from '../../lib/words.js';
import { booked, canReopen, nextStep, phaseOf } from '../../lib/ranking.js';
import { Agenda } from './meeting-agenda.js';
import { Documents } from '../documents/meeting-documents.js';
import { historyLink } from '../history/history-link.js';
import { Items } from '../action_items/meeting-items.js';
import { MinutesPart } from './meeting-minutes-part.js';
import { Pack } from '../packs/meeting-pack.js';
import { MeetingResolutions } from '../resolutions/meeting-resolutions.js';
import { MeetingPapers } from '../paper_requests/meeting-papers.js';
import { Rsvps } from './meeting-rsvps.js';
import { Opened } from '../opened.js';
import { VotingGrid } from './meeting-grid.js';
import { meetingBody, meetingForm } from './meeting-form.js';
import { MeetingPeople } from './meeting-people.js';
import { t } from '../../lib/texts.js';

const STEPS = () => ({ scheduled: t('meeting.openToTheBoard'), in_progress: t('meeting.startTheMeeting'), completed: t('meeting.complete') });
const ASKS_FOR_VOTES = ['slot_proposed', 'vote_reminder'];
const ASKS_FOR_ANSWERS = ['meeting_scheduled', 'meeting_changed', 'rsvp_reminder', 'meeting_reminder'];
const NEXT = ['draft', 'scheduled', 'in_progress', 'completed'];

export default (app, params) => new MeetingView(app, app.board, params);

class MeetingView {
  constructor(app, board, params) {
    Object.assign(this, { app, board, params });
    this.meeting = new Resource(() => this.#read(), app.update);
    this.slots = new Resource(() => app.api.get('listSlots', { params }), app.update);
    const documents = new Documents(app, board, params);
    const agenda = new Agenda(app, board, params, documents);
    documents.agenda = agenda;
    const resolutions = new MeetingResolutions(app, board, params);
    agenda.resolutions = resolutions;
    const items = new Items(app, board, params);
    const address = board.path('meetings', params.meetingId);
    const papers = new MeetingPapers(app, board, params, agenda);
    agenda.requests = papers;
    const rsvps = new Rsvps(app, board, params, () => settle(app, address, ASKS_FOR_ANSWERS));
    const people = new MeetingPeople(app, board, params);
    this.parts = {
      people, documents, agenda, papers, items, rsvps, resolutions,
      pack: new Pack(app, board, params, { documents, papers }),
      minutes: new MinutesPart(app, board, params, { agenda, items, resolutions }),
      grid: new VotingGrid(app, board, params, this.meeting, this.slots, people, { booked: () => rsvps.list.reload(), voted: () => settle(app, address, ASKS_FOR_VOTES) }),
      guests: new Opened(app, async () => new (await import('./meeting-guests.js')).GuestLink(app, params)),
    };
    resolutions.decided = (resolution) => this.parts.minutes.take(resolution);
    this.comments = new Opened(app, async () => new (await import('../comments/comments.js')).Comments(app, board, 'meeting', params));
    for (const name of ['changing', 'starting', 'reopening', 'cancelling', 'deleting']) this[name] = new Act(app.update);
    this.editing = new Opened(app, async () => ({ render: (meeting) => this.#form(meeting) })); // it has every time zone there is
    if (drafts.get(location.pathname, 'f-title')) this.editing.begin(); // what was typed and not saved
    addEventListener('beforeprint', unfoldAgenda);
    const parts = Object.values(this.parts);
    this.actions = [...['updateMeeting', 'deleteMeeting', 'cancelMeeting', 'openGuestLink'].map((name) => [name, params]), ...parts.flatMap(({ actions = [] }) => actions)];
    this.resources = [this.meeting, this.slots, ...parts.flatMap(({ resources = [] }) => resources)];
  }

  get follows() {
    const parts = [...Object.values(this.parts), this.comments];
    return [
      { on: ['meeting', 'slot'], read: this.meeting, isHeld: () => isTyped('#edit') },
      { on: ['slot', 'vote', 'guest', 'meeting', 'member'], read: this.slots, isHeld: () => this.parts.grid.isSending },
      ...parts.flatMap(({ follows = [] }) => follows),
    ];
  }

  /** Returns the meeting with its cancellation; null if it takes place. */
  async #read() {
    const { app: { api }, params } = this;
    const cancellation = api.get('getCancellation', { params }).catch((error) => {
      if (error.status === 404) return null;
      throw error;
    });
    const [meeting, found] = await Promise.all([api.get('getMeeting', { params }), cancellation]);
    return { ...meeting, cancellation: found };
  }

  title = () => this.meeting.data?.title ?? t('common.meeting');

  #may(name) {
    return this.board.may(name, this.params);
  }

  /** Whether the caller may change the meeting to a status: those who run it start, complete and finalize it. */
  #mayTurn(status) {
    return this.#may('updateMeeting') && (!isBegun({ status }) || this.parts.minutes.mayRun);
  }

  /** Saves what is typed and not saved yet. */
  flush() {
    return this.parts.minutes.flush();
  }

  dispose() {
    removeEventListener('beforeprint', unfoldAgenda);
    for (const part of Object.values(this.parts)) part.dispose?.();
  }

  render() {
    return html`${this.meeting.problem ? this.parts.minutes.left() ?? nothing : nothing}${this.#shown()}`;
  }

  #shown() {
    return show(this.meeting, t('common.theMeeting'), (meeting) => html`
      <div class="row spread"><h1>${meeting.title}</h1>${meeting.cancellation ? pill(t('meeting.cancelled'), 'warn') : pill(meeting.status)}</div>
      ${meeting.cancellation ? this.#cancelled(meeting) : nothing}
      ${this.#facts(meeting)}
      <div class="row no-print">
        ${this.#primary(meeting)}
        ${this.#others(meeting)}${historyLink(this.board, meeting.id)}
      </div>
      ${this.#layout(meeting)}
      ${this.comments.render(t('comments.comments'), { id: 'comments', kind: 'card' })}`);
  }

  /** What a meeting is worked on with stands first and large, beside it what one looks up: by what it is about now. */
  #layout(meeting) {
    const { grid, rsvps, items } = this.parts;
    const phase = phaseOf(meeting);
    const isVoting = grid.isUndecided && (!meeting.startTime || this.slots.data.length > 0);
    const times = show(this.slots, t('meeting.theProposedTimes'), () => grid.render());
    const attendance = card(t('meeting.attendance'), rsvps.render(meeting));
    const tasks = card(t('common.actionItems'), items.render(meeting), { id: 'items' });
    const [agenda, minutes] = [this.#agenda(meeting), this.#minutes(meeting)];
    const documents = html`${this.parts.papers.render(meeting)}${this.#documents(meeting)}`;
    const voted = folded(t('meeting.times'), times, { id: 'times' });
    const guests = this.#guests(meeting);
    const decisions = this.parts.resolutions.render(meeting);
    if (phase !== 'prepare') return beside(html`${phase === 'run' ? decisions : nothing}${minutes}${agenda}`, html`${phase === 'run' ? nothing : decisions}${tasks}${documents}${folded(t('meeting.attendance'), rsvps.render(meeting))}${guests}${voted}`);
    if (isVoting) return html`${card(t('meeting.times'), times, { id: 'times' })}${beside(html`${agenda}${documents}`, html`${decisions}${guests}${meeting.startTime ? attendance : folded(t('meeting.attendance'), rsvps.render(meeting))}${tasks}`)}`;
    return beside(html`${agenda}${documents}`, html`${decisions}${attendance}${tasks}${guests}${voted}`);
  }

  #agenda(meeting) {
    const { agenda, minutes, pack } = this.parts;
    const content = html`${agenda.render(meeting)}${pack.render(meeting)}`;
    return minutes.isThere(meeting) && !agenda.isEditing ? folded(t('meeting.agenda'), content, { id: 'agenda' }) : card(t('meeting.agenda'), content, { id: 'agenda' });
  }

  #documents(meeting) {
    return card(t('common.documents'), this.parts.documents.render(meeting), { id: 'documents' });
  }

  #minutes(meeting) {
    const { minutes } = this.parts;
    return minutes.isThere(meeting) ? card(t('meeting.minutes'), minutes.render(meeting), { id: 'minutes' }) : nothing;
  }

  #guests(meeting) {
    if (!this.#may('openGuestLink') || ['draft', 'finalized'].includes(meeting.status)) return nothing;
    return this.parts.guests.render(t('meeting.guests'), { kind: 'card', with: { meeting, slots: this.slots.data } });
  }

  #bookedSlot(meeting) {
    return booked(meeting, this.slots.data ?? []);
  }

  #facts(meeting) {
    const slot = this.#bookedSlot(meeting);
    const beside = meeting.startTime && slot ? elsewhere(meeting.startTime, meeting.endTime, slot.timezone) : '';
    return html`
      <dl class="facts">
        <div class="print-only"><dt>${t('common.board')}</dt><dd>${this.board.board.data?.name ?? ''}</dd></div>
        <div><dt>${t('common.when')}</dt><dd>${meeting.startTime ? html`${date(meeting.startTime)}, ${timeRange(meeting.startTime, meeting.endTime)}${beside ? html` <span class="soft">(${beside})</span>` : ''}` : t('common.noTimeYet')}</dd></div>
        ${meeting.startTime ? html`<div class="print-only"><dt>${t('common.timeZone')}</dt><dd>${zoneName(ownZone())}</dd></div>` : ''}
        ${meeting.location || meeting.locationType ? html`<div><dt>${t('meeting.where')}</dt><dd>${[meeting.location, label(meeting.locationType)].filter(Boolean).join(' · ')}</dd></div>` : ''}
        ${meeting.virtualMeetingUrl ? html`<div><dt>${t('meeting.call')}</dt><dd>${call(meeting.virtualMeetingUrl)}</dd></div>` : ''}
        ${this.parts.people.isThere ? html`<div><dt>${t('people.withoutAnAccount')}</dt><dd>${this.parts.people.render(meeting, 'invited-people')}</dd></div>` : ''}
        ${meeting.createdByUserId ? html`<div><dt>${t('meeting.calledBy')}</dt><dd>${this.board.nameOf(meeting.createdByUserId)}</dd></div>` : ''}
      </dl>`;
  }

  #form(meeting) {
    const mayDraft = meeting.createdByUserId === this.board.userId;
    const mayBe = (status) => (status !== 'draft' || mayDraft) && this.#mayTurn(isBegun(meeting) ? meeting.status : status);
    const statuses = NEXT.filter((status) => status === meeting.status || mayBe(status));
    return meetingForm({
      act: this.changing, button: t('common.save'), statuses, meeting, ask: (values) => this.#askToMove(meeting, values),
      submit: async (values, target) => {
        const body = meetingBody(values, meeting);
        this.meeting.set({ ...(await this.app.api.get('updateMeeting', { params: this.params, body })), cancellation: meeting.cancellation });
        closeAround(target);
        this.app.say(t('common.saved'));
        this.slots.reload();
      },
    });
  }

  /** What follows from moving a meeting that the members expect; null where it is not moved. */
  #askToMove(meeting, values) {
    if (!meeting.startTime || meeting.status === 'draft' || meeting.cancellation) return null;
    const start = values.startTime ? fromWall(values.startTime, values.zone) : null;
    if (start === meeting.startTime || toWall(meeting.startTime, values.zone) === values.startTime) return null;
    const answered = (this.parts.rsvps.list.data?.items ?? []).filter(({ status }) => status !== 'noAnswer').length;
    return {
      yes: start ? t('meeting.moveTheMeeting') : t('meeting.giveUpTheTime'), keep: t('meeting.keepTheTime'),
      question: html`<p><b>${start ? t('meeting.moveItFromTo', { from: dateTime(meeting.startTime), to: dateTime(start) }) : t('meeting.theTimeWhenIsGivenUp', { when: dateTime(meeting.startTime) })}</b></p>
        ${answered ? html`<p>${t('meeting.answersAreAskedAnew', { number: answered })}</p>` : nothing}${this.#told(meeting)}`,
    };
  }

  /** The one thing that comes next; what tells people or cannot be undone is asked about. A scheduled meeting can always be started. */
  #primary(meeting) {
    const step = nextStep(meeting, this.slots.data ?? []);
    const start = meeting.status === 'scheduled' && !meeting.cancellation && this.#mayTurn('in_progress') ? this.#start(meeting, step) : nothing;
    if (step === 'propose') return html`${this.parts.grid.mayPropose ? html`<button type="button" class="primary" @click=${() => this.#propose()}>${t('common.proposeTimes')}</button>` : nothing}${start}`;
    if (!step || step === 'in_progress' || !this.#mayTurn(step)) return start;
    if (step === 'finalized') {
      return confirmButton({
        act: this.changing, text: t('common.finalize'), yes: t('common.finalize'), run: () => this.#to('finalized'), tone: 'primary',
        question: html`<p>${t('meeting.aFinalizedMeetingCanNoLonger')}</p><p>${this.parts.minutes.resource.data ? html`${t('meeting.theMinutesBecomeFinal')} ${t('common.membersAreTold', { number: this.board.others })}` : t('meeting.thereAreNoMinutes')}</p>${this.parts.resolutions.isVoting ? html`<p><b>${t('meeting.aVoteIsStillOpen')}</b></p>` : nothing}`,
      });
    }
    return html`${this.#step(step, 'primary')}${start}`;
  }

  /** Starts a meeting, after a question while the members still vote or its time is ahead. */
  #start(meeting, step) {
    if (step) return this.#step('in_progress', step === 'in_progress' ? 'primary' : '', this.starting);
    const question = meeting.startTime ? t('meeting.itIsPlannedForWhen', { when: dateTime(meeting.startTime) }) : t('meeting.itsTimesAreStillVotedOn');
    return confirmButton({
      act: this.starting, tone: '', text: STEPS().in_progress, yes: STEPS().in_progress, run: () => this.#to('in_progress', this.starting),
      question: html`<p>${question}</p><p>${t('meeting.fromThenOnItsPageShows')}</p>`,
    });
  }

  /** Opens the form for new times and goes there. */
  async #propose() {
    const proposal = document.getElementById('propose');
    proposal.open = true;
    await this.parts.grid.proposal.begin();
    proposal.scrollIntoView({ block: 'center' });
    proposal.querySelector('button[data-time][tabindex="0"], select').focus();
  }

  #step(status, kind, act = this.changing) {
    return html`<button type="button" class=${kind} ?disabled=${act.isBusy} @click=${() => this.#to(status, act)}>${STEPS()[status]}</button>${actProblem(act)}`;
  }

  #others(meeting) {
    if (meeting.status === 'finalized') return nothing;
    const [mayEdit, mayDelete] = [this.#may('updateMeeting'), this.#may('deleteMeeting') && !this.parts.minutes.circulation.isCirculated];
    const mayCancel = meeting.status === 'scheduled' && !meeting.cancellation && this.#may('cancelMeeting');
    const mayReopen = mayEdit && canReopen(meeting, this.slots.data ?? []);
    return html`${mayReopen ? this.#reopen() : nothing}${mayEdit ? this.editing.render(t('common.edit'), { id: 'edit', with: meeting }) : nothing}
      ${mayCancel || mayDelete ? menu(meeting.title, html`${mayCancel ? this.#cancel(meeting) : nothing}${mayDelete ? this.#delete(meeting) : nothing}`) : nothing}`;
  }

  #to(status, act = this.changing) {
    const { minutes } = this.parts;
    return act.run(async () => {
      await minutes.flush();
      this.meeting.set(await this.app.api.get('updateMeeting', { params: this.params, body: { status } }));
      if (status === 'finalized') minutes.resource.reload();
    });
  }

  /** Gives up the booked time: the members vote again. */
  #reopen() {
    return confirmButton({
      act: this.reopening, tone: '', text: t('meeting.openTheVotingAgain'), yes: t('meeting.openTheVotingAgain'), keep: t('meeting.keepTheTime'),
      question: html`<p>${t('meeting.theBookedTimeIsGivenUp')}</p><p>${t('common.membersAreTold', { number: this.board.others })}</p>${this.parts.people.told()}`,
      run: () => this.reopening.run(async () => {
        this.meeting.set(await this.app.api.get('updateMeeting', { params: this.params, body: { startTime: null, endTime: null } }));
        this.parts.rsvps.list.reload();
        this.app.say(t('meeting.theVotingIsOpenAgain'));
      }),
    });
  }

  /** Says why a meeting does not take place, and takes that back. */
  #cancelled(meeting) {
    const { reason, cancelledByUserId, cancelledAt } = meeting.cancellation;
    return html`
      <div class="notice" role="status">
        <p><strong>${t('meeting.thisMeetingIsCancelled')}</strong> ${reason ?? ''}</p>
        <p class="soft">${t('meeting.cancelledByWhen', { name: this.board.nameOf(cancelledByUserId), when: dateTime(cancelledAt) })}</p>
        ${this.#may('cancelMeeting') ? html`<p class="no-print">${confirmButton({
          act: this.cancelling, tone: '', text: t('meeting.takeTheCancellationBack'), yes: t('meeting.takeItBack'), keep: t('meeting.leaveItCancelled'),
          question: html`<p>${t('meeting.itTakesPlaceAgain')}</p>${this.#told(meeting)}`,
          run: () => this.#turn('reinstateMeeting'),
        })}</p>` : nothing}
      </div>`;
  }

  /** How many are told, where a meeting has a time that they know. */
  #told(meeting) {
    return meeting.startTime && meeting.status !== 'draft' ? html`<p>${t('common.membersAreTold', { number: this.board.others })}</p>${this.parts.people.told()}` : nothing;
  }

  /** @param {'cancelMeeting' | 'reinstateMeeting'} name @param {any} [body] */
  #turn(name, body) {
    return this.cancelling.run(async () => {
      await this.app.api.call(name, { params: this.params, body });
      await this.meeting.reload();
    });
  }

  /** A cancelled meeting keeps everything; those who expected it are told why. */
  #cancel(meeting) {
    return confirmButton({
      act: this.cancelling, text: t('meeting.cancelTheMeeting'), yes: t('meeting.cancelTheMeeting'), keep: t('meeting.keepTheMeeting'),
      question: html`<p>${t('meeting.itKeepsItsVotesAndAnswers')}</p>${this.#told(meeting)}
        <div class="field"><label for="cancel-reason">${t('meeting.reasonThatTheyAreTold')}</label>
          <textarea id="cancel-reason" rows="2" maxlength=${longest('cancelMeeting', 'reason')}></textarea></div>`,
      run: () => this.#turn('cancelMeeting', { reason: document.getElementById('cancel-reason').value.trim() || null }),
    });
  }

  #delete(meeting) {
    return confirmButton({
      act: this.deleting, text: t('meeting.deleteTheMeeting'), yes: t('meeting.deleteTheMeeting'), keep: t('meeting.keepTheMeeting'),
      question: html`<p>${t('meeting.theMeetingIsDeletedWithIts')}</p>${meeting.status === 'scheduled' && !meeting.cancellation ? this.#told(meeting) : nothing}`,
      run: () => this.deleting.run(async () => {
        await this.app.api.call('deleteMeeting', { params: this.params });
        this.app.say(t('meeting.theMeetingWasDeleted'));
        this.app.go(this.board.path('meetings'), { replace: true });
      }),
    });
  }
}

function isBegun({ status }) {
  return !['draft', 'scheduled'].includes(status);
}

/** The printed agenda is whole. */
function unfoldAgenda() {
  const agenda = document.getElementById('agenda');
  if (agenda?.matches('details')) agenda.open = true;
}

function beside(main, more) {
  return html`<div class="meeting"><div>${main}</div><div>${more}</div></div>`;
}

/** The address of a call: a link where it is one, otherwise text. */
function call(address) {
  return isLink(address) ? html`<a href=${address} rel="noopener noreferrer" target="_blank">${address}</a>` : address;
}
