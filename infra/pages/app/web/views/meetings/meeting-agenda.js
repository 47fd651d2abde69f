// The agenda of a meeting: its items with their times, presenters and papers; its editor is loaded once it is opened.

import { Act, Resource } from '../../lib/state.js';
import { actProblem, closeAround, html, nothing, pill, show } from '../../lib/ui.js';
import { DRAFT, KINDS, body, isTimed, papersOf, placed, said, titleOf } from '../../lib/agenda-items.js';
import { date, time } from '../../lib/dates.js';
import { drafts } from '../../lib/drafts.js';
import { titled } from '../../lib/words.js';
import { t } from '../../lib/texts.js';
import { inCameraNote } from './in-camera.js';

export class Agenda {
  resolutions = null;
  requests = null;
  #loading = null;

  constructor(app, board, params, documents) {
    Object.assign(this, { app, board, params, documents, editor: null, path: location.pathname });
    board.unregistered;
    this.resource = new Resource(() => app.api.get('getAgenda', { params }), app.update);
    this.carrying = new Act(app.update);
    this.approving = new Act(app.update);
    this.actions = ['putAgenda', 'carryOverAgenda', 'applyAgendaTemplate', 'addAgendaApprovals'].map((name) => [name, params]);
    this.moves = null;
    this.resources = [this.resource];
    this.follows = [{ on: ['agenda', 'meeting'], read: this, isHeld: () => this.editor?.isHeld }];
    const kept = drafts.get(this.path, DRAFT);
    if (kept?.length) this.edit(kept); // what was typed and not saved
  }

  get isEditing() {
    return this.editor !== null;
  }

  /** Opens the editor with these items; it is loaded then. */
  edit(items) {
    this.#loading ??= this.#open(items).finally(() => { this.#loading = null; });
    return this.#loading;
  }

  async #open(items) {
    const { AgendaEditor } = await import('./meeting-agenda-editor.js');
    this.editor = new AgendaEditor(this, items);
    this.app.update();
  }

  render(meeting) {
    const { status } = meeting;
    const takesFiles = this.#takesFiles(meeting);
    return show(this.resource, t('meetingAgenda.theAgenda'), (agenda) => (this.isEditing ? this.editor.render() : html`
      ${agenda.items.length ? html`<ol class="agenda shown">${agenda.items.map((item) => this.#shown(item, takesFiles, this.#mayMove(meeting)))}</ol>` : html`<p class="empty">${t('meetingAgenda.nothingIsOnItYet')}</p>`}
      <p class="row no-print">
        ${status !== 'finalized' && this.board.may('putAgenda', this.params) ? html`<button type="button" @click=${() => this.edit(agenda.items)}>${t('meetingAgenda.editTheAgenda')}</button>` : nothing}
        ${this.#mayCarryOver(meeting) ? this.#carryOver() : nothing}
        ${this.#mayAddApprovals(meeting) ? html`<button type="button" ?disabled=${this.approving.isBusy} @click=${() => this.#addApprovals()}>${t('meetingAgenda.addMinutesToApprove')}</button>` : nothing}
        ${this.#mayMove(meeting) ? this.#additions() : nothing}
        ${agenda.items.some((item) => papersOf(item).length) ? html`<a class="button" href=${this.board.path('meetings', this.params.meetingId, 'papers')}>${t('papers.readThePapers')}</a>` : nothing}
        ${agenda.items.length ? html`<button type="button" class="plain" @click=${() => print()}>${t('meetingAgenda.print')}</button>` : nothing}
      </p>${actProblem(this.approving)}`));
  }

  #mayCarryOver({ status }) {
    return !['finalized', 'completed'].includes(status) && this.board.may('carryOverAgenda', this.params);
  }

  #mayAddApprovals({ status }) {
    return !['finalized', 'completed'].includes(status) && this.board.may('addAgendaApprovals', this.params);
  }

  /** Adds an item for the minutes of each earlier meeting that wait for their approval. */
  #addApprovals() {
    return this.#add(this.approving, () => this.app.api.get('addAgendaApprovals', { params: this.params }));
  }

  /** Takes over the agenda that an answer has, and says how many items it has more; returns whether it came. */
  async #add(act, call) {
    const before = this.resource.data.items.length;
    const done = await act.run(async () => this.resource.set(await call()));
    if (done) this.app.say(t('meetingAgenda.itemsWereAdded', { number: this.resource.data.items.length - before }));
    return done;
  }

  #mayMove({ status }) {
    return status !== 'finalized' && this.board.may('applyAgendaTemplate', this.params);
  }

  /** What reads templates, the backlog and other meetings; it is loaded once it is asked for. */
  async #openMoves() {
    const { AgendaMoves } = await import('../planning/agenda-moves.js');
    this.moves ??= new AgendaMoves(this.app, this);
    this.app.update();
  }

  /** Adds items from a template or from the backlog. */
  #additions() {
    const open = ({ target }) => (target.open ? this.#openMoves() : undefined);
    return html`<details class="disclosure" @toggle=${open}><summary class="button">${t('agendaMoves.addFrom')}</summary><div class="disclosure-box">${this.moves?.render() ?? nothing}</div></details>`;
  }

  /** Postpones an item to the backlog or to another meeting. */
  #postpone(item) {
    const open = ({ target }) => (target.open ? this.#openMoves() : undefined);
    return html`<details class="disclosure no-print" @toggle=${open}><summary class="button small" aria-label=${t('agendaMoves.postponeTitle', { title: item.title })}>${t('agendaMoves.postpone')}</summary><div class="disclosure-box">${this.moves?.places(item) ?? nothing}</div></details>`;
  }

  /** Takes over what an earlier meeting left open. */
  #carryOver() {
    const others = this.others?.data?.items.filter(({ id }) => id !== this.params.meetingId) ?? [];
    const open = ({ target }) => {
      if (target.open) this.others ??= new Resource(() => this.app.api.page('listMeetings', { params: { boardId: this.board.id }, query: { limit: 50 } }), this.app.update);
    };
    return html`<details class="disclosure" @toggle=${open}><summary class="button">${t('meetingAgenda.carryOver')}</summary><div class="disclosure-box">
      <p class="soft">${t('meetingAgenda.whatItLeftOpenIsAdded')}</p>
      ${this.others ? show(this.others, t('common.theMeetings'), () => (others.length ? html`<ul class="plain-list">${others.map(({ id, title, startTime }) => html`
        <li><button type="button" class="small" ?disabled=${this.carrying.isBusy} @click=${(event) => this.#carry(id, event.currentTarget)}>${title}${startTime ? ` · ${date(startTime)}` : ''}</button></li>`)}</ul>` : html`<p class="empty">${t('meetingAgenda.thereIsNoOtherMeeting')}</p>`)) : nothing}
      ${actProblem(this.carrying)}</div></details>`;
  }

  async #carry(fromMeetingId, button) {
    const done = await this.#add(this.carrying, () => this.app.api.get('carryOverAgenda', { params: this.params, body: { fromMeetingId } }));
    if (done) closeAround(button);
  }

  /** Whether files may be dropped on an item: they become documents of the meeting, and papers of the item. */
  #takesFiles({ status }) {
    return status !== 'finalized' && this.board.may('putAgenda', this.params) && this.board.may('createDocument');
  }

  #over(event) {
    if (![...event.dataTransfer.items].some(({ kind }) => kind === 'file')) return;
    event.preventDefault();
    event.currentTarget.classList.add('over');
  }

  #take(event, { id }) {
    event.preventDefault();
    event.currentTarget.classList.remove('over');
    this.documents.uploads.begin([...event.dataTransfer.files], ({ documentId }) => this.attach(id, documentId));
  }

  /** The item that a document is a paper of. */
  itemOf(documentId) {
    return this.resource.data?.items.find((item) => papersOf(item).includes(documentId));
  }

  /** Whether papers can be put on items now. */
  takesPapers({ status }) {
    return status !== 'finalized' && this.resource.isReady && !this.isEditing && this.board.may('putAgenda', this.params);
  }

  /** Makes a document a paper of one item of the agenda as it is now: of no other; of none (`''`); of a new one (`NEW_ITEM`). */
  async attach(id, documentId, title) {
    const { items } = await this.app.api.get('getAgenda', { params: this.params });
    const changed = placed(items, id, documentId, title);
    this.resource.set(await this.app.api.get('putAgenda', { params: this.params, body: body(changed) }));
  }

  #shown(item, takesFiles, mayMove) {
    const [isOpen, papers] = [!item.withheld && !item.audience, papersOf(item)];
    const presenter = this.presenter(item);
    const facts = [isTimed(this.resource.data.items, item) ? time(item.startsAt) : '', item.minutes ? t('time.minutes', { number: item.minutes }) : '', presenter].filter(Boolean);
    return html`
      <li @dragover=${takesFiles && isOpen ? (event) => this.#over(event) : null} @dragleave=${(event) => event.currentTarget.classList.remove('over')} @drop=${takesFiles && isOpen ? (event) => this.#take(event, item) : null}>
        <b>${titleOf(item)}</b>${item.kind ? pill(KINDS().find(([kind]) => kind === item.kind)[1], 'quiet') : nothing}
        ${facts.length ? html`<span class="soft">${facts.join(' · ')}</span>` : nothing}
        ${inCameraNote(this.board, item)}
        ${item.notes ? html`<p class="quote">${item.notes}</p>` : nothing}
        ${this.#decision(item)}
        ${papers.length ? html`<ul class="papers">${papers.map((id) => html`<li><a href=${this.board.path('documents', id)}>${this.#titleOf(id)}</a></li>`)}</ul>` : nothing}
        ${mayMove && !item.withheld ? this.#postpone(item) : nothing}</li>`;
  }

  /** The resolution of an item, or the way to draft it where the item is there to decide. */
  #decision({ id, kind }) {
    const resolution = this.resolutions.of(id);
    if (resolution) return html`<p><a href=${this.resolutions.pathOf(resolution)}>${titled(resolution)}</a> ${pill(resolution.status)}</p>`;
    return kind === 'decision' && this.resolutions.mayDraft ? html`<p class="no-print"><a href=${this.resolutions.newPath(id)}>${t('meetingAgenda.draftTheResolution')}</a></p>` : nothing;
  }

  #titleOf(id) {
    return this.documents.list.items.find((each) => each.id === id)?.title ?? this.requests?.titleOf(id) ?? t('meetingAgenda.aPaper');
  }

  /** The name of who presents an item. */
  presenter({ presenterUserId, presenterUnregisteredUserId, presenterName }) {
    if (presenterUserId) return this.board.nameOf(presenterUserId);
    return this.board.withoutAccount(presenterUnregisteredUserId)?.fullName ?? presenterName ?? '';
  }

  /** Reads again what others may have saved; an open editor keeps what is typed. */
  async refresh() {
    const before = said(this.resource.data?.items);
    const isRead = await this.resource.refresh();
    if (isRead) this.editor?.compare(before);
    return isRead;
  }
}
