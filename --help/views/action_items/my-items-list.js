// The caller's action items on all of their boards, by the day on which they are due.

import { ANY } from '../../lib/access.js';
import { List } from '../../lib/state.js';
import { html, repeat, showList } from '../../lib/ui.js';
import { DueDates, byDay, due } from './due-dates.js';
import { ItemStatus } from './item-status.js';
import { t } from '../../lib/texts.js';

const EDIT = (boardId) => ['updateActionItem', { boardId, meetingId: ANY, actionItemId: ANY }];

export class MyItems {
  constructor(app, query) {
    this.app = app;
    this.dues = new Map();
    this.list = new List((cursor) => this.#page(query, cursor), app.update);
    this.status = new ItemStatus(app, (item) => this.list.replace(this.list.items.map((each) => (each._id === item._id ? item : each))));
  }

  /** Once the items are shown, their boards are asked when they are due and whether the caller may change any. */
  async #page(query, cursor) {
    const page = await this.app.api.bareArray('listMyActionItems', { query, cursor });
    const boards = [...new Set(page.items.map(({ boardId }) => boardId))].filter((id) => !this.dues.has(id));
    for (const id of boards) this.dues.set(id, new DueDates(this.app, id));
    this.app.access.ask(boards.map(EDIT));
    return page;
  }

  #dayOf({ _id, boardId }) {
    return this.dues.get(boardId)?.dayOf(_id) ?? '';
  }

  /** The items, at most so many; the nearest first. */
  render(most = Infinity) {
    return html`${[...this.dues.values()].map((dues) => dues.problem())}
      ${showList(this.list, t('myItemsList.yourActionItems'), t('myItemsList.nothingIsAssignedToYou'), (items) => html`
        <ul class="rows">${repeat(byDay(items, (item) => this.#dayOf(item)).slice(0, most), ({ _id }) => _id, (item) => this.#row(item))}</ul>`)}`;
  }

  #row(item) {
    return html`
      <li class="item ${item.status}"><div class="row">
        <span class="grow"><b>${item.title}</b> <a class="soft" href="/boards/${item.boardId}/meetings/${item.meetingId}">${item.board.name} · ${item.meeting.title}</a></span>
        ${due(this.#dayOf(item), item.status)}
        ${this.status.render(item, this.app.access.may(...EDIT(item.boardId)))}
      </div></li>`;
  }
}
