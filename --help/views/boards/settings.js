import { Problem } from '../../lib/problems.js';
import { Act } from '../../lib/state.js';
import { actProblem, area, card, choice, confirmButton, field, form, html, nothing, pill, show } from '../../lib/ui.js';
import { personName } from '../../lib/words.js';
import { exportsOfBoard } from '../exports/exports.js';
import { t } from '../../lib/texts.js';

export default (app) => new SettingsView(app, app.board);

class SettingsView {
  title = () => t('common.settings');

  constructor(app, board) {
    Object.assign(this, { app, board });
    for (const name of ['saving', 'switching', 'transferring', 'deleting']) this[name] = new Act(app.update);
    this.params = { boardId: board.id };
    this.newOwner = '';
    this.exports = exportsOfBoard(app, board.id);
    this.actions = [['transferBoardOwnership', this.params], ...this.exports.actions];
    this.resources = this.exports.resources;
  }

  render() {
    return html`<h1>${t('common.settings')}</h1>${show(this.board.board, t('common.theBoard'), (board) => html`
      ${card(t('common.board'), this.#form(board))}
      ${this.board.may('updateBoard') ? card(t('common.inviteCode'), this.#code(board)) : ''}
      ${this.exports.isOffered ? card(t('exports.export'), this.exports.render(t('exports.ofTheBoard'))) : ''}
      ${this.board.may('transferBoardOwnership') ? card(t('settings.ownership'), this.#transfer()) : ''}
      ${this.board.may('deleteBoard') ? card(t('settings.deleteTheBoard'), this.#delete(board)) : ''}`)}`;
  }

  #form(board) {
    if (!this.board.may('updateBoard')) return html`<p>${board.description ?? ''}</p>`;
    return html`<p>${t('settings.subscription')} ${pill(board.billingState, 'quiet')}</p>${form({
      act: this.saving, button: t('common.save'), keep: true,
      submit: async ({ name, description }) => {
        await this.#update({ name, description: description || null });
        this.app.say(t('common.saved'));
      },
      content: html`${field('name', t('common.name'), { value: board.name, required: true, of: 'updateBoard' })}${area('description', t('common.description'), { value: board.description, of: 'updateBoard' })}`,
    })}`;
  }

  async #update(body) {
    this.board.board.set(await this.app.api.get('updateBoard', { params: this.params, body }));
  }

  #code(board) {
    const to = !board.inviteCodeEnabled;
    return html`
      <p>${board.inviteCodeEnabled ? t('settings.invitedPeopleCanJoinWithThe') : t('settings.theCodeIsSwitchedOffInvited')}</p>
      <button type="button" ?disabled=${this.switching.isBusy} @click=${() => this.switching.run(() => this.#update({ inviteCodeEnabled: to }))}>${to ? t('settings.switchTheCodeOn') : t('settings.switchTheCodeOff')}</button>
      ${actProblem(this.switching)}`;
  }

  #transfer() {
    const others = this.board.members.items.filter(({ adminRole }) => adminRole !== 'owner');
    if (!others.length) return html`<p class="empty">${t('settings.nobodyElseIsOnTheBoard')}</p>`;
    const chosen = others.find(({ id }) => id === this.newOwner);
    const choose = (event) => {
      this.newOwner = event.target.value;
      this.app.update();
    };
    return html`
      ${choice('memberId', t('settings.newOwner'), [['', t('settings.chooseAMember')], ...others.map((member) => [member.id, personName(member)])], { value: this.newOwner, onChange: choose })}
      <p class="soft">${t('settings.youStayOnTheBoardAs')}</p>
      ${chosen ? form({
        act: this.transferring, button: t('settings.makeNameTheOwner', { name: personName(chosen) }), submit: ({ name }) => this.#transferTo(chosen, name),
        content: field('name', t('settings.typeTheNameOfTheNew', { name: personName(chosen) }), { id: 'new-owner-name', required: true }),
      }) : nothing}`;
  }

  async #transferTo(member, name) {
    if (name.trim().toLowerCase() !== personName(member).toLowerCase()) throw new Problem({ status: 400, message: t('settings.thisIsNotTheNameOf', { name: personName(member) }) });
    const body = { memberId: member.id };
    await this.app.api.call('transferBoardOwnership', { params: this.params, body, key: this.transferring.keyFor(body) });
    this.newOwner = '';
    this.app.say(t('settings.theOwnershipWasTransferredYouAre'));
    this.board.resources.forEach((each) => each.reload());
  }

  #delete(board) {
    return html`<p>${t('settings.thisDeletesEverythingOnTheBoard')}</p>${confirmButton({
      act: this.deleting, text: t('common.delete'), yes: t('common.deleteName', { name: board.name }), question: t('settings.deleteNameWithAllMeetingsDocuments', { name: board.name }),
      run: () => this.deleting.run(async () => {
        await this.app.api.call('deleteBoard', { params: this.params });
        this.app.say(t('settings.theBoardWasDeleted'));
        this.app.go('/boards', { replace: true });
      }),
    })}`;
  }
}
