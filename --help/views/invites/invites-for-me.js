// The invites that wait for the caller, and their answers.

import { ANY } from '../../lib/access.js';
import { Act, List } from '../../lib/state.js';
import { actProblem, confirmButton, html, nothing, problem, relativeTime, repeat } from '../../lib/ui.js';
import { personName, unescaped } from '../../lib/words.js';
import { t } from '../../lib/texts.js';

const ACCEPT = ['acceptInvite', { boardInviteId: ANY }];
const DECLINE = ['declineInvite', { boardInviteId: ANY }];

export class InvitesForMe {
  actions = [ACCEPT, DECLINE];

  constructor(app) {
    this.app = app;
    this.list = new List((cursor) => app.api.page('listMyReceivedInvites', { query: { limit: 50 }, cursor }), app.update, { isWhole: true });
    this.acts = new Map();
  }

  get isEmpty() {
    return !this.list.items.length;
  }

  render() {
    const { problem: found } = this.list;
    if (found && ![401, 403].includes(found.status)) return problem(found, () => this.list.reload());
    return this.isEmpty ? nothing : html`<ul class="rows waiting">${repeat(this.list.items, ({ inviteId }) => inviteId, (invite) => this.#row(invite))}</ul>`;
  }

  #act(id, what) {
    const key = `${id} ${what}`;
    if (!this.acts.has(key)) this.acts.set(key, new Act(this.app.update));
    return this.acts.get(key);
  }

  #row(invite) {
    const { inviteId, boardName, inviteMessage } = invite;
    const inviter = personName({ firstName: invite.inviterFirstName, lastName: invite.inviterLastName, email: invite.inviterEmail });
    const [accepting, declining] = [this.#act(inviteId, 'accept'), this.#act(inviteId, 'decline')];
    const { access } = this.app;
    return html`
      <li>
        <p>${t('invitesForMe.inviterInvitesYouToTheBoard', { b: (text) => html`<b>${text}</b>`, inviter, b2: (text) => html`<b>${text}</b>`, boardName })} <span class="soft">${relativeTime(invite.createdAt)}</span></p>
        ${inviteMessage ? html`<p class="quote">${unescaped(inviteMessage)}</p>` : nothing}
        <div class="row">
          ${access.may(...ACCEPT) ? html`<button type="button" class="primary" aria-label=${t('invitesForMe.acceptBoardname', { boardName })} ?disabled=${accepting.isBusy} @click=${() => this.#accept(invite, accepting)}>${t('common.accept')}</button>` : nothing}
          ${access.may(...DECLINE) ? confirmButton({ act: declining, text: t('common.decline'), yes: t('invitesForMe.declineTheInvite'), question: t('invitesForMe.toJoinBoardnameLaterYouNeed', { boardName }), run: () => this.#decline(invite, declining) }) : nothing}
        </div>
        ${actProblem(accepting)}
      </li>`;
  }

  #accept({ inviteId, boardId, boardName }, act) {
    return act.run(async () => {
      await this.app.api.call('acceptInvite', { params: { boardInviteId: inviteId } });
      this.app.say(t('invitesForMe.youAreNowAMemberOf', { boardName }));
      this.app.go(`/boards/${boardId}`);
    });
  }

  #decline({ inviteId }, act) {
    return act.run(async () => {
      await this.app.api.call('declineInvite', { params: { boardInviteId: inviteId } });
      this.list.replace(this.list.items.filter((each) => each.inviteId !== inviteId));
    });
  }
}
