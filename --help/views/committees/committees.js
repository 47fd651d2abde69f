// Committees and their members.

import { ANY } from '../../lib/access.js';
import { Act, List } from '../../lib/state.js';
import { checks, closeAround, confirmButton, disclosure, field, form, html, menu, repeat, showList } from '../../lib/ui.js';
import { personName } from '../../lib/words.js';
import { t } from '../../lib/texts.js';

export class Committees {
  constructor(app, board) {
    Object.assign(this, { app, board, params: { boardId: board.id } });
    this.list = new List((cursor) => app.api.page('listCommittees', { params: this.params, query: { limit: 50 }, cursor }), app.update);
    this.creating = new Act(app.update);
    this.acts = new Map();
    this.actions = [['createCommittee', this.params], ...['updateCommittee', 'deleteCommittee'].map((name) => [name, { ...this.params, committeeId: ANY }])];
  }

  #act(id, what) {
    const key = `${id} ${what}`;
    if (!this.acts.has(key)) this.acts.set(key, new Act(this.app.update));
    return this.acts.get(key);
  }

  render() {
    const [mayCreate, mayEdit, mayDelete] = this.actions.map(([name, params]) => this.board.may(name, params));
    return html`
      <p class="soft">${t('committees.aCommitteesDocumentsAreSeenBy')}</p>
      ${showList(this.list, t('committees.theCommittees'), t('committees.thereIsNoCommittee'), (items) => html`<ul class="rows">${repeat(items, ({ id }) => id, (each) => this.#row(each, mayEdit, mayDelete))}</ul>`)}
      ${mayCreate ? disclosure(t('committees.newCommittee'), this.#form(this.creating, t('committees.create'), (body) => this.#create(body))) : ''}`;
  }

  #row(committee, mayEdit, mayDelete) {
    const names = committee.memberIds.map((id) => this.board.members.items.find((member) => member.id === id)).filter(Boolean).map(personName);
    const removing = this.#act(committee.id, 'remove');
    return html`
      <li><div class="row"><span class="grow"><b>${committee.name}</b> <span class="soft">${names.length ? names.join(', ') : t('committees.members', { number: committee.memberIds.length })}</span></span>
        ${mayEdit || mayDelete ? menu(committee.name, html`
          ${!mayEdit ? '' : disclosure(t('common.edit'), this.#form(this.#act(committee.id, 'edit'), t('common.save'), (body) => this.#save(committee, body), committee))}
          ${!mayDelete ? '' : confirmButton({ act: removing, text: t('common.delete'), yes: t('common.deleteName', { name: committee.name }), question: t('committees.theCommitteeIsDeletedItsMembers'), run: () => this.#remove(committee, removing) })}`) : ''}</div></li>`;
  }

  #form(act, button, submit, committee = {}) {
    const people = this.board.members.items.map((member) => [member.id, personName(member)]);
    return form({
      act, button, keep: Boolean(committee.id),
      submit: async ({ name, memberIds = [] }, target) => {
        await submit({ name, memberIds });
        closeAround(target);
      },
      content: html`${field('name', t('common.name'), { id: `committee-${committee.id ?? 'new'}`, value: committee.name, required: true, of: 'createCommittee' })}${checks('memberIds', t('common.members'), people, committee.memberIds)}`,
    });
  }

  async #create(body) {
    const created = await this.app.api.get('createCommittee', { params: this.params, body, key: this.creating.keyFor(body) });
    this.list.replace([created, ...this.list.items]);
  }

  async #save({ id }, body) {
    const changed = await this.app.api.get('updateCommittee', { params: { ...this.params, committeeId: id }, body });
    this.list.replace(this.list.items.map((each) => (each.id === id ? changed : each)));
  }

  async #remove({ id }, act) {
    const done = await act.run(() => this.app.api.call('deleteCommittee', { params: { ...this.params, committeeId: id } }));
    if (done) this.list.replace(this.list.items.filter((each) => each.id !== id));
  }
}
