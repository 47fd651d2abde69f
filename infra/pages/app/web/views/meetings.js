import { Act, List } from '../lib/state.js';
import { choice, closeAround, disclosure, html, pill, showList } from '../lib/ui.js';
import { date, timeRange } from '../lib/dates.js';
import { label } from '../lib/words.js';
import { meetingBody, meetingForm } from './meeting-form.js';

const STATUSES = ['scheduled', 'in_progress', 'completed', 'finalized', 'draft'];

export default (app) => new MeetingsView(app, app.board);

class MeetingsView {
  title = 'Meetings';

  constructor(app, board) {
    Object.assign(this, { app, board });
    const status = new URLSearchParams(location.search).get('status');
    this.status = STATUSES.includes(status) ? status : '';
    this.creating = new Act(app.update);
    this.actions = [['createMeeting', { boardId: board.id }]];
    this.#load();
  }

  #load() {
    const query = { limit: 50, status: this.status };
    const params = { boardId: this.board.id };
    this.meetings = new List((cursor) => this.app.api.page('listMeetings', { params, query, cursor }), this.app.update);
    this.resources = [this.meetings];
  }

  #filter(status) {
    this.status = status;
    this.app.router.query({ status });
    this.#load();
  }

  render() {
    return html`
      <div class="row spread"><h1>Meetings</h1>
        ${choice('status', 'Show', [['', 'All meetings'], ...STATUSES], { id: 'filter', value: this.status, onChange: (event) => this.#filter(event.target.value) })}</div>
      ${this.board.may('createMeeting') ? disclosure('New meeting', this.#createForm()) : ''}
      ${showList(this.meetings, 'the meetings', this.status ? `No meeting is ${label(this.status).toLowerCase()}.` : 'There is no meeting yet.', (items) => this.#groups(items))}`;
  }

  #groups(items) {
    const now = Date.now();
    const isAhead = (meeting) => Date.parse(meeting.endTime ?? meeting.startTime) > now;
    const groups = [
      ['Coming up', items.filter((meeting) => meeting.startTime && isAhead(meeting)).reverse()],
      ['No time yet', items.filter((meeting) => !meeting.startTime)],
      ['Past', items.filter((meeting) => meeting.startTime && !isAhead(meeting))],
    ];
    return groups.filter(([, found]) => found.length).map(([heading, found]) => html`
      <h2>${heading}</h2>
      <ul class="rows">${found.map((meeting) => this.#row(meeting))}</ul>`);
  }

  #row(meeting) {
    const place = meeting.location ?? label(meeting.locationType);
    return html`
      <li><a class="row-link" href=${this.board.path('meetings', meeting.id)}>
        <span class="grow"><b>${meeting.title}</b>
          <span class="soft">${meeting.startTime ? `${date(meeting.startTime)}, ${timeRange(meeting.startTime, meeting.endTime)}` : 'Vote on a time'}${place ? ` · ${place}` : ''}</span></span>
        ${pill(meeting.status)}
      </a></li>`;
  }

  #createForm() {
    return meetingForm({
      act: this.creating, button: 'Create the meeting', statuses: this.board.userId ? ['scheduled', 'draft'] : ['scheduled'],
      submit: async (values, target) => {
        const body = meetingBody(values);
        const meeting = await this.app.api.get('createMeeting', { params: { boardId: this.board.id }, body, key: this.creating.keyFor(body) });
        closeAround(target);
        this.app.go(this.board.path('meetings', meeting.id));
      },
    });
  }
}
