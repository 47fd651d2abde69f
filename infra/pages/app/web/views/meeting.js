import { ANY } from '../lib/access.js';
import { Act, Resource } from '../lib/state.js';
import { actProblem, card, closeAround, confirmButton, disclosure, html, menu, nothing, pill, show } from '../lib/ui.js';
import { isLink } from '../lib/call-address.js';
import { date, elsewhere, timeRange } from '../lib/dates.js';
import { label } from '../lib/words.js';
import { booked, nextStep } from '../lib/ranking.js';
import { Agenda } from './meeting-agenda.js';
import { GuestLink } from './meeting-guests.js';
import { Documents } from './meeting-documents.js';
import { Items } from './meeting-items.js';
import { Minutes } from './meeting-minutes.js';
import { Pack } from './meeting-pack.js';
import { Rsvps } from './meeting-rsvps.js';
import { Opened } from './opened.js';
import { VotingGrid } from './meeting-grid.js';
import { meetingBody, meetingForm } from './meeting-form.js';
import { t } from '../lib/texts.js';

const STEPS = () => ({ scheduled: t('meeting.openToTheBoard'), in_progress: t('meeting.startTheMeeting'), completed: t('meeting.complete') });
const NEXT = ['draft', 'scheduled', 'in_progress', 'completed'];

export default (app, params) => new MeetingView(app, app.board, params);

class MeetingView {
  constructor(app, board, params) {
    Object.assign(this, { app, board, params });
    this.meeting = new Resource(() => app.api.get('getMeeting', { params }), app.update);
    this.slots = new Resource(() => app.api.get('listSlots', { params }), app.update);
    this.documents = new Documents(app, board, params);
    this.agenda = new Agenda(app, board, params, this.documents);
    this.pack = new Pack(app, board, params, () => this.documents.list.reload());
    this.minutes = new Minutes(app, board, params, this.agenda);
    this.rsvps = new Rsvps(app, board, params);
    this.items = new Items(app, board, params);
    this.grid = new VotingGrid(app, board, params, this.meeting, this.slots);
    this.guests = new GuestLink(app, params);
    this.comments = new Opened(app, async () => new (await import('./comments.js')).Comments(app, board, 'meeting', params));
    this.changing = new Act(app.update);
    this.deleting = new Act(app.update);
    const names = ['updateMeeting', 'deleteMeeting', 'openLink', 'createSlot', 'createActionItem', 'putRsvp', 'sendReminder'];
    const ofSlots = ['voteOnSlot', 'confirmSlot', 'deleteSlot'].map((name) => [name, { ...params, slotId: ANY }]);
    const ofItems = ['updateActionItem', 'deleteActionItem'].map((name) => [name, { ...params, actionItemId: ANY }]);
    this.actions = [...names.map((name) => [name, params]), ...ofSlots, ...ofItems, ...this.grid.poll.actions, ...this.agenda.actions, ...this.pack.actions, ...this.minutes.actions, ['createDocument', { boardId: board.id }]];
    this.resources = [this.meeting, this.slots, this.grid.poll.resource, this.rsvps.list, this.documents.list, this.agenda.resource, this.minutes.resource, this.items.list, this.items.dues.list];
  }

  title = () => this.meeting.data?.title ?? t('common.meeting');

  #may(name) {
    return this.board.may(name, this.params);
  }

  dispose() {
    this.grid.dispose();
    this.minutes.dispose();
    this.pack.dispose();
  }

  render() {
    return show(this.meeting, t('common.theMeeting'), (meeting) => html`
      <div class="row spread"><h1>${meeting.title}</h1>${pill(meeting.status)}</div>
      ${this.#facts(meeting)}
      <div class="row">
        ${this.#primary(meeting)}
        ${this.#others(meeting)}
      </div>
      ${meeting.startTime ? this.#attendance(meeting) : ''}
      ${card(t('meeting.times'), show(this.slots, t('meeting.theProposedTimes'), () => this.grid.render()), { id: 'times' })}
      ${this.#may('openLink') && !['draft', 'finalized'].includes(meeting.status) ? card(t('meeting.guests'), this.guests.render(meeting, this.slots.data)) : ''}
      ${meeting.startTime ? '' : this.#attendance(meeting)}
      ${card(t('meeting.agenda'), html`${this.agenda.render(meeting)}${this.pack.render(meeting)}`, { id: 'agenda' })}
      ${this.minutes.isThere(meeting) ? card(t('meeting.minutes'), this.minutes.render(meeting), { id: 'minutes' }) : nothing}
      ${card(t('common.documents'), this.documents.render(meeting), { id: 'documents' })}
      ${card(t('common.actionItems'), this.items.render(meeting))}
      ${this.comments.render(t('comments.comments'), { id: 'comments', kind: 'card' })}`);
  }

  /** Who comes matters most once there is a time. */
  #attendance(meeting) {
    return card(t('meeting.attendance'), this.rsvps.render(meeting));
  }

  #facts(meeting) {
    const slot = this.slots.data ? booked(meeting, this.slots.data) : undefined;
    const beside = meeting.startTime && slot ? elsewhere(meeting.startTime, meeting.endTime, slot.timezone) : '';
    return html`
      <dl class="facts">
        <div><dt>${t('common.when')}</dt><dd>${meeting.startTime ? html`${date(meeting.startTime)}, ${timeRange(meeting.startTime, meeting.endTime)}${beside ? html` <span class="soft">(${beside})</span>` : ''}` : t('common.noTimeYet')}</dd></div>
        ${meeting.location || meeting.locationType ? html`<div><dt>${t('meeting.where')}</dt><dd>${[meeting.location, label(meeting.locationType)].filter(Boolean).join(' · ')}</dd></div>` : ''}
        ${meeting.virtualMeetingUrl ? html`<div><dt>${t('meeting.call')}</dt><dd>${call(meeting.virtualMeetingUrl)}</dd></div>` : ''}
        ${meeting.createdByUserId ? html`<div><dt>${t('meeting.calledBy')}</dt><dd>${this.board.nameOf(meeting.createdByUserId)}</dd></div>` : ''}
      </dl>`;
  }

  #edit(meeting) {
    const mayDraft = meeting.createdByUserId === this.board.userId;
    const statuses = NEXT.filter((status) => status !== 'draft' || mayDraft || meeting.status === 'draft');
    return disclosure(t('common.edit'), meetingForm({
      act: this.changing, button: t('common.save'), statuses, meeting,
      submit: async (values, target) => {
        const body = meetingBody(values, meeting);
        this.meeting.set(await this.app.api.get('updateMeeting', { params: this.params, body }));
        closeAround(target);
        this.app.say(t('common.saved'));
        this.slots.reload();
      },
    }));
  }

  /** The one thing that comes next; finalizing is asked about, for it cannot be undone. */
  #primary(meeting) {
    const step = nextStep(meeting, this.slots.data ?? []);
    if (step === 'propose') return this.grid.mayPropose ? html`<button type="button" class="primary" @click=${() => openProposal()}>${t('common.proposeTimes')}</button>` : nothing;
    if (!step || !this.#may('updateMeeting')) return nothing;
    if (step === 'finalized') {
      return confirmButton({
        act: this.changing, text: t('common.finalize'), yes: t('common.finalize'), run: () => this.#to('finalized'),
        question: t('meeting.aFinalizedMeetingCanNoLonger'),
      });
    }
    return html`<button type="button" class="primary" ?disabled=${this.changing.isBusy} @click=${() => this.#to(step)}>${STEPS()[step]}</button>${actProblem(this.changing)}`;
  }

  #others(meeting) {
    if (meeting.status === 'finalized') return nothing;
    const [mayEdit, mayDelete] = [this.#may('updateMeeting'), this.#may('deleteMeeting')];
    if (!mayEdit && !mayDelete) return nothing;
    return menu(meeting.title, html`${mayEdit ? this.#edit(meeting) : nothing}${mayDelete ? this.#delete() : nothing}`);
  }

  #to(status) {
    return this.changing.run(async () => {
      await this.minutes.flush();
      this.meeting.set(await this.app.api.get('updateMeeting', { params: this.params, body: { status } }));
      if (status === 'finalized') this.minutes.resource.reload();
    });
  }

  #delete() {
    return confirmButton({
      act: this.deleting, text: t('common.delete'), yes: t('meeting.deleteTheMeeting'),
      question: t('meeting.theMeetingIsDeletedWithIts'),
      run: () => this.deleting.run(async () => {
        await this.app.api.call('deleteMeeting', { params: this.params });
        this.app.say(t('meeting.theMeetingWasDeleted'));
        this.app.go(this.board.path('meetings'), { replace: true });
      }),
    });
  }
}

/** Opens the form for new times and goes there. */
function openProposal() {
  const proposal = document.getElementById('propose');
  proposal.open = true;
  proposal.scrollIntoView({ block: 'center' });
  proposal.querySelector('button[data-time][tabindex="0"], select').focus();
}

/** The address of a call: a link where it is one, otherwise text. */
function call(address) {
  return isLink(address) ? html`<a href=${address} rel="noopener noreferrer" target="_blank">${address}</a>` : address;
}
