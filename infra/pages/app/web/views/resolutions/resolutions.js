// The register of a board's decisions: what is open, drafted and decided, by resolution or in a meeting's final minutes; searched, and saved
// as a table.

import { csv, save } from '../../lib/csv.js';
import { date } from '../../lib/dates.js';
import { datedWords, sums } from '../../lib/resolution-words.js';
import { DECIDED, minuted, registered } from '../../lib/resolutions.js';
import { find } from '../../lib/search.js';
import { Act, List } from '../../lib/state.js';
import { actProblem, choice, html, nothing, pill, repeat, showList } from '../../lib/ui.js';
import { label, titled } from '../../lib/words.js';
import { t } from '../../lib/texts.js';

const STATUSES = ['open', ...DECIDED, 'withdrawn', 'draft'];

export default (app) => new ResolutionsView(app, app.board);

class ResolutionsView {
  title = () => t('resolutions.decisions');

  constructor(app, board) {
    const query = new URLSearchParams(location.search);
    Object.assign(this, { app, board, params: { boardId: board.id }, text: query.get('text') ?? '', status: STATUSES.includes(query.get('status')) ? query.get('status') : '' });
    this.list = new List((cursor) => this.#read(cursor ?? [null, null]), app.update);
    this.saving = new Act(app.update);
    this.actions = [['createResolution', this.params]];
    this.resources = [this.list];
    this.follows = [{ on: ['resolution', 'meeting'], read: this.list }];
    this.list.loaded.then(() => (this.text || !this.list.items.length) && this.list.loadAll());
  }

  /** Reads a page of both lists: `cursors` are theirs, undefined where a list has ended. */
  async #read([ofResolutions, ofMeetings]) {
    /** @type {(name: 'listResolutions' | 'listMeetingDecisions', cursor: any) => any} */
    const page = (name, cursor) => (cursor === undefined ? { items: [], next: null } : this.app.api.page(name, { params: this.params, query: { limit: 100 }, cursor }));
    const [resolutions, meetings] = await Promise.all([page('listResolutions', ofResolutions), page('listMeetingDecisions', ofMeetings)]);
    const next = [resolutions, meetings].map((each) => each.next ?? undefined);
    return { items: [...resolutions.items, ...meetings.items.flatMap(minuted)], next: next.some(Boolean) ? next : null };
  }

  render() {
    return html`
      <div class="row spread"><h1>${t('resolutions.decisions')}</h1>
        ${this.board.may('createResolution') ? html`<a class="button primary" href=${this.board.path('resolutions', 'new')}>${t('resolutions.newResolution')}</a>` : nothing}</div>
      <div class="filters">
        <div class="field"><label for="resolutions-text">${t('frame.search')}</label><input id="resolutions-text" type="search" .value=${this.text} @input=${({ target }) => this.#search({ text: target.value })}></div>
        ${choice('status', t('common.status'), [['', t('common.all')], ...STATUSES.map((each) => [each, label(each)])], { id: 'resolutions-status', value: this.status, onChange: ({ target }) => this.#search({ status: target.value }) })}
        <p class="row"><button type="button" ?disabled=${this.saving.isBusy} @click=${() => this.#save()}>${t('resolutions.saveAsTable')}</button></p>
      </div>
      ${actProblem(this.saving)}
      ${showList(this.list, t('resolutions.theDecisions'), t('resolutions.thereIsNone'), () => this.#groups())}`;
  }

  /** Searching and filtering look at every decision, so the rest of the list is read then. */
  #search(values) {
    Object.assign(this, values);
    this.app.router.query({ text: this.text, status: this.status });
    this.app.update();
    if (this.list.hasMore) this.list.loadAll();
  }

  get #found() {
    const of = this.list.items.filter(({ status }) => !this.status || status === this.status);
    if (!this.text.trim()) return of;
    return find(of.map((each) => ({ name: titled(each), about: [each.text, label(each.status), each.closedAt?.slice(0, 4), each.meeting?.title, each.item].filter(Boolean).join(' '), each })), this.text, of.length).map(({ each }) => each);
  }

  #groups() {
    const { open, drafts, years } = registered(this.#found);
    const decided = years.map(([year, items]) => [[t('resolutions.decided'), year].filter(Boolean).join(' '), items]);
    const groups = [[t('resolutions.open'), open], [t('resolutions.drafts'), drafts], ...decided].filter(([, items]) => items.length);
    if (!groups.length) return html`<p class="empty">${t('resolutions.nothingFits')}</p>`;
    return groups.map(([heading, items]) => html`<h2>${heading}</h2><ul class="rows">${repeat(items, ({ id }) => id, (item) => this.#row(item))}</ul>`);
  }

  #row(item) {
    const { number, title, status, meeting } = item;
    return html`
      <li><a class="row-link" href=${meeting ? this.board.path('meetings', meeting.id) : this.board.path('resolutions', item.id)}>
        <span class="register-number mono">${number ?? ''}</span>
        <span class="grow"><b>${title}</b> <span class="soft">${meeting ? this.#source(item) : this.#count(item)}</span></span>
        ${pill(status)}
      </a></li>`;
  }

  /** Where a decision of minutes comes from: "12 Mar 2026 · Minutes of “Spring”, item “Office”". */
  #source({ closedAt, meeting, item }) {
    const from = item ? t('resolutions.minutesOfItem', { meeting: meeting.title, item }) : t('resolutions.minutesOf', { meeting: meeting.title });
    return [closedAt && date(closedAt), from].filter(Boolean).join(' · ');
  }

  #count(item) {
    return [datedWords(item), item.status !== 'open' && item.tally && sums(item.tally), item.supersededById && t('resolutions.superseded')].filter(Boolean).join(' · ');
  }

  /** Everything that is found, as a table for a spreadsheet. */
  #save() {
    return this.saving.run(async () => {
      await this.list.loadAll();
      const head = [t('resolutions.number'), t('common.title'), t('resolutions.outcome'), t('resolutions.date'), t('resolution.for'), t('resolution.against'), t('resolution.abstain'), t('resolutions.eligible'), t('common.meeting'), t('resolutions.agendaItem')];
      const { open, drafts, years } = registered(this.#found);
      const decided = years.flatMap(([, items]) => items);
      const rows = [...open, ...decided, ...drafts].map(({ number, title, status, closedAt, tally, meeting, item }) => [number, title, label(status), closedAt?.slice(0, 10), ...['for', 'against', 'abstain', 'eligible'].map((name) => tally?.[name]), meeting?.title, item]);
      save(t('resolutions.fileName'), csv([head, ...rows]));
    });
  }
}
