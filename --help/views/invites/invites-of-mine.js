// The caller's invites over all boards: those that wait for an answer, and those that the caller sent.

import { List } from '../../lib/state.js';
import { html, pill, relativeTime, repeat, showList } from '../../lib/ui.js';
import { InvitesForMe } from './invites-for-me.js';
import { t } from '../../lib/texts.js';

const SENT = ['listMySentInvites'];

export class InvitesOfMine {
  constructor(app) {
    this.app = app;
    this.received = new InvitesForMe(app);
    this.sent = new List((cursor) => this.#page(cursor), app.update);
    this.resources = [this.received.list, this.sent];
    this.actions = [SENT, ...this.received.actions];
  }

  /** Tokens do not see what a person sent. */
  async #page(cursor) {
    await this.app.access.ask([SENT]);
    return this.app.access.may(...SENT) ? this.app.api.bareArray('listMySentInvites', { cursor }) : { items: [], next: null };
  }

  render() {
    return html`
      ${this.received.render()}
      ${showList(this.sent, t('invites.theInvites'), t('invites.youSentNone'), (items) => html`<ul class="rows">${repeat(items, ({ inviteId }) => inviteId, (invite) => this.#row(invite))}</ul>`)}`;
  }

  #row({ boardId, boardName, inviteeEmail, createdAt, status }) {
    return html`<li class="row"><span class="grow"><b>${inviteeEmail}</b> <span class="soft"><a href="/boards/${boardId}/invites">${boardName}</a> · ${relativeTime(createdAt)}</span></span>${pill(status)}</li>`;
  }
}
