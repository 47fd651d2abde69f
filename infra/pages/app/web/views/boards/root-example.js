// The product to try: the voting grid of an example meeting, and what everybody gets once a time is booked.

import { ExampleApi, exampleMeeting, exampleMembers } from '../../lib/example.js';
import { date, dateTime, timeRange } from '../../lib/dates.js';
import { Resource } from '../../lib/state.js';
import { html, icon, nothing } from '../../lib/ui.js';
import { personName } from '../../lib/words.js';
import { VotingGrid } from '../meetings/meeting-grid.js';
import { t } from '../../lib/texts.js';

const OFFERED = ['voteOnSlot', 'confirmSlot'];

export class Example {
  constructor(app) {
    this.app = app;
    this.#start();
  }

  #start() {
    const { meeting, slots } = exampleMeeting();
    const { update } = this.app;
    this.api = new ExampleApi(slots, meeting);
    this.members = exampleMembers();
    this.meeting = new Resource(async () => this.api.meeting, update);
    this.slots = new Resource(async () => this.api.slots, update);
    const page = { api: this.api, update, say: (text) => this.app.say(text) };
    const board = {
      id: 'example', userId: 'you', others: this.members.length - 1, member: this.members[0], members: { items: this.members },
      may: (name) => OFFERED.includes(name), nameOf: (userId) => personName(this.members.find((each) => each.userId === userId)),
    };
    this.grid?.dispose();
    this.grid = new VotingGrid(page, board, { boardId: 'example', meetingId: 'example' }, this.meeting, this.slots, { render: () => nothing, told: () => nothing });
  }

  dispose() {
    this.grid.dispose();
  }

  render() {
    if (!this.meeting.isReady || !this.slots.isReady) return nothing;
    const meeting = this.meeting.data;
    return html`
      <div class="try">
        <section class="card" aria-labelledby="try-heading">
          <p class="kicker">${t('rootExample.tryItNothingLeavesThisPage')}</p>
          <h2 id="try-heading">${meeting.title}</h2>
          ${this.grid.render()}
          ${meeting.startTime ? html`<p class="row"><button type="button" @click=${() => this.#restart()}>${icon('arrow-path')} ${t('rootExample.startOver')}</button></p>` : nothing}
        </section>
        <aside class="try-aside" aria-label=${t('rootExample.whatEverybodyGets')} aria-live="polite">${meeting.startTime ? this.#booked(meeting) : this.#before()}</aside>
      </div>`;
  }

  #restart() {
    this.#start();
    this.app.update();
  }

  #before() {
    return html`
      <ol class="steps">
        <li>${t('rootExample.tapYourAnswersBestSoFar', { b: (text) => html`<b>${text}</b>` })}</li>
        <li>${t('rootExample.pressBookVotingEnds', { b: (text) => html`<b>${text}</b>` })}</li>
        <li>${t('rootExample.allSixAreToldAndTheir', { b: (text) => html`<b>${text}</b>` })}</li>
      </ol>`;
  }

  #booked(meeting) {
    const when = `${date(meeting.startTime)}, ${timeRange(meeting.startTime, meeting.endTime)}`;
    return html`
      <section class="card mail-preview" aria-label=${t('rootExample.theMail')}>
        <p class="soft">${icon('envelope')} ${t('rootExample.toSliceAndYou', { slice: this.members.slice(1).map(personName).join(', ') })}</p>
        <h3>${t('rootExample.invitationTitle', { title: meeting.title })}</h3>
        <p>${when}</p>
        <p class="soft">${t('rootExample.yourCalendarProgramCanAnswerFor')}</p>
      </section>
      <section class="card entry-preview" aria-label=${t('rootExample.theCalendarEntry')}>
        <p class="soft">${icon('calendar-days')} ${t('rootExample.inSixCalendars')}</p>
        <div class="entry"><b>${meeting.title}</b><br><time datetime=${meeting.startTime}>${dateTime(meeting.startTime)}</time></div>
      </section>`;
  }
}
