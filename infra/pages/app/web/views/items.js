import { ANY } from '../lib/access.js';
import { List } from '../lib/state.js';
import { choice, html, repeat, showList } from '../lib/ui.js';
import { label } from '../lib/words.js';
import { ItemStatus } from './item-status.js';

const STATUSES = ['in_progress', 'completed', 'cancelled'];

const EDIT = (boardId) => ['updateActionItem', { boardId, meetingId: ANY, actionItemId: ANY }];

export default (app) => new ItemsView(app, app.board);

class ItemsView {
  title = 'Action items';

  constructor(app, board) {
    Object.assign(this, { app, board });
    const status = new URLSearchParams(location.search).get('status');
    this.shown = ['', ...STATUSES].includes(status) ? status : 'in_progress';
    const params = { boardId: board.id };
    this.items = new List((cursor) => app.api.bareArray('listOfBoard', { params, cursor }), app.update);
    this.status = new ItemStatus(app, (item) => this.items.replace(this.items.items.map((each) => (each._id === item._id ? item : each))));
    this.resources = [this.items];
    this.actions = [EDIT(board.id)];
  }

  #show(status) {
    this.shown = status;
    this.app.router.query({ status });
    this.app.update();
  }

  render() {
    return html`
      <div class="row spread"><h1>Action items</h1>
        ${choice('shown', 'Show', [['', 'All'], ...STATUSES], { value: this.shown, onChange: (event) => this.#show(event.target.value) })}</div>
      <p class="soft">Items belong to a meeting; add them there.</p>
      ${showList(this.items, 'the action items', 'There is no action item yet.', (items) => this.#list(items.filter(({ status }) => !this.shown || status === this.shown)))}`;
  }

  #list(items) {
    if (!items.length) return html`<p class="empty">No item is ${label(this.shown).toLowerCase()}.</p>`;
    const mayWrite = this.board.may(...EDIT(this.board.id));
    return html`<ul class="rows">${repeat(items, ({ _id }) => _id, (item) => html`
      <li class="item ${item.status}"><div class="row">
        <span class="grow"><b>${item.title}</b> <a class="soft" href=${this.board.path('meetings', item.meetingId)}>${item.meeting.title}</a></span>
        ${this.status.render(item, mayWrite)}
      </div></li>`)}</ul>`;
  }
}
