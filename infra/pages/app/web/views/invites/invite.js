// The page that the link of an invitation opens: who invites to which board, and the invitee's answer.
// The link grants access: its query goes to our own API only and is never shown.

import { Act, Resource } from '../../lib/state.js';
import { actProblem, html, nothing, show } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';

const REFUSALS = () => ({
  403: t('invite.theInvitationWentToAnotherE'),
  409: t('invite.theBoardIsFullOrYou'),
});

export default (app, { inviteCode }) => new InviteView(app, inviteCode);

class InviteView {
  constructor(app, inviteCode) {
    Object.assign(this, { app, inviteCode, answer: null });
    const query = { i: new URLSearchParams(location.search).get('i') ?? '' };
    this.invite = new Resource(() => app.api.get('previewInvite', { params: { inviteCode }, query }), app.update);
    this.answering = new Act(app.update);
    this.resources = [this.invite];
  }

  title = () => (this.answer ? t('invite.invitationAnswered') : this.#isClosed ? t('invite.thisInvitationIsNoLongerOpen') : t('invite.invitation'));

  get #isClosed() {
    return this.invite.problem?.status === 404 || this.answering.problem?.status === 404;
  }

  render() {
    return html`<div class="narrow card">${this.#content()}</div>`;
  }

  #content() {
    if (this.#isClosed) return CLOSED;
    if (!this.invite.isReady) return html`<h1>${t('invite.invitation')}</h1>${show(this.invite, t('invite.yourInvitation'), () => nothing)}`;
    const { boardId, boardName } = this.invite.data;
    if (this.answer === 'acceptInvite') return html`<h1>${t('invite.youAreAMemberOfBoardname', { strong: (text) => html`<strong>${text}</strong>`, boardName })}</h1><p><a class="button primary" href="/boards/${boardId}">${t('invite.openTheBoard')}</a></p>`;
    if (this.answer) return html`<h1>${t('invite.youDeclinedTheInvitation')}</h1><p>${t('invite.youAreNotAMemberOf')}</p>`;
    return this.#open(this.invite.data);
  }

  #open({ boardName, inviterName }) {
    const isSignedIn = Boolean(this.app.session.token);
    const refusal = this.answering.problem;
    const signIn = html`<button type="button" class=${isSignedIn ? '' : 'primary'} @click=${() => this.app.signIn()}>${t('invite.signInToAnswer')}</button>`;
    return html`
      <p class="kicker">${t('invite.invitation')}</p>
      <h1>${t('invite.inviternameInvitesYouToTheBoard', { inviterName: inviterName ?? t('invite.aMember'), strong: (text) => html`<strong>${text}</strong>`, boardName })}</h1>
      <p class="row">
        ${isSignedIn ? html`
          <button type="button" class="primary" ?disabled=${this.answering.isBusy} @click=${() => this.#send('acceptInvite')}>${t('invite.acceptTheInvitation')}</button>
          <button type="button" ?disabled=${this.answering.isBusy} @click=${() => this.#send('declineInvite')}>${t('common.decline')}</button>
          ${refusal?.status === 403 ? signIn : nothing}` : signIn}
      </p>
      ${REFUSALS()[refusal?.status] ? html`<p class="problem" role="alert">${REFUSALS()[refusal.status]}</p>` : actProblem(this.answering)}
      <h2>${t('invite.howToAccept')}</h2>
      <ol>
        <li>${t('invite.signInToBoardGovernanceWith')}</li>
        <li>${t('invite.acceptOnThisPageOrJoin')}<br>
          <code class="mono" id="invite-code">${this.inviteCode}</code> <button type="button" class="small" @click=${() => this.#copy()}>${t('common.copy')}</button></li>
      </ol>
      <p class="soft">${t('invite.theCodeWorksForInvitedAddresses')}</p>`;
  }

  /** @param {'acceptInvite' | 'declineInvite'} answer */
  #send(answer) {
    return this.answering.run(async () => {
      await this.app.api.call(answer, { params: { boardInviteId: this.invite.data.inviteId } });
      this.answer = answer;
    });
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.inviteCode);
      this.app.say(t('common.copied'));
    } catch {
      getSelection().selectAllChildren(document.getElementById('invite-code'));
    }
  }
}

const CLOSED = html`
  <h1>${t('invite.thisInvitationIsNoLongerOpen')}</h1>
  <p>${t('invite.itWasAnsweredOrWithdrawnOr')}</p>
  <p class="soft">${t('invite.openTheLinkInTheE')}</p>`;
