import { timeNow } from '../../lib/clock.js';
import { Resource } from '../../lib/state.js';
import { card, html, person, pill, relativeTime, show } from '../../lib/ui.js';
import { date, timeRange } from '../../lib/dates.js';
import { label, personName, position } from '../../lib/words.js';
import { newsLink } from '../notifications/notifications.js';
import { MissingName } from '../account/profile.js';
import { t } from '../../lib/texts.js';

const HOURS = 3_600_000;

export default (app) => new Overview(app, app.board);

class Overview {
  constructor(app, board) {
    Object.assign(this, { app, board });
    const params = { boardId: board.id };
    const startAfter = new Date(timeNow() - 12 * HOURS).toISOString();
    const soon = { startAfter, cancelled: 'false', sort: 'startTime', order: 'asc', limit: 10 };
    const undecided = { status: 'scheduled', cancelled: 'false', sort: 'startTime', order: 'asc', limit: 10 };
    this.upcoming = new Resource(() => app.api.page('listMeetings', { params, query: soon }), app.update);
    this.undated = new Resource(() => app.api.page('listMeetings', { params, query: undecided }), app.update);
    this.items = new Resource(() => app.api.bareArray('listBoardActionItems', { params }), app.update);
    this.reports = new Resource(() => app.api.page('listReports', { params, query: { limit: 10 } }), app.update);
    this.missingName = new MissingName(app);
    this.actions = [...['createInvite', 'createMeeting', 'createDocument'].map((name) => [name, params]), ...this.missingName.actions];
    this.resources = [this.upcoming, this.undated, this.items, this.reports];
    app.notifications;
  }

  title = () => this.board.board.data?.name ?? t('common.board');

  render() {
    const { data } = this.board.board;
    return html`
      <h1>${data?.name ?? t('common.board')}</h1>
      ${data?.description ? html`<p class="lead">${data.description}</p>` : ''}
      ${this.missingName.render()}
      ${this.#isEmpty ? this.#first() : ''}
      <div class="columns">
        ${card(t('common.nextMeeting'), show(this.upcoming, t('overview.theNextMeeting'), ({ items }) => this.#next(items)), { aside: this.#all('meetings') })}
        ${card(t('overview.newestReport'), show(this.reports, t('overview.theNewestReport'), ({ items }) => this.#newest(items)), { aside: this.#all('reports') })}
        ${card(t('overview.openActionItems'), show(this.items, t('common.theActionItems'), (page) => this.#open(page)), { aside: this.#all('action-items') })}
        ${this.app.caller.data?.authType === 'board_token' ? '' : card(t('common.whatIsNew'), this.#news(), { aside: html`<a href="/app/notifications">${t('common.all')}</a>` })}
        ${card(t('common.members'), show(this.board.members, t('common.theMembers'), ({ items }) => this.#members(items)), { aside: this.#all('members') })}
      </div>`;
  }

  /** Whether nothing has happened here yet: one member, no meeting, no report. */
  get #isEmpty() {
    const all = [this.upcoming, this.undated, this.reports];
    return all.every(({ data }) => data && !data.items.length) && this.board.members.isReady && this.board.members.items.length < 2;
  }

  /** What comes first on an empty board, as far as the caller may do it. */
  #first() {
    const steps = [['createInvite', 'invites', t('common.inviteSomebody')], ['createMeeting', 'meetings/new', t('overview.callAMeeting')], ['createDocument', 'documents', t('documents.addDocuments')]];
    const offered = steps.filter(([name]) => this.board.may(name));
    return offered.length ? card(t('overview.beginHere'), html`<p class="row">${offered.map(([, path, words], index) => html`<a class="button ${index ? '' : 'primary'}" href=${this.board.path(path)}>${words}</a>`)}</p>`) : '';
  }

  #all(section) {
    return html`<a href=${this.board.path(section)}>${t('common.all')}</a>`;
  }

  #next(items) {
    const now = timeNow();
    const isAhead = ({ status, startTime, endTime }) => ['scheduled', 'in_progress'].includes(status) && Date.parse(endTime ?? startTime) > now;
    const next = items.find(isAhead);
    const undated = (this.undated.data?.items ?? []).filter((meeting) => !meeting.startTime);
    return html`
      ${next ? html`
        <p class="big"><a href=${this.board.path('meetings', next.id)}>${next.title}</a></p>
        <p>${date(next.startTime)}, ${timeRange(next.startTime, next.endTime)} ${pill(next.status)}</p>
        ${next.location || next.locationType ? html`<p class="soft">${next.location ?? label(next.locationType)}</p>` : ''}` : html`<p class="empty">${t('common.noMeetingIsBooked')}</p>`}
      ${undated.length ? html`<p class="soft">${t('overview.lookingForATime')} ${undated.map((meeting, index) => html`${index ? ', ' : ''}<a href=${this.board.path('meetings', meeting.id)}>${meeting.title}</a>`)}</p>` : ''}`;
  }

  #newest(items) {
    const report = items.find(({ status }) => status !== 'draft') ?? items[0];
    if (!report) return html`<p class="empty">${t('common.thereIsNoReportYet')}</p>`;
    return html`
      <p class="big"><a href=${this.board.path('reports', report.id)}>${report.title}</a></p>
      <p>${pill(report.status)} <span class="soft">${report.publishedAt ? html`${t('common.publishedWhen', { when: relativeTime(report.publishedAt) })}` : html`${t('common.changedWhen', { when: relativeTime(report.updatedAt) })}`}</span></p>`;
  }

  #open({ items, next }) {
    const open = items.filter(({ status }) => status === 'in_progress');
    if (!open.length) return html`<p class="empty">${next ? t('overview.nothingIsOpenAmongTheFirst') : t('overview.nothingIsOpen')}</p>`;
    return html`
      <p class="big">${t(next ? 'overview.openOrMore' : 'overview.open', { number: open.length })}</p>
      <ul class="plain-list">${open.slice(0, 4).map((item) => html`<li><a href=${this.board.path('meetings', item.meetingId)}>${item.title}</a> <span class="soft">${item.meeting.title}</span></li>`)}</ul>`;
  }

  #news() {
    if (this.app.notifications.problem?.status === 403) return html`<p class="empty">${t('common.yourAccessTokenDoesNotInclude')}</p>`;
    return show(this.app.notifications, t('common.theNews'), (all) => {
      const here = all.filter((each) => each.boardId?._id === this.board.id).slice(0, 4);
      if (!here.length) return html`<p class="empty">${t('overview.nothingNewOnThisBoard')}</p>`;
      return html`<ul class="plain-list">${here.map((each) => html`<li class=${each.read ? '' : 'unread'}>${newsLink(this.app, each)} <span class="soft">${relativeTime(each.createdAt)}</span></li>`)}</ul>`;
    });
  }

  #members(items) {
    return html`
      <ul class="people">${items.slice(-8).reverse().map((member) => html`<li>${person(personName(member), position(member.boardPositions[0] ?? ''))}</li>`)}</ul>
      ${items.length > 8 ? html`<p class="soft">${t('overview.membersInAll', { number: items.length })}</p>` : ''}`;
  }
}
