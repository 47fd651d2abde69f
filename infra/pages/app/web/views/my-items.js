import { List } from '../lib/state.js';
import { may, viewer } from '../lib/permissions.js';
import { html, repeat, showList } from '../lib/ui.js';
import { ItemStatus } from './item-status.js';

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
    this.items = new List((cursor) => this.app.api.bareArray('listMine', { query, cursor }), this.app.update);
    this.resources = [this.items];
  }

  #toggle(isAll) {
    this.isAll = isAll;
    this.app.router.query({ all: isAll ? 'yes' : '' });
    this.#load();
  }

  render() {
    const mayWrite = may({ ...viewer(this.app.caller.data), accessType: 'collaborator' }, 'item.write');
    return html`
      <h1>My action items</h1>
      <p><label class="inline"><input type="checkbox" ?checked=${this.isAll} @change=${(event) => this.#toggle(event.target.checked)}> Show completed and cancelled ones too</label></p>
      ${showList(this.items, 'your action items', 'Nothing is assigned to you.', (items) => html`<ul class="rows">${repeat(items, ({ _id }) => _id, (item) => html`
        <li class="item ${item.status}"><div class="row">
          <span class="grow"><b>${item.title}</b> <a class="soft" href="/boards/${item.boardId}/meetings/${item.meetingId}">${item.board.name} · ${item.meeting.title}</a></span>
          ${this.status.render(item, mayWrite)}
        </div></li>`)}</ul>`)}`;
  }
}
