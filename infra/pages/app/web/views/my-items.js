import { ANY } from '../lib/access.js';
import { List } from '../lib/state.js';
import { html, repeat, showList } from '../lib/ui.js';
import { ItemStatus } from './item-status.js';

const EDIT = (boardId) => ['updateActionItem', { boardId, meetingId: ANY, actionItemId: ANY }];

export default (app) => new MyItemsView(app);

class MyItemsView {
  title = 'My action items';

  constructor(app) {
    this.app = app;
    this.isAll = new URLSearchParams(location.search).get('all') === 'yes';
    this.#load();
    this.status = new ItemStatus(app, (item) => this.items.replace(this.items.items.map((each) => (each._id === item._id ? item : each))));
  }

  #load() {
    const query = { includeCompleted: this.isAll };
    this.items = new List((cursor) => this.#page(query, cursor), this.app.update);
    this.resources = [this.items];
  }

  /** Once the items are shown, it is asked on which of their boards the caller may change any. */
  async #page(query, cursor) {
    const page = await this.app.api.bareArray('listMine', { query, cursor });
    this.app.access.ask([...new Set(page.items.map(({ boardId }) => boardId))].map(EDIT));
    return page;
  }

  #toggle(isAll) {
    this.isAll = isAll;
    this.app.router.query({ all: isAll ? 'yes' : '' });
    this.#load();
  }

  render() {
    return html`
      <h1>My action items</h1>
      <p><label class="inline"><input type="checkbox" ?checked=${this.isAll} @change=${(event) => this.#toggle(event.target.checked)}> Show completed and cancelled ones too</label></p>
      ${showList(this.items, 'your action items', 'Nothing is assigned to you.', (items) => html`<ul class="rows">${repeat(items, ({ _id }) => _id, (item) => html`
        <li class="item ${item.status}"><div class="row">
          <span class="grow"><b>${item.title}</b> <a class="soft" href="/boards/${item.boardId}/meetings/${item.meetingId}">${item.board.name} · ${item.meeting.title}</a></span>
          ${this.status.render(item, this.app.access.may(...EDIT(item.boardId)))}
        </div></li>`)}</ul>`)}`;
  }
}
