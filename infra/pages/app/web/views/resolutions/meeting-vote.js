// One resolution in a meeting that runs: vote now, one's own ballot, who has voted, and close.

import { ruleSentence } from '../../lib/resolution-words.js';
import { missingOf } from '../../lib/resolutions.js';
import { List } from '../../lib/state.js';
import { html, nameList, nothing } from '../../lib/ui.js';
import { ResolutionActs } from './resolution-acts.js';
import { sentenceOf } from './resolution-form.js';
import { outcome } from './resolution-outcome.js';
import { BallotBox } from './resolution-vote.js';
import { t } from '../../lib/texts.js';

export class MeetingVote {
  #ballots = null;

  /** @param {import('./meeting-resolutions.js').MeetingResolutions} part @param {any} resolution */
  constructor(part, { id }) {
    const { app, board, asked } = part;
    Object.assign(this, { app, board, part, params: { boardId: board.id, resolutionId: id } });
    const nameOf = (userId) => board.nameOf(userId);
    this.nameOf = nameOf;
    this.acts = new ResolutionActs(app, board, this.params, { changed: (resolution) => this.#changed(resolution), asked });
    this.box = new BallotBox(app, board, this.params, { ballots: () => this.#ballots?.items ?? [], cast: () => this.#refresh(), asked });
  }

  /** The ballots of an open vote are read once it is shown. */
  #read() {
    this.#ballots ??= new List((cursor) => this.app.api.page('listBallots', { params: this.params, query: { limit: 100 }, cursor }), this.app.update, { isWhole: true });
    return this.#ballots;
  }

  get follows() {
    return this.#ballots ? [{ on: ['resolution'], ids: this.params, read: this.#ballots }] : [];
  }

  reload() {
    this.#ballots?.reload();
  }

  #refresh() {
    return Promise.all([this.part.list.reload(), this.#ballots.reload()]);
  }

  #changed(resolution) {
    this.part.put(resolution);
    this.reload();
  }

  /** `isFirst`: it is what is voted on now, or what comes next. */
  render(resolution, isFirst) {
    if (resolution.status === 'draft') return html`<div class="row">${this.acts.openNow(resolution, sentenceOf(resolution, this.board, this.part.committees, null), isFirst)}</div>`;
    const ballots = this.#read();
    if (!ballots.isReady) return nothing;
    const all = resolution.voters.filter(({ recused }) => !recused).length;
    const missing = missingOf(resolution, ballots.items);
    return html`
      <p class="rule-sentence">${ruleSentence(resolution, this.nameOf)}</p>
      ${resolution.text ? html`<p class="said resolution-text">${resolution.text}</p>` : nothing}
      ${this.box.render(resolution, { isBar: isFirst })}
      ${resolution.ballots === 'hidden' ? nothing : html`<p role="status"><b>${t('resolution.soManyHaveVoted', { voted: all - missing.length, all })}</b>${missing.length ? html` <span class="soft">${t('resolution.missing')}: ${nameList(missing.map(({ userId }) => this.nameOf(userId)))}</span>` : nothing}</p>`}
      ${resolution.tally ? outcome(resolution, this.nameOf) : nothing}
      <div class="row">${this.acts.close(resolution, ballots.items, t('resolution.closeTitle', { title: resolution.title }))}</div>`;
  }
}
