// What waits for the caller on all of their boards. The boards are asked first; what is on each comes as it is read.

import { ANY } from '../../lib/access.js';
import { date, dateTime, timeRange } from '../../lib/dates.js';
import { Act, Resource } from '../../lib/state.js';
import { actProblem, card, html, nothing, pill, problem, relativeTime, show } from '../../lib/ui.js';
import { label, titled } from '../../lib/words.js';
import { ExampleBoard } from './example-board.js';
import { BoardForYou } from './for-you-board.js';
import { InvitesForMe } from '../invites/invites-for-me.js';
import { ANSWERS } from '../meetings/meeting-rsvps.js';
import { MyItems } from '../action_items/my-items-list.js';
import { newsLink } from '../notifications/notifications.js';
import { MissingName } from '../account/profile.js';
import { t } from '../../lib/texts.js';

const MOST_BOARDS = 10;
const MOST_NEWS = 6;
const VOTE = ({ id }) => ['voteOnSlot', { boardId: id, meetingId: ANY, slotId: ANY }];

export default (app) => new ForYouView(app);

class ForYouView {
  title = () => t('common.forYou');

  constructor(app) {
    this.app = app;
    this.looks = [];
    this.acts = new Map();
    this.boards = new Resource(() => this.#readBoards(), app.update);
    this.items = new MyItems(app, { includeCompleted: false });
    this.invites = new InvitesForMe(app);
    this.example = new ExampleBoard(app);
    this.resources = [this.boards, this.items.list, this.invites.list];
    this.missingName = new MissingName(app);
    this.actions = [...this.invites.actions, ...this.example.actions, ...this.missingName.actions];
    app.notifications;
  }

  /** Who the caller is must be known before it can be said what waits for them; the token of a board is of no person. */
  async #readBoards() {
    const [listed] = await Promise.allSettled([this.app.api.page('listBoards', { query: { limit: 50 } }), this.app.caller.loaded]);
    if (this.app.caller.data?.authType === 'board_token') {
      this.app.go('/boards', { replace: true });
      return { items: [], hasMore: false };
    }
    if (listed.status === 'rejected') throw listed.reason;
    const { items, next } = listed.value;
    this.looks = items.slice(0, MOST_BOARDS).map((board) => new BoardForYou(this.app, board));
    this.app.access.ask(this.looks.map(({ board }) => VOTE(board)));
    return { items, hasMore: Boolean(next) };
  }

  /** What the boards have of one kind, with the board of each, as far as it is read. */
  #of(kind) {
    return this.looks.flatMap(({ board, resource }) => (resource.data?.[kind] ?? []).map((each) => ({ board, ...each })));
  }

  render() {
    return html`<h1>${t('common.forYou')}</h1>${this.missingName.render()}${this.invites.render()}${show(this.boards, t('forYou.whatWaitsForYou'), ({ items }) => (items.length ? this.#all(items) : this.#none()))}`;
  }

  #none() {
    return html`
      ${this.invites.isEmpty ? html`<p>${t('forYou.youAreOnNoBoardYet')}</p>` : nothing}
      <p class="row"><a class="button" href="/boards">${t('forYou.createOrJoinABoard')}</a></p>
      ${this.example.render()}`;
  }

  #all(boards) {
    const votes = this.#of('votes').filter(({ board }) => this.app.access.may(...VOTE(board)));
    const answers = this.#of('answers');
    const ballots = this.#of('ballots');
    const failed = this.looks.filter(({ resource }) => resource.problem);
    return html`
      ${failed.map(({ board, resource }) => html`<p>${board.name}</p>${problem(resource.problem, () => resource.reload())}`)}
      ${this.#isLooking ? html`<p class="loading" role="status">${t('forYou.lookingAtYourBoards')}</p>` : nothing}
      <div class="home">
        <div>
          ${ballots.length ? card(t('forYou.ballotsToCast', { number: ballots.length }), html`<ul class="rows">${ballots.map((each) => this.#ballot(each))}</ul>`) : nothing}
          ${votes.length ? card(t('forYou.votesToGive', { number: votes.length }), html`<ul class="rows">${votes.map((each) => this.#vote(each))}</ul>`) : nothing}
          ${answers.length ? card(t('forYou.answersDue', { number: answers.length }), html`<ul class="rows">${answers.map((each) => this.#answer(each))}</ul>`) : nothing}
          ${card(t('forYou.myItems'), this.items.render(5), { aside: html`<a href="/app/action-items">${t('common.all')}</a>` })}
        </div>
        <div>
          ${card(t('common.nextMeeting'), this.#next())}
          ${card(t('common.whatIsNew'), this.#news(), { aside: html`<a href="/app/notifications">${t('common.all')}</a>` })}
          ${card(t('common.yourBoards'), html`<ul class="plain-list">${boards.map(({ id, name, myRole }) => html`<li class="row spread"><a href="/boards/${id}">${name}</a>${pill(myRole, 'quiet')}</li>`)}</ul>`, { aside: html`<a href="/boards">${t('common.all')}</a>` })}
        </div>
      </div>
      ${boards.length > MOST_BOARDS ? html`<p class="soft">${t('forYou.votesAnswersAndMeetingsAreThose', { number: MOST_BOARDS })}</p>` : nothing}`;
  }

  get #isLooking() {
    return this.looks.some(({ resource }) => resource.isLoading);
  }

  #path(board, meeting) {
    return `/boards/${board.id}/meetings/${meeting.id}`;
  }

  #vote({ board, meeting, closesAt, times }) {
    return html`
      <li><a class="row-link" href=${this.#path(board, meeting)}>
        <span class="grow"><b>${meeting.title}</b> <span class="soft">${board.name} · ${t('common.times', { number: times })}</span></span>
        ${closesAt ? html`<span class="pill warn" title=${dateTime(closesAt)}>${t('common.untilDate', { date: date(closesAt) })}</span>` : nothing}
      </a></li>`;
  }

  #ballot({ board, resolution }) {
    return html`
      <li><a class="row-link" href="/boards/${board.id}/resolutions/${resolution.id}">
        <span class="grow"><b>${titled(resolution)}</b> <span class="soft">${board.name}</span></span>
        ${resolution.closesAt ? html`<span class="pill warn" title=${dateTime(resolution.closesAt)}>${t('common.untilDate', { date: date(resolution.closesAt) })}</span>` : nothing}
      </a></li>`;
  }

  #answer({ board, meeting }) {
    if (!this.acts.has(meeting.id)) this.acts.set(meeting.id, new Act(this.app.update));
    const act = this.acts.get(meeting.id);
    return html`
      <li>
        <p><a href=${this.#path(board, meeting)}><b>${meeting.title}</b></a> <span class="soft">${board.name} · ${date(meeting.startTime)}, ${timeRange(meeting.startTime, meeting.endTime)}</span></p>
        <div class="row" role="group" aria-label=${t('forYou.yourAnswerTitle', { title: meeting.title })}>${Object.entries(ANSWERS()).map(([status, words]) => html`
          <button type="button" class="small" ?disabled=${act.isBusy} @click=${() => this.#send(board, meeting, status, act)}>${words}</button>`)}</div>
        ${actProblem(act)}
      </li>`;
  }

  #send(board, meeting, status, act) {
    return act.run(async () => {
      await this.app.api.get('putMyRsvp', { params: { boardId: board.id, meetingId: meeting.id }, body: { status, comment: null } });
      const { resource } = this.looks.find((look) => look.board === board);
      resource.set({ ...resource.data, answers: resource.data.answers.filter((each) => each.meeting !== meeting) });
      this.app.say(t('forYou.yourAnswerWasKept'));
    });
  }

  #next() {
    const found = this.looks.flatMap(({ board, resource }) => (resource.data?.next ? [{ board, ...resource.data.next }] : []));
    if (!found.length) return html`<p class="empty">${this.#isLooking ? '…' : t('common.noMeetingIsBooked')}</p>`;
    const { board, meeting, papers } = found.reduce((one, other) => (Date.parse(one.meeting.startTime) <= Date.parse(other.meeting.startTime) ? one : other));
    const place = [meeting.location, label(meeting.locationType)].filter(Boolean).join(' · ');
    return html`
      <p class="big"><a href=${this.#path(board, meeting)}>${meeting.title}</a></p>
      <p>${date(meeting.startTime)}, ${timeRange(meeting.startTime, meeting.endTime)} (${relativeTime(meeting.startTime)})<br><span class="soft">${[board.name, place].filter(Boolean).join(' · ')}</span></p>
      <p class="soft">${papers ? t('forYou.documentsToRead', { number: papers }) : t('forYou.nothingIsOnItsAgendaYet')} ${this.#of('answers').some((each) => each.meeting === meeting) ? t('forYou.yourAnswerIsMissing') : ''}</p>`;
  }

  #news() {
    const { notifications } = this.app;
    if (notifications.problem?.status === 403) return html`<p class="empty">${t('common.yourAccessTokenDoesNotInclude')}</p>`;
    return show(notifications, t('common.theNews'), (all) => {
      const news = all.filter(({ read }) => !read).slice(0, MOST_NEWS);
      if (!news.length) return html`<p class="empty">${t('forYou.youHaveSeenEverything')}</p>`;
      return html`<ul class="plain-list">${news.map((each) => html`<li class="unread">${newsLink(this.app, each)} <span class="soft">${each.boardId?.name ? `${each.boardId.name} · ` : ''}${relativeTime(each.createdAt)}</span></li>`)}</ul>`;
    });
  }
}
