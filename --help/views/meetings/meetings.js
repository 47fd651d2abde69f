import { timeNow } from '../../lib/clock.js';
import { Act, List } from '../../lib/state.js';
import { choice, closeAround, disclosure, html, pill, showList } from '../../lib/ui.js';
import { date, timeRange } from '../../lib/dates.js';
import { label } from '../../lib/words.js';
import { meetingBody, meetingForm } from './meeting-form.js';
import { t } from '../../lib/texts.js';

const STATUSES = ['scheduled', 'in_progress', 'completed', 'finalized', 'draft'];
const CANCELLED = 'cancelled';

export default (app) => new MeetingsView(app, app.board);

class MeetingsView {
  title = () => t('common.meetings');

  constructor(app, board) {
    Object.assign(this, { app, board });
    const status = new URLSearchParams(location.search).get('status');
    this.status = [...STATUSES, CANCELLED].includes(status) ? status : '';
    this.isNew = location.pathname.endsWith('/new');
    this.creating = new Act(app.update);
    this.actions = [['createMeeting', { boardId: board.id }]];
    this.#load();
  }

  #load() {
    const query = { limit: 50, ...(this.status === CANCELLED ? { cancelled: 'true' } : { status: this.status }) };
    const listed = (more, options) => new List((cursor) => this.app.api.page('listMeetings', { params: { boardId: this.board.id }, query: more, cursor }), this.app.update, options);
    this.meetings = listed(query);
    this.cancelled = listed({ limit: 100, cancelled: 'true' }, { isWhole: true });
    this.resources = [this.meetings, this.cancelled];
    this.follows = this.resources.map((read) => ({ on: ['meeting'], read }));
  }

  #filter(status) {
    this.status = status;
    this.app.router.query({ status });
    this.#load();
  }

  render() {
    return html`
      <div class="row spread"><h1>${t('common.meetings')}</h1>
        ${choice('status', t('common.show'), [['', t('meetings.allMeetings')], ...STATUSES, [CANCELLED, t('meeting.cancelled')]], { id: 'filter', value: this.status, onChange: (event) => this.#filter(event.target.value) })}</div>
      ${this.board.may('createMeeting') ? disclosure(t('meetings.newMeeting'), this.#createForm(), { isOpen: this.isNew }) : ''}
      ${showList(this.meetings, t('common.theMeetings'), this.status ? t('meetings.noMeetingHasThisStatus') : t('meetings.thereIsNoMeetingYet'), (items) => this.#groups(items))}`;
  }

  #groups(items) {
    const now = timeNow();
    const isAhead = (meeting) => Date.parse(meeting.endTime ?? meeting.startTime) > now;
    const groups = [
      [t('meetings.comingUp'), items.filter((meeting) => meeting.startTime && isAhead(meeting)).reverse()],
      [t('common.noTimeYet'), items.filter((meeting) => !meeting.startTime)],
      [t('common.past'), items.filter((meeting) => meeting.startTime && !isAhead(meeting))],
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
          <span class="soft">${meeting.startTime ? `${date(meeting.startTime)}, ${timeRange(meeting.startTime, meeting.endTime)}` : t('common.voteOnATime')}${place ? ` · ${place}` : ''}</span></span>
        ${this.cancelled.items.some(({ id }) => id === meeting.id) ? pill(t('meeting.cancelled'), 'warn') : pill(meeting.status)}
      </a></li>`;
  }

  #createForm() {
    return meetingForm({
      act: this.creating, button: t('meetings.createTheMeeting'), statuses: this.board.userId ? ['scheduled', 'draft'] : ['scheduled'],
      submit: async (values, target) => {
        const body = meetingBody(values);
        const meeting = await this.app.api.get('createMeeting', { params: { boardId: this.board.id }, body, key: this.creating.keyFor(body) });
        closeAround(target);
        this.app.go(this.board.path('meetings', meeting.id));
      },
    });
  }
}
