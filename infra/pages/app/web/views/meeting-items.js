// The action items of a meeting.

import { ANY } from '../lib/access.js';
import { Act, List } from '../lib/state.js';
import { choice, closeAround, confirmButton, disclosure, field, form, html, repeat, showList } from '../lib/ui.js';
import { label, personName } from '../lib/words.js';
import { ItemStatus } from './item-status.js';

const STATUSES = ['in_progress', 'completed', 'cancelled'];

export class Items {
  constructor(app, board, params) {
    Object.assign(this, { app, board, params });
    this.list = new List((cursor) => app.api.page('listActionItems', { params, query: {}, cursor }), app.update);
    this.adding = new Act(app.update);
    this.acts = new Map();
    this.status = new ItemStatus(app, (item) => this.#replace(item));
  }

  #act(id) {
    if (!this.acts.has(id)) this.acts.set(id, { edit: new Act(this.app.update), remove: new Act(this.app.update) });
    return this.acts.get(id);
  }

  #replace(item) {
    this.list.replace(this.list.items.map((each) => (each._id === item._id ? { ...each, ...item } : each)));
  }

  render() {
    const of = { ...this.params, actionItemId: ANY };
    const may = { edit: this.board.may('updateActionItem', of), remove: this.board.may('deleteActionItem', of) };
    return html`
      ${showList(this.list, 'the action items', 'There is no action item.', (items) => html`<ul class="rows">${repeat(items, ({ _id }) => _id, (item) => this.#row(item, may))}</ul>`)}
      ${this.board.may('createActionItem', this.params) ? disclosure('Add an action item', this.#form(this.adding, 'Add', (body) => this.#add(body))) : ''}`;
  }

  #row(item, may) {
    const assignee = item.assigneeUserId ? this.board.nameOf(item.assigneeUserId) : item.assigneeName;
    const { edit, remove } = this.#act(item._id);
    return html`
      <li class="item ${item.status}">
        <div class="row">
          <span class="grow"><b>${item.title}</b> <span class="soft">${assignee ?? 'Nobody assigned'}</span></span>
          ${this.status.render({ ...this.params, ...item }, may.edit)}
        </div>
        <div class="row tools">
          ${may.edit ? disclosure('Edit', this.#form(edit, 'Save', (body) => this.#save(item, body), item)) : ''}
          ${may.remove ? confirmButton({ act: remove, text: 'Delete', yes: 'Delete', question: `Delete “${item.title}”?`, run: () => this.#remove(item, remove) }) : ''}
        </div>
      </li>`;
  }

  #form(act, button, submit, item = {}) {
    const id = (name) => `item-${item._id ?? 'new'}-${name}`;
    const people = this.board.members.items.map((member) => [member.userId, personName(member)]);
    return form({
      act, button, keep: Boolean(item._id),
      submit: async (values, target) => {
        await submit({ title: values.title, assigneeUserId: values.assigneeUserId || null, assigneeName: values.assigneeName || null, status: values.status });
        closeAround(target);
      },
      content: html`
        ${field('title', 'What is to be done', { id: id('title'), value: item.title, required: true, maxlength: 300 })}
        <div class="pair">
          ${choice('assigneeUserId', 'Who', [['', 'Nobody'], ...people], { id: id('who'), value: item.assigneeUserId ?? '' })}
          ${field('assigneeName', 'Somebody without an account', { id: id('name'), value: item.assigneeName, maxlength: 100 })}
          ${choice('status', 'Status', STATUSES.map((status) => [status, label(status)]), { id: id('status'), value: item.status ?? 'in_progress' })}
        </div>`,
    });
  }

  async #add(body) {
    const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
    const item = await this.app.api.get('createActionItem', { params: this.params, body: given, key: this.adding.keyFor(given) });
    this.list.replace([...this.list.items, item]);
  }

  async #save(item, body) {
    this.#replace(await this.app.api.get('updateActionItem', { params: { ...this.params, actionItemId: item._id }, body }));
  }

  async #remove(item, act) {
    const done = await act.run(() => this.app.api.call('deleteActionItem', { params: { ...this.params, actionItemId: item._id } }));
    if (done) this.list.replace(this.list.items.filter((each) => each._id !== item._id));
  }
}
