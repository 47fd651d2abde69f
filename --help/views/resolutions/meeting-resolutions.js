// The resolutions of a meeting: drafted for it, voted on while it runs, and decided.

import { ANY } from '../../lib/access.js';
import { List } from '../../lib/state.js';
import { card, html, nothing, pill, repeat, show } from '../../lib/ui.js';
import { titled } from '../../lib/words.js';
import { t } from '../../lib/texts.js';

export class MeetingResolutions {
  #votes = new Map();
  #isLoading = false;

  constructor(app, board, params) {
    Object.assign(this, { app, board, params, MeetingVote: null, decided: () => {} });
    const query = { meetingId: params.meetingId, limit: 100 };
    this.list = new List((cursor) => app.api.page('listResolutions', { params: { boardId: board.id }, query, cursor }), app.update);
    this.committees = [];
    this.asked = { boardId: board.id, resolutionId: ANY };
    this.actions = [['createResolution', { boardId: board.id }], ...['openResolution', 'closeResolution', 'putBallot', 'updateResolution'].map((name) => [name, this.asked])];
    this.resources = [this.list];
  }

  /** The list, and the ballots of votes that are open. */
  get follows() {
    const open = this.list.items.filter(({ status }) => status === 'open');
    return [{ on: ['resolution'], read: this.list }, ...open.flatMap(({ id }) => this.#votes.get(id)?.follows ?? [])];
  }

  /** The resolution of an item of the agenda that counts: not one that was withdrawn. */
  of(agendaItemId) {
    return this.list.items.find((each) => each.agendaItemId === agendaItemId && each.status !== 'withdrawn');
  }

  /** Those that minutes may name. */
  get opened() {
    return this.list.items.filter(({ status, committeeId }) => status !== 'draft' && status !== 'withdrawn' && !committeeId);
  }

  /** Whether a vote is not over yet. */
  get isVoting() {
    return this.list.items.some(({ status }) => status === 'open');
  }

  get mayDraft() {
    return this.board.may('createResolution');
  }

  pathOf({ id }) {
    return this.board.path('resolutions', id);
  }

  newPath(item = '') {
    return `${this.board.path('resolutions', 'new')}?meeting=${this.params.meetingId}${item && `&item=${item}`}`;
  }

  /** A card, where there is something to decide, or somebody may draft it. */
  render(meeting) {
    const mayDraft = this.mayDraft && meeting.status !== 'finalized';
    if (!this.list.problem && !this.list.items.length && (!mayDraft || meeting.status !== 'in_progress')) return nothing;
    return card(t('resolutions.decisions'), show(this.list, t('resolutions.theDecisions'), () => html`
      <ul class="rows">${repeat(this.#ordered, ({ id }) => id, (each) => html`<li>${this.#row(each, meeting)}</li>`)}</ul>
      ${mayDraft ? html`<p class="no-print"><a class="button" href=${this.newPath()}>${t('resolutions.newResolution')}</a></p>` : nothing}`), { id: 'decisions' });
  }

  /** What is voted on now, then what comes next, in the order of the agenda's drafts, then what is decided. */
  get #ordered() {
    const rank = ({ status }) => ({ open: 0, draft: 1 })[status] ?? 2;
    return [...this.list.items].sort((one, other) => rank(one) - rank(other) || one.createdAt.localeCompare(other.createdAt));
  }

  #row(resolution, meeting) {
    const isRunning = meeting.status === 'in_progress' && ['open', 'draft'].includes(resolution.status);
    return html`
      <div class="row"><a class="grow" href=${this.pathOf(resolution)}><b>${titled(resolution)}</b></a>${pill(resolution.status)}</div>
      ${isRunning ? this.#vote(resolution).render(resolution, this.#ordered[0].id === resolution.id) : nothing}`;
  }

  /** Voting is loaded once there is something to vote on. */
  #vote(resolution) {
    if (!this.MeetingVote) {
      this.#load();
      return { render: () => nothing };
    }
    if (!this.#votes.has(resolution.id)) this.#votes.set(resolution.id, new this.MeetingVote(this, resolution));
    return this.#votes.get(resolution.id);
  }

  async #load() {
    if (this.#isLoading) return;
    this.#isLoading = true;
    ({ MeetingVote: this.MeetingVote } = await import('../../rooms/resolutions.js'));
    this.app.update();
  }

  /** Shows a resolution as it is now; `decided` is called once a vote is over. */
  put(resolution) {
    if (!['draft', 'open', 'withdrawn'].includes(resolution.status)) this.decided(resolution);
    this.list.replace(this.list.items.map((each) => (each.id === resolution.id ? resolution : each)));
  }
}
