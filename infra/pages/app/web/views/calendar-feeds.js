// Your meetings in your own calendar program: addresses to subscribe to, and invitations by mail.

import { ANY } from '../lib/access.js';
import { Act, Resource } from '../lib/state.js';
import { actProblem, choice, closeAround, confirmButton, disclosure, field, form, html, live, moment, nothing, repeat, show } from '../lib/ui.js';
import { ShownOnce } from './shown-once.js';

const LIST = ['listCalendarFeeds'];
const CREATE = ['createCalendarFeed'];
const DELETE = ['deleteCalendarFeed', { feedId: ANY }];
const INVITE = ['putCalendarSettings'];

export class Calendars {
  actions = [LIST, CREATE, DELETE, INVITE];

  constructor(app) {
    this.app = app;
    this.feeds = new Resource(() => app.api.get('listCalendarFeeds'), app.update);
    this.settings = new Resource(() => app.api.get('getCalendarSettings'), app.update);
    this.boards = new Resource(() => app.api.page('listBoards', { query: { limit: 100 } }), app.update);
    this.address = new ShownOnce(app, 'feed-address');
    this.creating = new Act(app.update);
    this.switching = new Act(app.update);
    this.acts = new Map();
    this.resources = [this.feeds, this.settings, this.boards];
  }

  /** Whether there is anything to show: an access token that may only read has no calendars. */
  get isOffered() {
    return this.app.access.may(...LIST);
  }

  render() {
    const { access } = this.app;
    return html`
      <p class="soft">Subscribe to an address in your calendar program: the meetings that you may see appear there and stay up to date. Anyone who has the address can read them. <a href="/docs/calendars.html">How to subscribe</a></p>
      ${this.address.render()}
      ${show(this.feeds, 'your calendars', (feeds) => (feeds.length ? html`<ul class="rows">${repeat(feeds, ({ id }) => id, (feed) => this.#row(feed))}</ul>` : html`<p class="empty">There is no calendar yet.</p>`))}
      ${access.may(...CREATE) ? disclosure('New calendar', this.#form()) : nothing}
      ${show(this.settings, 'your choice', ({ invitations }) => this.#invitations(invitations, access.may(...INVITE)))}`;
  }

  #row(feed) {
    if (!this.acts.has(feed.id)) this.acts.set(feed.id, new Act(this.app.update));
    const act = this.acts.get(feed.id);
    const name = feed.name ?? this.#boardName(feed.boardId);
    return html`
      <li><div class="row">
        <span class="grow"><b>${name}</b> <span class="soft">${feed.name ? `${this.#boardName(feed.boardId)} · ` : ''}${feed.lastReadAt ? html`read ${moment(feed.lastReadAt)}` : 'not read yet'}</span></span>
        ${this.app.access.may(...DELETE) ? confirmButton({ act, text: 'Delete', yes: 'Delete the calendar', question: `“${name}” stops working at once wherever it is subscribed to.`, run: () => this.#remove(feed, act) }) : nothing}
      </div></li>`;
  }

  #boardName(boardId) {
    if (!boardId) return 'All your boards';
    return this.boards.data?.items.find(({ id }) => id === boardId)?.name ?? 'A board';
  }

  #form() {
    const boards = (this.boards.data?.items ?? []).map(({ id, name }) => [id, name]);
    return form({
      act: this.creating, button: 'Create the address',
      submit: async ({ boardId, name }, target) => {
        const body = { ...(boardId ? { boardId } : {}), ...(name ? { name } : {}) };
        const { url, ...feed } = await this.app.api.get('createCalendarFeed', { body, key: this.creating.keyFor(body) });
        this.address.show('Copy the address into your calendar program.', url);
        this.feeds.set([{ ...feed, url: null }, ...this.feeds.data]);
        closeAround(target);
      },
      content: html`<div class="pair">
        ${choice('boardId', 'Meetings of', [['', 'All your boards'], ...boards], { id: 'feed-board' })}
        ${field('name', 'Name', { id: 'feed-name', maxlength: 80, hint: 'Your calendar program shows it.' })}</div>`,
    });
  }

  async #remove({ id }, act) {
    const done = await act.run(() => this.app.api.call('deleteCalendarFeed', { params: { feedId: id } }));
    if (done) this.feeds.set(this.feeds.data.filter((each) => each.id !== id));
  }

  #invitations(isOn, mayChange) {
    return html`
      <p><label class="inline"><input type="checkbox" id="calendar-invitations" .checked=${live(isOn)} ?disabled=${!mayChange || this.switching.isBusy} @change=${(event) => this.#invite(event.target.checked)}>
        Mail me each meeting as an invitation that my calendar program can answer</label></p>
      ${actProblem(this.switching)}`;
  }

  #invite(invitations) {
    return this.switching.run(async () => {
      this.settings.set(await this.app.api.get('putCalendarSettings', { body: { invitations } }));
    });
  }
}
