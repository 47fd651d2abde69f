import { ANY } from '../../lib/access.js';
import { fieldSentence } from '../../lib/field-errors.js';
import { readInvitees, textOf } from '../../lib/people.js';
import { Problem, inWords } from '../../lib/problems.js';
import { Act, List, Resource, asProblem } from '../../lib/state.js';
import { actProblem, area, card, choice, confirmButton, form, html, menu, pill, relativeTime, repeat, show, showList } from '../../lib/ui.js';
import { personName, unescaped } from '../../lib/words.js';
import { InviteOffers } from './invite-offers.js';
import { accessChoice, positionChoice } from '../members/member-fields.js';
import { MissingName } from '../account/profile.js';
import { t } from '../../lib/texts.js';

const SEND = (boardInviteId) => ['sendInvite', { boardInviteId }];
const RETRACT = (boardInviteId) => ['retractInvite', { boardInviteId }];

export default (app) => new InvitesView(app, app.board);

class InvitesView {
  title = () => t('common.invites');

  constructor(app, board) {
    Object.assign(this, { app, board, params: { boardId: board.id } });
    this.invites = new List((cursor) => app.api.bareArray('listBoardInvites', { params: this.params, cursor }), app.update);
    this.code = new Resource(() => app.api.call('getInviteCode', { params: this.params }), app.update);
    for (const name of ['inviting', 'testing']) this[name] = new Act(app.update);
    this.acts = new Map();
    this.results = [];
    this.said = new Map();
    this.shown = 'pending';
    this.offers = new InviteOffers(app, board, this.shown);
    this.resources = [this.invites, this.offers.list, this.code];
    this.follows = [{ on: ['invite'], read: this.invites }, { on: ['unregistered_user'], read: board.unregistered }];
    this.asked = new Set();
    this.missingName = new MissingName(app);
    this.actions = [['createInvite', this.params], ['sendTestInvite', this.params], SEND(ANY), ...this.missingName.actions];
  }

  /** Whether the caller may send an invite or take it back is asked once its menu is opened: that differs from row to row. */
  #ask(inviteId) {
    if (this.asked.has(inviteId)) return;
    this.asked.add(inviteId);
    this.app.access.ask([SEND(inviteId), RETRACT(inviteId)]);
  }

  #mayWith(action, inviteId) {
    return this.asked.has(inviteId) && this.app.access.may(...action(inviteId));
  }

  #act(id, what) {
    const key = `${id} ${what}`;
    if (!this.acts.has(key)) this.acts.set(key, new Act(this.app.update));
    return this.acts.get(key);
  }

  render() {
    return html`
      <h1>${t('common.invites')}</h1>
      ${this.missingName.render()}
      ${this.board.may('createInvite') ? card(t('common.inviteSomebody'), this.#form()) : ''}
      ${card(t('invites.sent'), html`${this.offers.refusal}${showList(this.invites, t('invites.theInvites'), t('invites.nobodyHasBeenInvitedYet'), (items) => this.#list(items))}`, {
        aside: choice('shown', t('common.show'), [['pending', t('invites.pending')], ['', t('common.all')]], { value: this.shown, onChange: (event) => this.#show(event.target.value) }),
      })}
      ${card(t('common.inviteCode'), show(this.code, t('invites.theCode'), ({ inviteCode }) => this.#code(inviteCode)))}`;
  }

  #show(status) {
    this.shown = status;
    this.offers.show(status);
  }

  #form() {
    return html`${form({
      act: this.inviting, button: t('invites.invite'), submit: (values, target) => this.#invite(values, target), keep: true,
      content: html`
        ${area('addresses', t('invites.eMailAddresses'), { rows: 2, isRequired: true, hint: t('invites.oneOrSeveralPasteAList') })}
        ${accessChoice('collaborator', this.offers.isAdmin)}
        ${positionChoice(['board member'])}
        ${area('message', t('invites.personalMessage'), { of: 'createInvite' })}`,
    })}
    ${this.results.length ? html`<div role="status"><ul class="results">${this.results.map(([address, text, isRefused]) => html`<li class=${isRefused ? 'refused' : ''}><b>${address}</b> ${text}</li>`)}</ul></div>` : ''}
    <p class="row">
      ${this.board.may('sendTestInvite') ? html`<button type="button" class="plain small" ?disabled=${this.testing.isBusy} @click=${() => this.#test()}>${t('invites.sendTheMailToMeAs')}</button>` : ''}
    </p>${actProblem(this.testing)}`;
  }

  /** Invites one address after the other; each has its own result, and those that were refused stay in the form. */
  async #invite({ addresses, accessType, message, boardPositions }, target) {
    const wanted = readInvitees(addresses);
    if (!wanted.length) throw new Problem({ status: 400, message: t('invites.enterAnEMailAddress') });
    const body = { accessType, ...(message ? { message } : {}), ...(boardPositions.length ? { boardPositions } : {}) };
    this.results = [];
    const refused = [];
    for (const invitee of wanted) {
      const { email: inviteeEmail, firstName, lastName } = invitee;
      const names = { ...(firstName ? { inviteeFirstName: firstName } : {}), ...(lastName ? { inviteeLastName: lastName } : {}) };
      const result = await this.#inviteOne({ inviteeEmail, ...names, ...body });
      this.results.push([inviteeEmail, ...result]);
      if (result[1]) refused.push({ ...invitee, boardPositions: [] });
      this.app.update();
    }
    this.#show('pending');
    this.invites.reload();
    this.names?.reload();
    target.elements.addresses.value = textOf(refused);
    if (!refused.length) target.reset();
  }

  /** Returns what became of one invite, and whether it was refused. */
  async #inviteOne(body) {
    try {
      const { inviteId, deduped } = await this.app.api.call('createInvite', { params: this.params, body, key: this.inviting.keyFor(body) });
      return [await this.#deliver(inviteId, deduped ? t('invites.wasInvitedBefore') : t('invites.isInvited')), false];
    } catch (error) {
      const { status, fields } = asProblem(error);
      if ([0, 401].includes(status)) throw error;
      const rule = fields?.inviteeEmail;
      const { heading, text } = inWords(error);
      return [rule ? fieldSentence(rule) : `${heading} ${text}`, true];
    }
  }

  /** Sends the mail of a new invite where the caller may, and says so; the invite stands even if the mail does not go out. */
  async #deliver(inviteId, text) {
    if (!this.app.access.may(...SEND(ANY))) return `${text} ${t('invites.anAdminCanSendTheMail')}`;
    try {
      const { throttled } = await this.app.api.call('sendInvite', { params: { boardInviteId: inviteId } });
      return throttled ? `${text} ${t('invites.theMailWasNotSentAgain')}` : `${text} ${t('invites.theMailWasSent')}`;
    } catch {
      return `${text} ${t('invites.theMailCouldNotBeSent')}`;
    }
  }

  #test() {
    return this.testing.run(async () => {
      const { sentTo } = await this.app.api.call('sendTestInvite', { params: this.params });
      this.app.say(t('invites.aTestWasSentToSentto', { sentTo }));
    });
  }

  /** The names that pending invites give, which admins alone are told. */
  #nameOf({ inviteId }) {
    if (!this.offers.isAdmin) return '';
    this.names ??= new List((cursor) => this.app.api.page('listInviteNames', { params: this.params, query: { limit: 100 }, cursor }), this.app.update, { isWhole: true });
    const { firstName, lastName } = this.names.items.find((each) => each.inviteId === inviteId) ?? {};
    return [firstName, lastName].filter(Boolean).join(' ');
  }

  #list(items) {
    const shown = items.filter(({ status }) => !this.shown || status === this.shown);
    if (!shown.length) return html`<p class="empty">${t('invites.noInviteIsPending')}</p>`;
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
          <span class="grow"><b>${invite.inviteeEmail}</b> ${this.#nameOf(invite)} <span class="soft">${t('invites.invitedByInviterWhen', { inviter, when: relativeTime(invite.createdAt) })}</span></span>
          ${this.#comesBack(invite) ? html`<span class="pill warn">${t('invites.mailsComeBack')}</span>` : ''}
          ${this.offers.words(invite)}
          ${pill(status)}
          ${status === 'pending' && this.board.may('createInvite') ? menu(invite.inviteeEmail, this.#tools(invite, sending, taking), () => this.#ask(inviteId)) : ''}
        </div>
        ${this.said.has(inviteId) ? html`<p class="saved" role="status">${this.said.get(inviteId)}</p>` : ''}
        ${invite.inviteMessage ? html`<p class="quote">${unescaped(invite.inviteMessage)}</p>` : ''}
        ${actProblem(sending)}
      </li>`;
  }

  /** Whether mails to the address come back; known of the board's people without an account alone. */
  #comesBack({ status, inviteeEmail }) {
    return status === 'pending' && this.board.mailed.missed.some(({ email }) => email.toLowerCase() === inviteeEmail.toLowerCase());
  }

  #tools(invite, sending, taking) {
    const { inviteId, inviteeEmail } = invite;
    return html`
      ${this.#mayWith(SEND, inviteId) ? html`<button type="button" aria-label=${t('invites.sendTheMailToInviteeemail', { inviteeEmail })} ?disabled=${sending.isBusy} @click=${() => this.#send(invite, sending)}>${t('invites.send')}</button>` : ''}
      ${this.offers.form(invite)}
      ${this.#mayWith(RETRACT, inviteId) ? confirmButton({ act: taking, text: t('common.takeBack'), yes: t('invites.takeItBack'), question: t('invites.inviteeemailCanNoLongerJoinWith', { inviteeEmail }), run: () => this.#retract(invite, taking) }) : ''}`;
  }

  #send({ inviteId }, act) {
    return act.run(async () => {
      const { throttled, sentTo, throttleReason } = await this.app.api.call('sendInvite', { params: { boardInviteId: inviteId } });
      const why = throttleReason === 'per-invite' ? t('invites.atMostOneMailAnHour') : t('invites.atMostFiveMailsADay');
      this.said.set(inviteId, throttled ? t('invites.notSentWhy', { why }) : t('invites.sentToSentto', { sentTo }));
    });
  }

  async #retract({ inviteId }, act) {
    const done = await act.run(() => this.app.api.call('retractInvite', { params: { boardInviteId: inviteId } }));
    if (done) this.invites.replace(this.invites.items.map((each) => (each.inviteId === inviteId ? { ...each, status: 'retracted' } : each)));
  }

  #code(inviteCode) {
    const isOn = this.board.board.data?.inviteCodeEnabled;
    return html`<p>${isOn ? html`${t('invites.peopleYouInvitedCanJoinWith', { code: (text) => html`<code class="mono">${text}</code>`, inviteCode })}` : t('invites.theCodeIsSwitchedOffIn')}</p>
      <p class="soft">${t('invites.itWorksForInvitedAddressesOnly')}</p>`;
  }
}
