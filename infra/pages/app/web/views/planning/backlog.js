// The backlog: agenda items that wait for a meeting. The agenda of a meeting takes them from here.

import { KINDS, titleOf } from '../../lib/agenda-items.js';
import { ANY } from '../../lib/access.js';
import { Act, List } from '../../lib/state.js';
import { area, choice, closeAround, confirmButton, disclosure, field, form, html, menu, nothing, repeat, showList } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';

export class Backlog {
  constructor(app, board, matters) {
    Object.assign(this, { app, board, matters, params: { boardId: board.id }, acts: new Map() });
    this.list = new List((cursor) => app.api.page('listBacklogItems', { params: this.params, query: { limit: 100, order: 'asc' }, cursor }), app.update, { isWhole: true });
    const one = { ...this.params, backlogItemId: ANY };
    this.actions = [['createBacklogItem', this.params], ...['updateBacklogItem', 'deleteBacklogItem'].map((name) => [name, one])];
  }

  #act(id) {
    if (!this.acts.has(id)) this.acts.set(id, new Act(this.app.update));
    return this.acts.get(id);
  }

  render() {
    return html`
      <section aria-labelledby="backlog"><h2 id="backlog">${t('backlog.backlog')}</h2>
        <p class="soft">${t('backlog.itemsThatWaitForAMeeting')}</p>
        ${showList(this.list, t('agendaMoves.theBacklog'), t('agendaMoves.nothingWaits'), (items) => html`<ul class="rows">${repeat(items, ({ id }) => id, (each) => this.#row(each))}</ul>`)}
        ${this.board.may('createBacklogItem') ? disclosure(t('backlog.newItem'), this.#form(this.#act('new'), t('backlog.addTheItem'), (body) => this.#create(body))) : nothing}
      </section>`;
  }

  #row(item) {
    const act = this.#act(`of ${item.id}`);
    const remove = () => act.run(async () => {
      await this.app.api.call('deleteBacklogItem', { params: { ...this.params, backlogItemId: item.id } });
      this.list.replace(this.list.items.filter(({ id }) => id !== item.id));
    });
    const facts = [item.minutes ? t('time.minutes', { number: item.minutes }) : '', this.matters.committeeName(item), item.notes].filter(Boolean);
    return html`
      <li><div class="row"><span class="grow"><b>${titleOf(item)}</b> <span class="soft">${facts.join(' · ')}</span></span>
        ${!item.withheld && this.board.may('updateBacklogItem', { backlogItemId: ANY }) ? menu(item.title, html`
          ${disclosure(t('common.edit'), this.#form(this.#act(`edit ${item.id}`), t('common.save'), (body) => this.#save(item, body), item))}
          ${confirmButton({ act, text: t('common.delete'), yes: t('common.deleteName', { name: item.title }), question: t('backlog.theItemIsDeleted'), run: remove })}`) : nothing}</div></li>`;
  }

  #form(act, button, submit, item = {}) {
    const id = (name) => `backlog-${item.id ?? 'new'}-${name}`;
    const { own } = this.matters;
    return form({
      act, button, keep: Boolean(item.id),
      submit: async (values, target) => {
        await submit(bodyOf(values));
        if (item.id) closeAround(target);
        else target.elements.title.focus();
      },
      content: html`
        ${field('title', t('common.title'), { id: id('title'), value: item.title, required: true, of: 'createBacklogItem' })}
        <div class="pair">
          ${field('minutes', t('meetingAgenda.minutes'), { id: id('minutes'), type: 'number', value: item.minutes, min: 1, max: 600 })}
          ${choice('kind', t('meetingAgenda.kind'), KINDS(), { id: id('kind'), value: item.kind ?? '' })}
          ${own.length ? choice('committeeId', t('year.seenBy'), [['', t('year.theWholeBoard')], ...own], { id: id('committee'), value: item.committeeId ?? '' }) : nothing}
        </div>
        ${area('notes', t('meetingAgenda.notes'), { id: id('notes'), value: item.notes, of: 'createBacklogItem' })}`,
    });
  }

  async #create(body) {
    const created = await this.app.api.get('createBacklogItem', { params: this.params, body, key: this.#act('new').keyFor(body) });
    this.list.replace([...this.list.items, created]);
    this.app.say(t('backlog.itemWaits', { title: created.title }));
  }

  async #save({ id }, body) {
    const changed = await this.app.api.get('updateBacklogItem', { params: { ...this.params, backlogItemId: id }, body });
    this.list.replace(this.list.items.map((each) => (each.id === id ? changed : each)));
  }
}

/** Returns the body that a form says; a committee is left alone where none could be chosen. */
function bodyOf({ title, minutes, kind, committeeId, notes }) {
  const body = { title, minutes: minutes ? Number(minutes) : null, kind: kind || null, notes: notes || null };
  return committeeId === undefined ? body : { ...body, committeeId: committeeId || null };
}
