// Your meetings in your own calendar program: addresses to subscribe to.

import { ANY } from '../../lib/access.js';
import { Act, Resource } from '../../lib/state.js';
import { choice, closeAround, confirmButton, disclosure, field, form, html, nothing, relativeTime, repeat, show } from '../../lib/ui.js';
import { ShownOnce } from '../shown-once.js';
import { t } from '../../lib/texts.js';

const LIST = ['listCalendarFeeds'];
const CREATE = ['createCalendarFeed'];
const DELETE = ['deleteCalendarFeed', { feedId: ANY }];

export class Calendars {
  actions = [LIST, CREATE, DELETE];

  constructor(app) {
    this.app = app;
    this.feeds = new Resource(() => app.api.get('listCalendarFeeds'), app.update);
    this.boards = new Resource(() => app.api.page('listBoards', { query: { limit: 100 } }), app.update);
    this.address = new ShownOnce(app, 'feed-address');
    this.creating = new Act(app.update);
    this.acts = new Map();
    this.resources = [this.feeds, this.boards];
  }

  /** Whether there is anything to show: an access token that may only read has no calendars. */
  get isOffered() {
    return this.app.access.may(...LIST);
  }

  render() {
    const { access } = this.app;
    return html`
      <p class="soft">${t('calendarFeeds.subscribeToAnAddressInYour', { a: (text) => html`<a href="/docs/calendars.html">${text}</a>` })}</p>
      ${this.address.render()}
      ${show(this.feeds, t('calendarFeeds.yourCalendars'), (feeds) => (feeds.length ? html`<ul class="rows">${repeat(feeds, ({ id }) => id, (feed) => this.#row(feed))}</ul>` : html`<p class="empty">${t('calendarFeeds.thereIsNoCalendarYet')}</p>`))}
      ${access.may(...CREATE) ? disclosure(t('calendarFeeds.newCalendar'), this.#form()) : nothing}`;
  }

  #row(feed) {
    if (!this.acts.has(feed.id)) this.acts.set(feed.id, new Act(this.app.update));
    const act = this.acts.get(feed.id);
    const name = feed.name ?? this.#boardName(feed.boardId);
    return html`
      <li><div class="row">
        <span class="grow"><b>${name}</b> <span class="soft">${feed.name ? `${this.#boardName(feed.boardId)} · ` : ''}${feed.lastReadAt ? html`${t('calendarFeeds.readWhen', { when: relativeTime(feed.lastReadAt) })}` : t('calendarFeeds.notReadYet')}</span></span>
        ${this.app.access.may(...DELETE) ? confirmButton({ act, text: t('common.delete'), yes: t('calendarFeeds.deleteTheCalendar'), question: t('calendarFeeds.nameStopsWorkingAtOnceWherever', { name }), run: () => this.#remove(feed, act) }) : nothing}
      </div></li>`;
  }

  #boardName(boardId) {
    if (!boardId) return t('calendarFeeds.allYourBoards');
    return this.boards.data?.items.find(({ id }) => id === boardId)?.name ?? t('calendarFeeds.aBoard');
  }

  #form() {
    const boards = (this.boards.data?.items ?? []).map(({ id, name }) => [id, name]);
    return form({
      act: this.creating, button: t('calendarFeeds.createTheAddress'),
      submit: async ({ boardId, name }, target) => {
        const body = { ...(boardId ? { boardId } : {}), ...(name ? { name } : {}) };
        const { url, ...feed } = await this.app.api.get('createCalendarFeed', { body, key: this.creating.keyFor(body) });
        this.address.show(t('calendarFeeds.copyTheAddressIntoYourCalendar'), url);
        this.feeds.set([{ ...feed, url: null }, ...this.feeds.data]);
        closeAround(target);
      },
      content: html`<div class="pair">
        ${choice('boardId', t('calendarFeeds.meetingsOf'), [['', t('calendarFeeds.allYourBoards')], ...boards], { id: 'feed-board' })}
        ${field('name', t('common.name'), { id: 'feed-name', of: 'createCalendarFeed', hint: t('calendarFeeds.yourCalendarProgramShowsIt') })}</div>`,
    });
  }

  async #remove({ id }, act) {
    const done = await act.run(() => this.app.api.call('deleteCalendarFeed', { params: { feedId: id } }));
    if (done) this.feeds.set(this.feeds.data.filter((each) => each.id !== id));
  }
}
