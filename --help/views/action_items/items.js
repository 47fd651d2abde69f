import { ANY } from '../../lib/access.js';
import { List, Resource } from '../../lib/state.js';
import { choice, html, repeat, showList } from '../../lib/ui.js';
import { DueDates } from './due-dates.js';
import { ItemStatus } from './item-status.js';
import { t } from '../../lib/texts.js';

const STATUSES = ['in_progress', 'completed', 'cancelled'];

const EDIT = (boardId) => ['updateActionItem', { boardId, meetingId: ANY, actionItemId: ANY }];

export default (app) => new ItemsView(app, app.board);

class ItemsView {
  title = () => t('common.actionItems');

  constructor(app, board) {
    Object.assign(this, { app, board });
    const status = new URLSearchParams(location.search).get('status');
    this.shown = ['', ...STATUSES].includes(status) ? status : 'in_progress';
    const params = { boardId: board.id };
    this.assignees = new Map();
    this.items = new List((cursor) => this.#page(params, cursor), app.update);
    this.status = new ItemStatus(app, (item) => this.items.replace(this.items.items.map((each) => (each._id === item._id ? item : each))));
    this.dues = new DueDates(app, board.id);
    this.resources = [this.items, this.dues.list];
    this.follows = [{ on: ['action_item'], read: this.items }, { on: ['due_date'], read: this.dues.list }];
    this.actions = [EDIT(board.id)];
  }

  /** The list names no assignees: those are read from the meetings of its items, once the items are shown. */
  async #page(params, cursor) {
    const page = await this.app.api.bareArray('listBoardActionItems', { params, cursor });
    for (const meetingId of new Set(page.items.map((item) => item.meetingId))) {
      if (!this.assignees.has(meetingId)) this.assignees.set(meetingId, new Resource(() => this.app.api.page('listMeetingActionItems', { params: { ...params, meetingId }, query: { limit: 100 } }), this.app.update));
    }
    return page;
  }

  #assignee({ _id, meetingId }) {
    const found = this.assignees.get(meetingId)?.data?.items.find((each) => each._id === _id);
    if (!found) return '';
    return found.assigneeUserId ? this.board.nameOf(found.assigneeUserId) : found.assigneeName ?? t('common.nobodyAssigned');
  }

  #show(status) {
    this.shown = status;
    this.app.router.query({ status });
    this.app.update();
  }

  render() {
    return html`
      <div class="row spread"><h1>${t('common.actionItems')}</h1>
        ${choice('shown', t('common.show'), [['', t('common.all')], ...STATUSES], { value: this.shown, onChange: (event) => this.#show(event.target.value) })}</div>
      <p class="soft">${t('items.itemsBelongToAMeetingAdd')}</p>
      ${showList(this.items, t('common.theActionItems'), t('items.thereIsNoActionItemYet'), (items) => this.#list(items.filter(({ status }) => !this.shown || status === this.shown)))}`;
  }

  #list(items) {
    if (!items.length) return html`<p class="empty">${t('items.noItemHasThisStatus')}</p>`;
    const mayWrite = this.board.may(...EDIT(this.board.id));
    return html`${this.dues.problem()}<ul class="rows">${repeat(this.dues.sorted(items), ({ _id }) => _id, (item) => html`
      <li class="item ${item.status}"><div class="row">
        <span class="grow"><b>${item.title}</b> <a class="soft" href=${this.board.path('meetings', item.meetingId)}>${item.meeting.title}</a><span class="soft">${this.#assignee(item)}</span></span>
        ${this.dues.of(item)}
        ${this.status.render(item, mayWrite)}
      </div></li>`)}</ul>`;
  }
}
