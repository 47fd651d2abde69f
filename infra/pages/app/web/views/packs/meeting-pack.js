// The board pack of a meeting: made on request, watched while it is made, then a file to read.

import { Act } from '../../lib/state.js';
import { actProblem, html, nothing, relativeTime } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';

export class Pack {
  constructor(app, board, params, made) {
    Object.assign(this, { app, board, params, made, id: `pack ${params.meetingId}` });
    this.asking = new Act(app.update);
    this.actions = [['createMeetingPack', params]];
  }

  /** How the newest pack stands that was asked for here. */
  get #job() {
    return this.app.jobs?.of(this.id);
  }

  render({ status, title }) {
    if (status === 'draft' || !this.board.may('createMeetingPack', this.params)) return nothing;
    return html`
      <div class="row no-print">
        <button type="button" ?disabled=${this.#job?.status === 'pending' || this.asking.isBusy} @click=${() => this.#ask(title)}>${t('meetingPack.makeTheBoardPack')}</button>
        <span role="status" class="row">${this.#state()}</span>
      </div>
      ${actProblem(this.asking)}`;
  }

  #state() {
    if (!this.#job) return nothing;
    const { status, reason, result, since } = this.#job;
    if (status === 'pending') return html`<progress aria-label=${t('meetingPack.theBoardPackIsBeingMade')}></progress> <span class="soft">${t('meetingPack.theBoardPackIsBeingMade')} ${t('jobs.sinceWhen', { when: relativeTime(since) })}</span>`;
    if (status === 'failed') return html`<span>${reason}</span>`;
    return html`<a class="button primary" href=${result} @click=${() => this.app.jobs.dismiss(this.id)}>${t('meetingPack.readTheBoardPack')}</a>`;
  }

  #ask(title) {
    return this.asking.run(async () => {
      const { id } = await this.app.api.get('createMeetingPack', { params: this.params, key: this.asking.keyFor({}) });
      this.app.jobs?.dismiss(this.id);
      const params = { boardId: this.board.id, documentId: id };
      await this.app.follow({ id: this.id, kind: 'pack', params, title, page: location.pathname, result: this.board.path('documents', id) }, this.made);
    });
  }
}
