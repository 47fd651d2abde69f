import { ANY } from '../lib/access.js';
import { Act, List, Resource } from '../lib/state.js';
import { actProblem, area, card, checks, choice, confirmButton, disclosure, field, form, html, moment, pill, repeat, show, showList } from '../lib/ui.js';
import { personName, position, unescaped } from '../lib/words.js';

const POSITIONS = [
  'observer', 'board member', 'board chair', 'ceo', 'cfo', 'company secretary', 'corporate lawyer', 'investor', 'management roles',
  'executive assistant', 'external consultant', 'it administrator', 'chief of staff', 'other',
];

const SEND = (boardInviteId) => ['sendInvite', { boardInviteId }];
const RETRACT = (boardInviteId) => ['retractInvite', { boardInviteId }];

export default (app) => new InvitesView(app, app.board);

class InvitesView {
  title = 'Invites';

  constructor(app, board) {
    Object.assign(this, { app, board, params: { boardId: board.id } });
    this.invites = new List((cursor) => this.#page(cursor), app.update);
    this.code = new Resource(() => app.api.call('getInviteCode', { params: this.params }), app.update);
    for (const name of ['inviting', 'testing']) this[name] = new Act(app.update);
    this.acts = new Map();
    this.said = new Map();
    this.shown = 'pending';
    this.resources = [this.invites, this.code];
    this.actions = [['createInvite', this.params], ['sendTestMail', this.params], SEND(ANY)];
  }

  /** Once the invites are shown, it is asked which of them the caller may send or take back. */
  async #page(cursor) {
    const page = await this.app.api.bareArray('listBoardInvites', { params: this.params, cursor });
    const open = page.items.filter(({ status }) => status === 'pending');
    this.app.access.ask(open.flatMap(({ inviteId }) => [SEND(inviteId), RETRACT(inviteId)]));
    return page;
  }

  #act(id, what) {
    const key = `${id} ${what}`;
    if (!this.acts.has(key)) this.acts.set(key, new Act(this.app.update));
    return this.acts.get(key);
  }

  render() {
    return html`
      <h1>Invites</h1>
      ${this.board.may('createInvite') ? card('Invite somebody', this.#form()) : ''}
      ${card('Sent', showList(this.invites, 'the invites', 'Nobody has been invited yet.', (items) => this.#list(items)), {
        aside: choice('shown', 'Show', [['pending', 'Pending'], ['', 'All']], { value: this.shown, onChange: (event) => this.#show(event.target.value) }),
      })}
      ${card('Invite code', show(this.code, 'the code', ({ inviteCode }) => this.#code(inviteCode)))}`;
  }

  #show(status) {
    this.shown = status;
    this.app.update();
  }

  #form() {
    return html`${form({
      act: this.inviting, button: 'Invite',
      submit: async ({ inviteeEmail, message, boardPositions }) => {
        const body = { inviteeEmail: inviteeEmail.trim(), ...(message ? { message } : {}), ...(boardPositions.length ? { boardPositions } : {}) };
        const { inviteId, deduped } = await this.app.api.call('createInvite', { params: this.params, body, key: this.inviting.keyFor(body) });
        await this.#deliver(inviteId, deduped ? 'This address was invited before.' : 'Invited.');
        this.shown = 'pending';
        this.invites.reload();
      },
      content: html`
        ${field('inviteeEmail', 'E-mail address', { type: 'email', required: true, maxlength: 254 })}
        ${area('message', 'Personal message', { maxlength: 500 })}
        ${disclosure('Positions', checks('boardPositions', 'Positions after joining', POSITIONS.map((each) => [each, position(each)]), ['observer']))}`,
    })}
    <p class="row">
      ${this.board.may('sendTestMail') ? html`<button type="button" class="plain small" ?disabled=${this.testing.isBusy} @click=${() => this.#test()}>Send the mail to me as a test</button>` : ''}
    </p>${actProblem(this.testing)}`;
  }

  /** Sends the mail of a new invite where the caller may; the invite stands even if the mail does not go out. */
  async #deliver(inviteId, text) {
    if (!this.app.access.may(...SEND(ANY))) return this.app.say(`${text} An admin can send the mail.`);
    try {
      const { throttled, sentTo } = await this.app.api.call('sendInvite', { params: { boardInviteId: inviteId } });
      this.app.say(throttled ? `${text} The mail was not sent again: one was sent a short while ago.` : `${text} The mail was sent to ${sentTo}.`);
    } catch {
      this.app.say(`${text} The mail could not be sent; try “Send” below.`);
    }
  }

  #test() {
    return this.testing.run(async () => {
      const { sentTo } = await this.app.api.call('sendTestMail', { params: this.params });
      this.app.say(`A test was sent to ${sentTo}.`);
    });
  }

  #list(items) {
    const shown = items.filter(({ status }) => !this.shown || status === this.shown);
    if (!shown.length) return html`<p class="empty">No invite is pending.</p>`;
    return html`<ul class="rows">${repeat(shown, ({ inviteId }) => inviteId, (invite) => this.#row(invite))}</ul>`;
  }

  #row(invite) {
    const inviter = personName({ firstName: invite.inviterFirstName, lastName: invite.inviterLastName, email: invite.inviterEmail });
    const { inviteId, status } = invite;
    const sending = this.#act(inviteId, 'send');
    const taking = this.#act(inviteId, 'retract');
    return html`
      <li>
        <div class="row">
          <span class="grow"><b>${invite.inviteeEmail}</b> <span class="soft">invited by ${inviter} ${moment(invite.createdAt)}</span></span>
          ${pill(status)}
        </div>
        ${invite.inviteMessage ? html`<p class="quote">${unescaped(invite.inviteMessage)}</p>` : ''}
        ${status === 'pending' ? html`<div class="row tools">
          ${this.app.access.may(...SEND(inviteId)) ? html`<button type="button" class="small" aria-label="Send the mail to ${invite.inviteeEmail}" ?disabled=${sending.isBusy} @click=${() => this.#send(invite, sending)}>Send</button>` : ''}
          ${this.app.access.may(...RETRACT(inviteId)) ? confirmButton({ act: taking, text: 'Take back', yes: 'Take it back', question: `${invite.inviteeEmail} can no longer join with it.`, run: () => this.#retract(invite, taking) }) : ''}
          ${this.said.has(inviteId) ? html`<span class="saved" role="status">${this.said.get(inviteId)}</span>` : ''}</div>` : ''}
        ${actProblem(sending)}
      </li>`;
  }

  #send({ inviteId }, act) {
    return act.run(async () => {
      const { throttled, sentTo, throttleReason } = await this.app.api.call('sendInvite', { params: { boardInviteId: inviteId } });
      const why = throttleReason === 'per-invite' ? 'At most one mail an hour is sent for an invite.' : 'At most five mails a day are sent to an address.';
      this.said.set(inviteId, throttled ? `Not sent: ${why}` : `Sent to ${sentTo}.`);
    });
  }

  async #retract({ inviteId }, act) {
    const done = await act.run(() => this.app.api.call('retractInvite', { params: { boardInviteId: inviteId } }));
    if (done) this.invites.replace(this.invites.items.map((each) => (each.inviteId === inviteId ? { ...each, status: 'retracted' } : each)));
  }

  #code(inviteCode) {
    const isOn = this.board.board.data?.inviteCodeEnabled;
    return html`<p>${isOn ? html`People you invited can join with this code: <code class="mono">${inviteCode}</code>` : 'The code is switched off in the settings.'}</p>
      <p class="soft">It works for invited addresses only.</p>`;
  }
}
