import { Act } from '../../lib/state.js';
import { actProblem, avatar, html, relativeTime, repeat, show } from '../../lib/ui.js';
import { ANY } from '../../lib/access.js';
import { markRead } from '../../lib/news.js';
import { LINKS } from '../../lib/openapi.js';
import { personName } from '../../lib/words.js';
import { t } from '../../lib/texts.js';

const ACTIONS = {
  readAll: ['markAllNotificationsRead'], read: ['markNotificationRead', { notificationId: ANY }],
  remove: ['deleteNotification', { notificationId: ANY }], answer: ['acceptInvite', { boardInviteId: ANY }],
};

export default (app) => new NotificationsView(app);

/** The address of what a notification is about: the first path of its type whose fields it has; none for other types. */
export function addressOf(each) {
  const valueOf = (field) => each[field]?._id ?? each[field];
  const fieldsOf = (path) => [...path.matchAll(/\{(\w+)\}/g)].map(([, field]) => field);
  const path = (LINKS[each.type] ?? []).find((link) => fieldsOf(link).every(valueOf));
  return path?.replace(/\{(\w+)\}/g, (_, field) => valueOf(field)) ?? null;
}

/** A notification as a link to what it is about; opening it marks it as read. */
export function newsLink(app, each) {
  const address = addressOf(each);
  return address ? html`<a href=${address} @click=${() => each.read || markRead(app, each).catch(() => {})} @auxclick=${() => each.read || markRead(app, each).catch(() => {})}>${each.message}</a>` : html`<span>${each.message}</span>`;
}

class NotificationsView {
  title = () => t('common.notifications');

  constructor(app) {
    this.app = app;
    if (app.notifications.isReady) app.notifications.reload();
    this.all = app.notifications;
    this.readingAll = new Act(app.update);
    this.acts = new Map();
    this.answers = new Map();
    this.count = 50;
  }

  #act(id) {
    if (!this.acts.has(id)) this.acts.set(id, new Act(this.app.update));
    return this.acts.get(id);
  }

  actions = Object.values(ACTIONS);

  #may(what) {
    return this.app.access.may(...ACTIONS[what]);
  }

  render() {
    return html`
      <div class="row spread"><h1>${t('common.notifications')}</h1>
        ${this.#may('readAll') && this.all.data?.some(({ read }) => !read) ? html`<button type="button" ?disabled=${this.readingAll.isBusy} @click=${() => this.#readAll()}>${t('notifications.markAllAsRead')}</button>` : ''}</div>
      <p class="soft"><a href="/app/account">${t('notifications.chooseWhatYouAreToldAbout')}</a></p>
      ${actProblem(this.readingAll)}
      ${show(this.all, t('notifications.yourNotifications'), (items) => (items.length ? this.#list(items) : html`<p class="empty">${t('notifications.thereIsNothingNew')}</p>`))}`;
  }

  #list(items) {
    return html`
      <ul class="rows news">${repeat(items.slice(0, this.count), ({ _id }) => _id, (each) => this.#row(each))}</ul>
      ${items.length > this.count ? html`<p class="row"><button type="button" @click=${() => this.#more()}>${t('common.showMore')}</button></p>` : ''}`;
  }

  #more() {
    this.count += 50;
    this.app.update();
  }

  #row(each) {
    const act = this.#act(each._id);
    const actor = each.triggeringUserId ?? each.inviterId ?? each.acceptingUserId;
    return html`
      <li class=${each.read ? '' : 'unread'}>
        <div class="row">
          ${avatar(actor ? personName(actor) : (each.boardId?.name ?? 'Board Governance'))}
          <span class="grow">${each.read ? '' : html`<span class="hidden">${t('notifications.unread')} </span>`}${newsLink(this.app, each)}<br><span class="soft">${each.boardId?.name ? `${each.boardId.name} · ` : ''}${relativeTime(each.createdAt)}</span></span>
          ${this.#may('read') && !each.read ? html`<button type="button" class="small" ?disabled=${act.isBusy} @click=${() => this.#read(each, act)}>${t('notifications.markAsRead')}</button>` : ''}
          ${this.#may('remove') ? html`<button type="button" class="small plain" aria-label=${t('notifications.deleteMessage', { message: each.message })} ?disabled=${act.isBusy} @click=${() => this.#remove(each, act)}>${t('common.delete')}</button>` : ''}
        </div>
        ${each.type === 'board_invite' && each.inviteId && this.#may('answer') ? this.#invite(each, act) : ''}
        ${actProblem(act)}
      </li>`;
  }

  #invite(each, act) {
    const answer = this.answers.get(each._id);
    if (answer) return html`<p class="row">${answer}</p>`;
    return html`<p class="row">
      <button type="button" class="primary" ?disabled=${act.isBusy} @click=${() => this.#accept(each, act)}>${t('common.accept')}</button>
      <button type="button" ?disabled=${act.isBusy} @click=${() => this.#decline(each, act)}>${t('common.decline')}</button></p>`;
  }

  async #accept(each, act) {
    const done = await act.run(() => this.app.api.call('acceptInvite', { params: { boardInviteId: each.inviteId } }));
    if (done) this.#answered(each, html`${t('notifications.youAreNowAMemberOpen', { a: (text) => html`<a href="/boards/${each.boardId._id}">${text}</a>`, name: each.boardId.name })}`);
  }

  async #decline(each, act) {
    const done = await act.run(() => this.app.api.call('declineInvite', { params: { boardInviteId: each.inviteId } }));
    if (done) this.#answered(each, t('notifications.youDeclined'));
  }

  #answered(each, text) {
    this.answers.set(each._id, text);
    this.app.update();
  }

  #read(each, act) {
    return act.run(() => markRead(this.app, each));
  }

  #readAll() {
    return this.readingAll.run(async () => {
      await this.app.api.call('markAllNotificationsRead');
      this.all.set(this.all.data.map((each) => ({ ...each, read: true })));
    });
  }

  #remove(each, act) {
    return act.run(async () => {
      await this.app.api.call('deleteNotification', { params: { notificationId: each._id } });
      this.all.set(this.all.data.filter(({ _id }) => _id !== each._id));
    });
  }
}
