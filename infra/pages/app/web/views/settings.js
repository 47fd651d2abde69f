import { Act } from '../lib/state.js';
import { actProblem, area, card, choice, confirmButton, field, form, html, pill, show } from '../lib/ui.js';
import { personName } from '../lib/words.js';

export default (app) => new SettingsView(app, app.board);

class SettingsView {
  title = 'Settings';

  constructor(app, board) {
    Object.assign(this, { app, board });
    for (const name of ['saving', 'switching', 'transferring', 'deleting']) this[name] = new Act(app.update);
    this.params = { boardId: board.id };
    this.actions = [['transferOwnership', this.params]];
  }

  render() {
    return html`<h1>Settings</h1>${show(this.board.board, 'the board', (board) => html`
      ${card('Board', this.#form(board))}
      ${this.board.may('updateBoard') ? card('Invite code', this.#code(board)) : ''}
      ${this.board.may('transferOwnership') ? card('Ownership', this.#transfer()) : ''}
      ${this.board.may('deleteBoard') ? card('Delete the board', this.#delete(board)) : ''}`)}`;
  }

  #form(board) {
    if (!this.board.may('updateBoard')) return html`<p>${board.description ?? ''}</p>`;
    return html`<p>Subscription: ${pill(board.billingState, 'quiet')}</p>${form({
      act: this.saving, button: 'Save', keep: true,
      submit: async ({ name, description }) => {
        await this.#update({ name, description: description || null });
        this.app.say('Saved.');
      },
      content: html`${field('name', 'Name', { value: board.name, required: true, maxlength: 120 })}${area('description', 'Description', { value: board.description, maxlength: 2000 })}`,
    })}`;
  }

  async #update(body) {
    this.board.board.set(await this.app.api.get('updateBoard', { params: this.params, body }));
  }

  #code(board) {
    const to = !board.inviteCodeEnabled;
    return html`
      <p>${board.inviteCodeEnabled ? 'Invited people can join with the board’s code.' : 'The code is switched off: invited people join from their invitation only.'}</p>
      <button type="button" ?disabled=${this.switching.isBusy} @click=${() => this.switching.run(() => this.#update({ inviteCodeEnabled: to }))}>${to ? 'Switch the code on' : 'Switch the code off'}</button>
      ${actProblem(this.switching)}`;
  }

  #transfer() {
    const others = this.board.members.items.filter(({ adminRole }) => adminRole !== 'owner');
    if (!others.length) return html`<p class="empty">Nobody else is on the board.</p>`;
    return form({
      act: this.transferring, button: 'Transfer the ownership',
      submit: async ({ memberId }) => {
        const body = { memberId };
        await this.app.api.call('transferOwnership', { params: this.params, body, key: this.transferring.keyFor(body) });
        this.app.say('The ownership was transferred. You are an admin now.');
        this.board.resources.forEach((each) => each.reload());
      },
      content: html`${choice('memberId', 'New owner', others.map((member) => [member.id, personName(member)]))}<p class="soft">You stay on the board as an admin. Only the new owner can give it back.</p>`,
    });
  }

  #delete(board) {
    return html`<p>This deletes everything on the board at once.</p>${confirmButton({
      act: this.deleting, text: 'Delete', yes: `Delete ${board.name}`, question: `Delete ${board.name} with all meetings, documents and reports? This cannot be undone.`,
      run: () => this.deleting.run(async () => {
        await this.app.api.call('deleteBoard', { params: this.params });
        this.app.say('The board was deleted.');
        this.app.go('/boards', { replace: true });
      }),
    })}`;
  }
}
