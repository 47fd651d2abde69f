// The action items of a meeting.

import { ANY } from '../../lib/access.js';
import { VALUES } from '../../lib/openapi.js';
import { Removals } from '../../lib/removals.js';
import { Act, List } from '../../lib/state.js';
import { choice, closeAround, disclosure, field, form, html, menu, repeat, showList } from '../../lib/ui.js';
import { label } from '../../lib/words.js';
import { DueDates } from './due-dates.js';
import { ItemStatus } from './item-status.js';
import { ELSE, personChoice, personOf, valueOf } from '../members/person-choice.js';
import { t } from '../../lib/texts.js';

const { status: STATUSES } = VALUES.updateActionItem;

export class Items {
  constructor(app, board, params) {
    Object.assign(this, { app, board, params });
    this.list = new List((cursor) => app.api.page('listMeetingActionItems', { params, query: {}, cursor }), app.update);
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
      ${this.mayAdd && status !== 'finalized' ? disclosure(t('meetingItems.addAnActionItem'), this.#form(this.adding, t('common.add'), (body, who, dueOn) => this.#add(body, who, dueOn))) : ''}`;
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
        ${may.edit || may.remove ? menu(item.title, html`${may.edit ? disclosure(t('common.edit'), this.#form(edit, t('common.save'), (body, who, dueOn) => this.#save(item, body, who, dueOn), item)) : ''}${may.remove ? html`<button type="button" class="danger" @click=${() => this.#remove(item)}>${t('common.delete')}</button>` : ''}`) : ''}
        </div>
      </li>`;
  }

  #form(act, button, submit, item = {}) {
    const id = (name) => `item-${item._id ?? 'new'}-${name}`;
    const before = this.#assigneeOf(item);
    return form({
      act, button, keep: Boolean(item._id),
      submit: async (values, target) => {
        const isSame = values.who === valueOf(before);
        await submit({ title: values.title, status: values.status }, isSame ? null : whoOf(values), values.dueOn);
        closeAround(target);
      },
      content: html`
        ${field('title', t('meetingItems.whatIsToBeDone'), { id: id('title'), value: item.title, required: true, of: 'createActionItem' })}
        <div class="pair">
          ${personChoice(this.board, t('common.who'), before, { id: id('who'), name: 'who', typed: 'assigneeName', of: 'createActionItem' })}
          ${field('dueOn', t('meetingItems.dueOn'), { id: id('due'), type: 'date', value: item._id ? this.dues.dayOf(item._id) : '', hint: t('meetingItems.thePersonIsRemindedTheDay') })}
          ${choice('status', t('common.status'), STATUSES.map((status) => [status, label(status)]), { id: id('status'), value: item.status ?? 'in_progress' })}
        </div>`,
    });
  }

  get mayAdd() {
    return this.board.may('createActionItem', this.params);
  }

  async #add(body, who, dueOn) {
    const item = await this.create({ ...body, ...who });
    await this.dues.save({ ...this.params, actionItemId: item._id }, dueOn);
  }

  /** Creates an item for a person (see `personOf`), and returns it. @param {any} given */
  async create({ userId = null, unregisteredUserId = null, name = null, ...body }) {
    const given = { ...body, ...(userId ? { assigneeUserId: userId } : {}), ...(name ? { assigneeName: name } : {}) };
    const item = await this.app.api.get('createActionItem', { params: this.params, body: given, key: this.adding.keyFor(given) });
    this.list.replace([...this.list.items, item]);
    if (unregisteredUserId) await this.#assign(item, unregisteredUserId);
    return item;
  }

  /** Gives an item to somebody without an account: they get its mails. */
  async #assign(item, unregisteredUserId) {
    await this.app.api.get('putActionItemUnregisteredAssignee', { params: { ...this.params, actionItemId: item._id }, body: { unregisteredUserId } });
    const { fullName } = this.board.withoutAccount(unregisteredUserId);
    this.#replace({ ...item, assigneeUserId: null, assigneeName: fullName });
  }

  /** Who an item is given to; of those without an account the list has the name alone. */
  #assigneeOf({ assigneeUserId: userId = null, assigneeName: name = null }) {
    const person = userId || !name ? undefined : this.board.current.find(({ fullName }) => fullName === name);
    return { userId, unregisteredUserId: person?.id ?? null, name };
  }

  async #save(item, body, who, dueOn) {
    const params = { ...this.params, actionItemId: item._id };
    const assignee = who && !who.unregisteredUserId ? { assigneeUserId: who.userId, assigneeName: who.name } : {};
    const saved = await this.app.api.get('updateActionItem', { params, body: { ...body, ...assignee } });
    this.#replace(saved);
    if (who?.unregisteredUserId) await this.#assign(saved, who.unregisteredUserId);
    await this.dues.save(params, dueOn);
  }

  #remove(item) {
    this.removals.begin(item._id, item.title, {
      send: () => this.app.api.call('deleteActionItem', { params: { ...this.params, actionItemId: item._id } }),
      done: () => this.list.replace(this.list.items.filter((each) => each._id !== item._id)),
    });
  }
}

/** Returns the person that a form names. */
function whoOf({ who, assigneeName }) {
  return who === ELSE ? { ...personOf(''), name: assigneeName || null } : personOf(who);
}
