// The board pack of a meeting: made on request, watched while it is made, then a file to read and to publish.

import { Act, Resource } from '../../lib/state.js';
import { actProblem, confirmButton, html, nothing, relativeTime } from '../../lib/ui.js';
import { newestPack } from '../../lib/documents.js';
import { t } from '../../lib/texts.js';

export class Pack {
  #looked = null;

  constructor(app, board, params, { documents, papers }) {
    Object.assign(this, { app, board, params, documents, papers, isApprovedOnly: false, id: `pack ${params.meetingId}` });
    this.asking = new Act(app.update);
    this.publishing = new Act(app.update);
    this.actions = [['createMeetingPack', params], ['publishMeetingPack', params]];
  }

  get follows() {
    return this.standing ? [{ on: ['board_pack'], read: this.standing }] : [];
  }

  /** How the newest pack stands that was asked for here. */
  get #job() {
    return this.app.jobs?.of(this.id);
  }

  render({ status, title }) {
    const newest = newestPack(this.documents.list.items);
    const mayMake = status !== 'draft' && this.board.may('createMeetingPack', this.params);
    if (!mayMake && !newest) return nothing;
    if (newest) this.#look(newest);
    return html`
      <div class="row no-print">
        ${mayMake ? html`<button type="button" ?disabled=${this.#job?.status === 'pending' || this.asking.isBusy} @click=${() => this.#ask(title)}>${t('meetingPack.makeTheBoardPack')}</button>` : nothing}
        ${mayMake && this.papers.isWaiting ? html`<label class="inline"><input type="checkbox" .checked=${this.isApprovedOnly} @change=${({ target }) => { this.isApprovedOnly = target.checked; }}> <span>${t('meetingPack.leaveOutPapersThatAreNot')}</span></label>` : nothing}
        <span role="status" class="row">${this.#state(newest)}</span>
        ${newest && status !== 'draft' ? this.#publication() : nothing}
      </div>
      ${actProblem(this.asking)}`;
  }

  #state(newest) {
    const { status, reason, since, result } = this.#job ?? {};
    if (status === 'pending') return html`<progress aria-label=${t('meetingPack.theBoardPackIsBeingMade')}></progress> <span class="soft">${t('meetingPack.theBoardPackIsBeingMade')} ${t('jobs.sinceWhen', { when: relativeTime(since) })}</span>`;
    if (status === 'failed') return html`<span>${reason}</span>`;
    const address = result ?? (newest && this.board.path('documents', newest.id));
    return address ? html`<a class="button ${result ? 'primary' : nothing}" href=${address} @click=${() => this.app.jobs?.dismiss(this.id)}>${t('meetingPack.readTheBoardPack')}</a>` : nothing;
  }

  /** Reads once whether a pack was published, and who is told: the board's members or a committee's. */
  #look({ id, latestVersionId, committeeId }) {
    if (this.#looked === latestVersionId) return;
    this.#looked = latestVersionId;
    const boardId = this.board.id;
    const read = () => Promise.all([
      this.app.api.get('getDocumentVersion', { params: { boardId, documentId: id, versionId: latestVersionId } }),
      committeeId ? this.app.api.page('listCommittees', { params: { boardId }, query: { limit: 100 } }).then(({ items }) => items.find((each) => each.id === committeeId)) : null,
    ]);
    this.standing = new Resource(read, this.app.update);
  }

  #publication() {
    const [version, committee] = this.standing.data ?? [];
    if (!version) return nothing;
    if (version.publishedAt) return html`<span class="soft">${t('meetingPack.publishedWhen', { when: relativeTime(version.publishedAt) })}</span>`;
    const number = committee ? committee.memberIds.filter((id) => id !== this.board.member?.id).length : this.board.others;
    if (!number || !this.board.may('publishMeetingPack', this.params)) return nothing;
    const publish = t('meetingPack.publishThePackTellMembers', { number });
    return confirmButton({
      act: this.publishing, tone: '', text: publish, yes: publish, keep: t('meetingPack.tellNobodyYet'),
      question: html`<p>${t('meetingPack.theyAreToldThatItCanBeRead')}</p>`,
      run: () => this.publishing.run(async () => {
        await this.app.api.get('publishMeetingPack', { params: this.params });
        await this.standing.reload();
      }),
    });
  }

  #ask(title) {
    return this.asking.run(async () => {
      const body = this.papers.isWaiting && this.isApprovedOnly ? { approvedOnly: true } : undefined;
      const { id } = await this.app.api.get('createMeetingPack', { params: this.params, body, key: this.asking.keyFor(body ?? {}) });
      this.app.jobs?.dismiss(this.id);
      const params = { boardId: this.board.id, documentId: id };
      await this.app.follow({ id: this.id, kind: 'pack', params, title, page: location.pathname, result: this.board.path('documents', id) }, () => this.documents.list.reload());
    });
  }
}
