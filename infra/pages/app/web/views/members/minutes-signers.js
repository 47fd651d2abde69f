// Who signs the approved minutes of a board: members in their order, each once and in a role.

import { LIMITS } from '../../lib/openapi.js';
import { Act, Resource } from '../../lib/state.js';
import { closeAround, disclosure, form, html, live, longest, nothing, repeat, show } from '../../lib/ui.js';
import { personName } from '../../lib/words.js';
import { Ordering } from '../ordering.js';
import { t } from '../../lib/texts.js';

const { signers: MOST } = LIMITS.putMinutesSigners;

export class MinutesSigners {
  #typed = null;

  constructor(app, board) {
    Object.assign(this, { app, board, params: { boardId: board.id }, saving: new Act(app.update) });
    this.resource = new Resource(() => app.api.get('getMinutesSigners', { params: this.params }), app.update);
    this.ordering = new Ordering(app, { prefix: 'signer', list: () => this.#rows, set: (rows) => this.#change(rows), titleOf: ({ userId }) => board.nameOf(userId) });
    this.actions = [['putMinutesSigners', this.params]];
    this.follows = [{ on: ['minutes'], read: this.resource }];
  }

  render() {
    return show(this.resource, t('minutesSigners.theSigners'), ({ signers }) => html`
      <p class="soft">${t('minutesSigners.theySign')}</p>
      ${signers.length ? html`<ol>${signers.map(({ userId, role }) => html`<li><b>${this.board.nameOf(userId)}</b>, ${role}</li>`)}</ol>` : html`<p class="empty">${t('minutesSigners.nobodySigns')}</p>`}
      ${this.board.members.isReady && this.board.may('putMinutesSigners') ? disclosure(t('minutesSigners.chooseWhoSigns'), this.#form(), { id: 'choose-signers' }) : nothing}`);
  }

  /** The list as it is edited; each row has a `key` of its own. */
  get #rows() {
    return this.#typed ?? this.resource.data.signers.map((each, key) => ({ ...each, key }));
  }

  #change(rows) {
    this.#typed = rows;
    this.app.update();
  }

  #form() {
    const rows = this.#rows;
    const mayAdd = rows.length < Math.min(MOST, this.board.members.items.length);
    return form({
      act: this.saving, button: t('common.save'), keep: true, submit: (_values, target) => this.#save(target),
      content: html`
        <ol class="plain-list">${repeat(rows, ({ key }) => key, (row, index) => this.#row(row, index, rows))}</ol>
        ${mayAdd ? html`<p class="row"><button type="button" @click=${() => this.#add()}>${t('minutesSigners.addASigner')}</button></p>` : nothing}`,
    });
  }

  #row(row, index, rows) {
    const { key, userId, role } = row;
    const item = index + 1;
    const others = rows.filter((each) => each.key !== key);
    const people = this.board.members.items.filter((member) => !others.some((each) => each.userId === member.userId));
    const set = (name) => ({ target }) => this.#change(rows.map((each) => (each.key === key ? { ...each, [name]: target.value } : each)));
    return html`
      <li data-entry="signer-${key}" @keydown=${this.ordering.of(row, index).keydown}>
        <div class="pair">
          <div class="field"><label for="signer-${key}">${t('minutesSigners.signerNumber', { item })}</label>
            <select id="signer-${key}" required @change=${set('userId')}><option value="">${t('minutesSigners.chooseAMember')}</option>
              ${repeat(people, (member) => member.userId, (member) => html`<option value=${member.userId} ?selected=${member.userId === userId}>${personName(member)}</option>`)}</select></div>
          <div class="field"><label for="signer-role-${key}">${t('minutesSigners.signsAs')}</label>
            <input id="signer-role-${key}" required pattern=".*\\S.*" maxlength=${longest('putMinutesSigners', 'signers.role')} placeholder=${t('minutesSigners.forInstance')} .value=${live(role)} @input=${set('role')}></div>
        </div>
        <p class="row">${this.ordering.buttons(index)}
          <button type="button" class="small plain" aria-label=${t('minutesSigners.removeNumber', { item })} @click=${() => this.#change(others)}>${t('common.remove')}</button></p>
      </li>`;
  }

  #add() {
    const rows = this.#rows;
    const key = Math.max(-1, ...rows.map((each) => each.key)) + 1;
    this.#change([...rows, { key, userId: '', role: '' }]);
    this.ordering.focus(`#signer-${key}`);
  }

  async #save(target) {
    const body = { signers: this.#rows.map(({ userId, role }) => ({ userId, role: role.trim() })) };
    this.resource.set(await this.app.api.get('putMinutesSigners', { params: this.params, body }));
    this.#typed = null;
    closeAround(target);
  }
}
