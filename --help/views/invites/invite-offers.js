// What the invites of a board offer, access and positions. Who invited, or an admin, changes it by inviting the address again.

import { Act, List } from '../../lib/state.js';
import { closeAround, disclosure, form, html, nothing, problem } from '../../lib/ui.js';
import { access, position } from '../../lib/words.js';
import { accessChoice, positionChoice } from '../members/member-fields.js';
import { t } from '../../lib/texts.js';

export class InviteOffers {
  constructor(app, board, status) {
    Object.assign(this, { app, board, status, params: { boardId: board.id } });
    this.list = new List((cursor) => this.#page(cursor), app.update, { isWhole: true });
    this.acts = new Map();
  }

  /** Only who may invite is told what invites offer: to others there is nothing to show. */
  async #page(cursor) {
    try {
      return await this.app.api.page('listBoardSentInvites', { params: this.params, query: { status: this.status, limit: 100 }, cursor });
    } catch (error) {
      if (error.status === 403) return { items: [], next: null };
      throw error;
    }
  }

  show(status) {
    this.status = status;
    return this.list.reload();
  }

  get isAdmin() {
    return ['owner', 'admin'].includes(this.board.member?.adminRole);
  }

  get refusal() {
    return this.list.problem ? problem(this.list.problem, () => this.list.reload()) : nothing;
  }

  #of({ inviteId }) {
    return this.list.items.find((offer) => offer.inviteId === inviteId);
  }

  #act({ inviteId }) {
    if (!this.acts.has(inviteId)) this.acts.set(inviteId, new Act(this.app.update));
    return this.acts.get(inviteId);
  }

  words(invite) {
    const offer = this.#of(invite);
    if (!offer) return nothing;
    return html`<span class="soft">${offer.boardPositions.map(position).join(', ')}</span> <span class="pill quiet">${access(offer.accessType)}</span>`;
  }

  /** An admin changes the access of any invite, but the positions only of their own. */
  form(invite) {
    const offer = this.#of(invite);
    const isOwn = offer?.inviterId === this.board.userId;
    if (!offer || !(isOwn || this.isAdmin) || !this.board.may('createInvite')) return nothing;
    return disclosure(t('common.edit'), form({
      act: this.#act(offer), button: t('common.save'), keep: true,
      submit: async (values, target) => {
        await this.change(offer, values);
        closeAround(target);
      },
      content: html`${accessChoice(offer.accessType, this.isAdmin)}${isOwn ? positionChoice(offer.boardPositions) : nothing}`,
    }));
  }

  /** Sends what was changed; what is left out stays as it is. */
  async change(offer, { accessType, boardPositions = offer.boardPositions }) {
    const changed = {
      ...(accessType === offer.accessType ? {} : { accessType }),
      ...(`${boardPositions}` === `${offer.boardPositions}` ? {} : { boardPositions }),
    };
    if (!Object.keys(changed).length) return;
    const body = { inviteeEmail: offer.inviteeEmail, ...changed };
    await this.app.api.call('createInvite', { params: this.params, body, key: this.#act(offer).keyFor(body) });
    this.list.replace(this.list.items.map((each) => (each.inviteId === offer.inviteId ? { ...each, ...changed } : each)));
  }
}
