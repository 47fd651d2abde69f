// The action items of a meeting.

import { ANY } from '../lib/access.js';
import { VALUES } from '../lib/openapi.js';
import { Removals } from '../lib/removals.js';
import { Act, List } from '../lib/state.js';
import { choice, closeAround, disclosure, field, form, html, menu, repeat, showList } from '../lib/ui.js';
import { label, personName } from '../lib/words.js';
import { DueDates } from './due-dates.js';
import { ItemStatus } from './item-status.js';
import { t } from '../lib/texts.js';

const { status: STATUSES } = VALUES.updateActionItem;

export class Items {
  constructor(app, board, params) {
    Object.assign(this, { app, board, params });
    this.list = new List((cursor) => app.api.page('listActionItems', { params, query: {}, cursor }), app.update);
    this.dues = new DueDates(app, board.id);
    this.adding = new Act(app.update);
    const ofItems = ['updateActionItem', 'deleteActionItem'].map((name) => [name, { ...params, actionItemId: ANY }]);
    this.actions = [['createActionItem', params], ...ofItems];
    this.resources = [this.list, this.dues.list];
    this.follows = [{ on: ['action_item'], read: this.list }, { on: ['due_date', 'action_item'], read: this.dues.list }];
    this.removals = new Removals(app);
    this.acts = new Map();
    this.status = new ItemStatus(app, (item) => this.#replace(item));
  }

  dispose() {
    this.removals.dispose();
  }

  #act(id) {
    if (!this.acts.has(id)) this.acts.set(id, new Act(this.app.update));
    return this.acts.get(id);
  }

  #replace(item) {
    this.list.replace(this.list.items.map((each) => (each._id === item._id ? { ...each, ...item } : each)));
  }

  render({ status }) {
    const of = { ...this.params, actionItemId: ANY };
    const may = { edit: this.board.may('updateActionItem', of), remove: this.board.may('deleteActionItem', of) };
    return html`
      ${this.dues.problem()}
      ${this.removals.render()}
      ${showList(this.list, t('common.theActionItems'), t('meetingItems.thereIsNoActionItem'), (items) => html`<ul class="rows">${repeat(this.dues.sorted(this.removals.without(items, ({ _id }) => _id)), ({ _id }) => _id, (item) => this.#row(item, may))}</ul>`)}
      ${this.mayAdd && status !== 'finalized' ? disclosure(t('meetingItems.addAnActionItem'), this.#form(this.adding, t('common.add'), (body, dueOn) => this.#add(body, dueOn))) : ''}`;
  }

  #row(item, may) {
    const assignee = item.assigneeUserId ? this.board.nameOf(item.assigneeUserId) : item.assigneeName;
    const edit = this.#act(item._id);
    return html`
      <li class="item ${item.status}">
        <div class="row">
          <span class="grow"><b>${item.title}</b> <span class="soft">${assignee ?? t('common.nobodyAssigned')}</span></span>
          ${this.dues.of(item)}
          ${this.status.render({ ...this.params, ...item }, may.edit)}
        ${may.edit || may.remove ? menu(item.title, html`${may.edit ? disclosure(t('common.edit'), this.#form(edit, t('common.save'), (body, dueOn) => this.#save(item, body, dueOn), item)) : ''}${may.remove ? html`<button type="button" class="danger" @click=${() => this.#remove(item)}>${t('common.delete')}</button>` : ''}`) : ''}
        </div>
      </li>`;
  }

  #form(act, button, submit, item = {}) {
    const id = (name) => `item-${item._id ?? 'new'}-${name}`;
    const people = this.board.members.items.map((member) => [member.userId, personName(member)]);
    return form({
      act, button, keep: Boolean(item._id),
      submit: async (values, target) => {
        const body = { title: values.title, assigneeUserId: values.assigneeUserId || null, assigneeName: values.assigneeName || null, status: values.status };
        await submit(body, values.dueOn);
        closeAround(target);
      },
      content: html`
        ${field('title', t('meetingItems.whatIsToBeDone'), { id: id('title'), value: item.title, required: true, of: 'createActionItem' })}
        <div class="pair">
          ${choice('assigneeUserId', t('common.who'), [['', t('meetingItems.nobody')], ...people], { id: id('who'), value: item.assigneeUserId ?? '' })}
          ${field('assigneeName', t('meetingItems.somebodyWithoutAnAccount'), { id: id('name'), value: item.assigneeName, of: 'createActionItem' })}
          ${field('dueOn', t('meetingItems.dueOn'), { id: id('due'), type: 'date', value: item._id ? this.dues.dayOf(item._id) : '', hint: t('meetingItems.thePersonIsRemindedTheDay') })}
          ${choice('status', t('common.status'), STATUSES.map((status) => [status, label(status)]), { id: id('status'), value: item.status ?? 'in_progress' })}
        </div>`,
    });
  }

  get mayAdd() {
    return this.board.may('createActionItem', this.params);
  }

  async #add(body, dueOn) {
    const item = await this.create(body);
    await this.dues.save({ ...this.params, actionItemId: item._id }, dueOn);
  }

  /** Creates an item, and returns it. */
  async create(body) {
    const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
    const item = await this.app.api.get('createActionItem', { params: this.params, body: given, key: this.adding.keyFor(given) });
    this.list.replace([...this.list.items, item]);
    return item;
  }

  async #save(item, body, dueOn) {
    const params = { ...this.params, actionItemId: item._id };
    this.#replace(await this.app.api.get('updateActionItem', { params, body }));
    await this.dues.save(params, dueOn);
  }

  #remove(item) {
    this.removals.begin(item._id, item.title, {
      send: () => this.app.api.call('deleteActionItem', { params: { ...this.params, actionItemId: item._id } }),
      done: () => this.list.replace(this.list.items.filter((each) => each._id !== item._id)),
    });
  }
}
