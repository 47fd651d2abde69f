import { ANY } from '../lib/access.js';
import { Act, Resource } from '../lib/state.js';
import { card, closeAround, confirmButton, disclosure, html, pill, show } from '../lib/ui.js';
import { date, elsewhere, timeRange } from '../lib/dates.js';
import { label } from '../lib/words.js';
import { booked } from '../lib/ranking.js';
import { GuestLink } from './meeting-guests.js';
import { Documents } from './meeting-documents.js';
import { Items } from './meeting-items.js';
import { Rsvps } from './meeting-rsvps.js';
import { VotingGrid } from './meeting-grid.js';
import { meetingBody, meetingForm } from './meeting-form.js';

const NEXT = ['draft', 'scheduled', 'in_progress', 'completed'];

export default (app, params) => new MeetingView(app, app.board, params);

class MeetingView {
  constructor(app, board, params) {
    Object.assign(this, { app, board, params });
    this.meeting = new Resource(() => app.api.get('getMeeting', { params }), app.update);
    this.slots = new Resource(() => app.api.get('listSlots', { params }), app.update);
    this.documents = new Documents(app, board, params);
    this.rsvps = new Rsvps(app, board, params);
    this.items = new Items(app, board, params);
    this.grid = new VotingGrid(app, board, params, this.meeting, this.slots);
    this.guests = new GuestLink(app, params);
    this.changing = new Act(app.update);
    this.deleting = new Act(app.update);
    const names = ['updateMeeting', 'deleteMeeting', 'openLink', 'createSlot', 'createActionItem', 'putRsvp'];
    const ofSlots = ['voteOnSlot', 'confirmSlot', 'deleteSlot'].map((name) => [name, { ...params, slotId: ANY }]);
    const ofItems = ['updateActionItem', 'deleteActionItem'].map((name) => [name, { ...params, actionItemId: ANY }]);
    this.actions = [...names.map((name) => [name, params]), ...ofSlots, ...ofItems, ['createDocument', { boardId: board.id }]];
    this.resources = [this.meeting, this.slots, this.rsvps.list, this.documents.list, this.items.list];
  }

  title = () => this.meeting.data?.title ?? 'Meeting';

  #may(name) {
    return this.board.may(name, this.params);
  }

  dispose() {
    this.grid.dispose();
  }

  render() {
    return show(this.meeting, 'the meeting', (meeting) => html`
      <div class="row spread"><h1>${meeting.title}</h1>${pill(meeting.status)}</div>
      ${this.#facts(meeting)}
      <div class="row">
        ${this.#may('updateMeeting') && meeting.status !== 'finalized' ? this.#edit(meeting) : ''}
        ${this.#statusButton(meeting)}
        ${this.#may('deleteMeeting') && meeting.status !== 'finalized' ? this.#delete() : ''}
      </div>
      ${meeting.startTime ? this.#attendance(meeting) : ''}
      ${card('Times', show(this.slots, 'the proposed times', () => this.grid.render()), { id: 'times' })}
      ${this.#may('openLink') && !['draft', 'finalized'].includes(meeting.status) ? card('Guests', this.guests.render(meeting)) : ''}
      ${meeting.startTime ? '' : this.#attendance(meeting)}
      ${card('Agenda and documents', this.documents.render())}
      ${card('Action items', this.items.render())}`);
  }

  /** Who comes matters most once there is a time. */
  #attendance(meeting) {
    return card('Attendance', this.rsvps.render(meeting));
  }

  #facts(meeting) {
    const slot = this.slots.data ? booked(meeting, this.slots.data) : undefined;
    const beside = meeting.startTime && slot ? elsewhere(meeting.startTime, meeting.endTime, slot.timezone) : '';
    return html`
      <dl class="facts">
        <div><dt>When</dt><dd>${meeting.startTime ? html`${date(meeting.startTime)}, ${timeRange(meeting.startTime, meeting.endTime)}${beside ? html` <span class="soft">(${beside})</span>` : ''}` : 'No time yet'}</dd></div>
        ${meeting.location || meeting.locationType ? html`<div><dt>Where</dt><dd>${[meeting.location, label(meeting.locationType)].filter(Boolean).join(' · ')}</dd></div>` : ''}
        ${meeting.virtualMeetingUrl ? html`<div><dt>Call</dt><dd>${call(meeting.virtualMeetingUrl)}</dd></div>` : ''}
        ${meeting.createdByUserId ? html`<div><dt>Called by</dt><dd>${this.board.nameOf(meeting.createdByUserId)}</dd></div>` : ''}
      </dl>`;
  }

  #edit(meeting) {
    const mayDraft = meeting.createdByUserId === this.board.userId;
    const statuses = NEXT.filter((status) => status !== 'draft' || mayDraft || meeting.status === 'draft');
    return disclosure('Edit', meetingForm({
      act: this.changing, button: 'Save', statuses, meeting,
      submit: async (values, target) => {
        const body = meetingBody(values, meeting);
        this.meeting.set(await this.app.api.get('updateMeeting', { params: this.params, body }));
        closeAround(target);
        this.app.say('Saved.');
        this.slots.reload();
      },
    }));
  }

  /** The step that comes next, as one click; finalizing is asked about, for it cannot be undone. */
  #statusButton(meeting) {
    if (!this.#may('updateMeeting')) return '';
    const to = (status) => () => this.changing.run(async () => {
      this.meeting.set(await this.app.api.get('updateMeeting', { params: this.params, body: { status } }));
    });
    const step = { draft: ['Open to the board', 'scheduled'], scheduled: null, in_progress: ['Complete', 'completed'] }[meeting.status];
    if (step) return html`<button type="button" ?disabled=${this.changing.isBusy} @click=${to(step[1])}>${step[0]}</button>`;
    if (meeting.status !== 'completed') return '';
    return confirmButton({
      act: this.changing, text: 'Finalize', yes: 'Finalize', run: to('finalized'),
      question: 'A finalized meeting can no longer be changed. Its minutes are announced to the members.',
    });
  }

  #delete() {
    return confirmButton({
      act: this.deleting, text: 'Delete', yes: 'Delete the meeting',
      question: 'The meeting is deleted with its times, votes and action items.',
      run: () => this.deleting.run(async () => {
        await this.app.api.call('deleteMeeting', { params: this.params });
        this.app.say('The meeting was deleted.');
        this.app.go(this.board.path('meetings'), { replace: true });
      }),
    });
  }
}

/** The address of a call: a link where it is one of the web, otherwise text. */
function call(address) {
  return /^https?:\/\//i.test(address) ? html`<a href=${address} rel="noopener noreferrer" target="_blank">${address}</a>` : address;
}
