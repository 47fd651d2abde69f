// The agenda templates of a board: items that many meetings have, written as lines.

import { ANY } from '../../lib/access.js';
import { lineOf, monthName, readItems } from '../../lib/plan.js';
import { Act, List } from '../../lib/state.js';
import { area, closeAround, confirmButton, disclosure, field, form, html, menu, nothing, repeat, showList } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';

export class Templates {
  constructor(app, board) {
    Object.assign(this, { app, board, params: { boardId: board.id }, acts: new Map() });
    this.list = new List((cursor) => app.api.page('listAgendaTemplates', { params: this.params, query: { limit: 50 }, cursor }), app.update, { isWhole: true });
    const one = { ...this.params, templateId: ANY };
    this.actions = [['createAgendaTemplate', this.params], ...['updateAgendaTemplate', 'deleteAgendaTemplate'].map((name) => [name, one])];
  }

  #act(id) {
    if (!this.acts.has(id)) this.acts.set(id, new Act(this.app.update));
    return this.acts.get(id);
  }

  render() {
    return html`
      <section aria-labelledby="templates"><h2 id="templates">${t('templates.templates')}</h2>
        <p class="soft">${t('templates.itemsThatManyMeetingsHave')}</p>
        ${showList(this.list, t('templates.theTemplates'), t('templates.thereIsNoTemplateYet'), (items) => html`<ul class="rows">${repeat(items, ({ id }) => id, (each) => this.#row(each))}</ul>`)}
        ${this.board.may('createAgendaTemplate') ? disclosure(t('templates.newTemplate'), this.#form(this.#act('new'), t('templates.createTheTemplate'), (body) => this.#create(body))) : nothing}
      </section>`;
  }

  #row(template) {
    const act = this.#act(`of ${template.id}`);
    const remove = () => act.run(async () => {
      await this.app.api.call('deleteAgendaTemplate', { params: { ...this.params, templateId: template.id } });
      this.list.replace(this.list.items.filter(({ id }) => id !== template.id));
    });
    return html`
      <li><div class="row"><span class="grow"><b>${template.name}</b> <span class="soft">${template.items.map(said).join(' · ')}</span></span>
        ${this.board.may('updateAgendaTemplate', { templateId: ANY }) ? menu(template.name, html`
          ${disclosure(t('common.edit'), this.#form(this.#act(`edit ${template.id}`), t('common.save'), (body) => this.#save(template, body), template))}
          ${confirmButton({ act, text: t('common.delete'), yes: t('common.deleteName', { name: template.name }), question: t('templates.agendasKeepTheirItems'), run: remove })}`) : nothing}</div></li>`;
  }

  #form(act, button, submit, template = { name: '', items: [] }) {
    const id = (name) => `template-${template.id ?? 'new'}-${name}`;
    return form({
      act, button, keep: Boolean(template.id),
      submit: async ({ name, lines }, target) => {
        await submit({ name, items: itemsOf(lines, template.items) });
        if (template.id) closeAround(target);
        else target.elements.name.focus();
      },
      content: html`
        ${field('name', t('common.name'), { id: id('name'), value: template.name, required: true, of: 'createAgendaTemplate' })}
        ${area('lines', t('templates.items'), { id: id('lines'), value: template.items.map(lineOf).join('\n'), rows: 8, isRequired: true, hint: t('templates.oneItemALine') })}`,
    });
  }

  async #create(body) {
    const created = await this.app.api.get('createAgendaTemplate', { params: this.params, body, key: this.#act('new').keyFor(body) });
    this.list.replace([created, ...this.list.items]);
    this.app.say(t('templates.isCreated', { name: created.name }));
  }

  async #save({ id }, body) {
    const changed = await this.app.api.get('updateAgendaTemplate', { params: { ...this.params, templateId: id }, body });
    this.list.replace(this.list.items.map((each) => (each.id === id ? changed : each)));
  }
}

function said({ title, months }) {
  return months ? `${title} (${months.map((month) => monthName(month, 'short')).join(', ')})` : title;
}

/** Returns the items that lines say. One with the title of an item that was there keeps its id, and what a line does not say of it. */
export function itemsOf(lines, before) {
  const left = [...before];
  return readItems(lines).map(({ notes, ...read }) => {
    const at = left.findIndex(({ title }) => title === read.title);
    const [kept] = at < 0 ? [{}] : left.splice(at, 1);
    const item = { ...kept, ...read, notes: notes ?? kept.notes ?? null };
    if (item.presenterUnregisteredUserId) item.presenterName = null;
    return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));
  });
}
