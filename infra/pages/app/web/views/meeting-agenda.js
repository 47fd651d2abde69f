// The agenda of a meeting: its items in order, with when they begin, who presents them, and their papers.

import { List, Act, Resource } from '../lib/state.js';
import { time } from '../lib/dates.js';
import { actProblem, choice, closeAround, disclosure, form, html, menu, nothing, pill, repeat, show } from '../lib/ui.js';
import { agendaItemBody, agendaItemForm } from './agenda-item-form.js';
import { t } from '../lib/texts.js';

export class Agenda {
  constructor(app, board, params, documents) {
    Object.assign(this, { app, board, params, documents });
    this.agenda = new Resource(() => app.api.get('getAgenda', { params }), app.update);
    this.adding = new Act(app.update);
    this.changing = new Act(app.update);
    this.carrying = new Act(app.update);
    this.editing = new Map();
    this.actions = ['putAgenda', 'carryOver'].map((name) => [name, params]);
  }

  get items() {
    return this.agenda.data?.items ?? [];
  }

  render({ status }) {
    const may = status !== 'finalized' && this.board.may('putAgenda', this.params);
    return show(this.agenda, t('meetingAgenda.theAgenda'), ({ items }) => html`
      ${items.length ? html`<ol class="rows agenda">${repeat(items, ({ id }) => id, (item, at) => this.#row(item, at, may))}</ol>` : html`<p class="empty">${t('meetingAgenda.thereIsNoAgendaYet')}</p>`}
      ${actProblem(this.changing)}
      ${may ? disclosure(t('meetingAgenda.addAnItem'), this.#form(this.adding, t('common.add'), (body) => this.#save([...items, body]))) : nothing}
      ${may && this.board.may('carryOver', this.params) ? this.#carryOver() : nothing}`);
  }

  #row(item, at, may) {
    return html`
      <li class="item" draggable=${may ? 'true' : 'false'} @dragstart=${(event) => this.#drag(event, item)} @dragover=${(event) => may && event.preventDefault()} @drop=${(event) => this.#drop(event, at)}>
        <div class="row">
          <span class="grow"><b>${at + 1}. ${item.title}</b> <span class="soft">${this.#facts(item)}</span></span>
          ${pill(item.kind)}
          ${may ? html`${this.#mover(item, at, -1)}${this.#mover(item, at, 1)}${menu(item.title, this.#changes(item))}` : nothing}
        </div>
        ${item.notes ? html`<p class="text-value">${item.notes}</p>` : nothing}
        ${item.documentIds.length ? html`<p class="row small">${item.documentIds.map((id) => html`<a href=${this.board.path('documents', id)}>${this.documents.titleOf(id)}</a>`)}</p>` : nothing}
      </li>`;
  }

  #facts({ startsAt, minutes, presenterUserId, presenterName }) {
    const presenter = presenterUserId ? this.board.nameOf(presenterUserId) : presenterName;
    return [startsAt ? time(startsAt) : '', minutes ? t('time.minutes', { number: minutes }) : '', presenter ?? ''].filter(Boolean).join(' · ');
  }

  #changes(item) {
    const others = () => this.items.filter(({ id }) => id !== item.id);
    return html`
      ${disclosure(t('common.edit'), this.#form(this.#act(item.id), t('common.save'), (body) => this.#save(this.items.map((each) => (each.id === item.id ? { ...body, id: item.id } : each))), item))}
      <button type="button" class="danger" ?disabled=${this.changing.isBusy} @click=${() => this.changing.run(() => this.#save(others()))}>${t('common.remove')}</button>`;
  }

  #act(id) {
    if (!this.editing.has(id)) this.editing.set(id, new Act(this.app.update));
    return this.editing.get(id);
  }

  #form(act, button, save, item = {}) {
    return agendaItemForm({
      act, button, item, members: this.board.members.items, papers: this.documents.list.items,
      submit: async (values, target) => {
        await save(agendaItemBody(values));
        closeAround(target);
      },
    });
  }

  /** The API takes the agenda whole, in order; it refuses a change of what somebody else changed meanwhile. */
  async #save(items) {
    const body = { items: items.map(({ startsAt, ...item }) => item) };
    this.agenda.set(await this.app.api.get('putAgenda', { params: this.params, body }));
  }

  #mover(item, at, by) {
    const isEnd = at + by < 0 || at + by >= this.items.length;
    const isUp = by < 0;
    const words = t(isUp ? 'meetingAgenda.moveUp' : 'meetingAgenda.moveDown', { title: item.title });
    return html`<button type="button" class="small" id="move-${item.id}-${by}" aria-label=${words} title=${words} ?disabled=${isEnd || this.changing.isBusy} @click=${() => this.#move(item, at + by, by)}>${isUp ? '↑' : '↓'}</button>`;
  }

  /** Shows the new order at once; one that is refused is put back. The focus stays with the item. */
  async #move(item, to, by = 0) {
    const before = this.agenda.data;
    const items = before.items.filter(({ id }) => id !== item.id);
    items.splice(to, 0, item);
    this.agenda.set({ ...before, items });
    const done = await this.changing.run(() => this.#save(items));
    if (!done) return this.agenda.set(before);
    this.app.say(t('meetingAgenda.isNowItem', { title: item.title, place: to + 1 }));
    if (!by) return undefined;
    await new Promise(requestAnimationFrame);
    const [same, other] = [by, -by].map((each) => document.getElementById(`move-${item.id}-${each}`));
    return (same?.disabled ? other : same)?.focus();
  }

  #drag(event, item) {
    event.dataTransfer.setData('text/plain', item.id);
    event.dataTransfer.effectAllowed = 'move';
  }

  #drop(event, to) {
    event.preventDefault();
    const item = this.items.find(({ id }) => id === event.dataTransfer.getData('text/plain'));
    if (item && this.items.indexOf(item) !== to) this.#move(item, to);
  }

  /** The other meetings are asked for when the form is opened. */
  #carryOver() {
    const open = ({ currentTarget }) => {
      const page = (cursor) => this.app.api.page('listMeetings', { params: { boardId: this.board.id }, query: { limit: 50, order: 'desc' }, cursor });
      if (currentTarget.open) this.earlier ??= new List(page, this.app.update);
    };
    return html`
      <details class="disclosure" @toggle=${open}>
        <summary class="button">${t('meetingAgenda.carryOver')}</summary>
        <div class="disclosure-box">${this.earlier ? show(this.earlier, t('common.theMeetings'), ({ items }) => this.#carryForm(items)) : nothing}</div>
      </details>`;
  }

  #carryForm(meetings) {
    const others = meetings.filter(({ id }) => id !== this.params.meetingId);
    return form({
      act: this.carrying, button: t('meetingAgenda.carryOver'),
      submit: async ({ fromMeetingId }, target) => {
        this.agenda.set(await this.app.api.get('carryOver', { params: this.params, body: { fromMeetingId } }));
        closeAround(target);
      },
      content: choice('fromMeetingId', t('meetingAgenda.whatWasLeftOpenBy'), others.map(({ id, title }) => [id, title]), { required: true, hint: t('meetingAgenda.itemsWithoutMinutesAndOpenAction') }),
    });
  }
}
