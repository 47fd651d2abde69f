// One resolution: its text and papers beside one's vote, who has voted, and what came of it.

import { dateTime } from '../../lib/dates.js';
import { deadline, ruleSentence, secrecy } from '../../lib/resolution-words.js';
import { timeNow } from '../../lib/clock.js';
import { DECIDED, SETTLES_MS, missingOf, takesVotes } from '../../lib/resolutions.js';
import { List, Resource } from '../../lib/state.js';
import { card, html, nothing, pill, relativeTime, show } from '../../lib/ui.js';
import { historyLink } from '../history/history-link.js';
import { PaperReader } from '../documents/paper-reader.js';
import { ResolutionActs } from './resolution-acts.js';
import { Certificate } from './resolution-certificate.js';
import { Drafting } from './resolution-draft.js';
import { sentenceOf } from './resolution-form.js';
import { outcome } from './resolution-outcome.js';
import { Seats } from './resolution-seats.js';
import { standing } from './resolution-standing.js';
import { BallotBox } from './resolution-vote.js';
import { titled } from '../../lib/words.js';
import { isTyped } from '../../lib/drafts.js';
import { t } from '../../lib/texts.js';

const NOT_FOUND = [404, 409];
const DAY_MS = 24 * 60 * 60 * 1000;

export default (app, params) => new ResolutionView(app, app.board, params);

class ResolutionView {
  constructor(app, board, params) {
    Object.assign(this, { app, board, params, drafting: null });
    /** @type {(name: 'listDocuments' | 'listCommittees' | 'listMeetings') => any} */
    const list = (name) => (cursor) => app.api.page(name, { params: { boardId: board.id }, query: { limit: 100 }, cursor });
    this.resolution = new Resource(() => app.api.get('getResolution', { params }), app.update);
    this.ballots = new List((cursor) => this.#page(cursor), app.update, { isWhole: true });
    this.documents = new List(list('listDocuments'), app.update);
    this.committees = new List(list('listCommittees'), app.update);
    this.meetings = new List(list('listMeetings'), app.update);
    const changed = (resolution) => this.#set(resolution);
    this.vote = new BallotBox(app, board, params, { ballots: () => this.ballots.items, cast: () => this.#refresh() });
    this.seats = new Seats(app, board, params, changed);
    this.acts = new ResolutionActs(app, board, params, { changed, deleted: () => this.#leave() });
    this.certificate = new Certificate(app, board, params);
    this.reader = new PaperReader(app, board, (documentId) => this.#fixed(documentId));
    this.actions = [...this.vote.actions, ...this.seats.actions, ...this.acts.actions, ...this.certificate.actions];
    this.resources = [this.resolution, this.ballots, this.documents, this.committees, this.meetings];
    this.follows = [{ on: ['resolution'], read: this.resolution, isHeld: isTyped }, { on: ['resolution'], read: this.ballots }];
  }

  title = () => (this.resolution.data ? titled(this.resolution.data) : t('resolutions.resolution'));

  /** A draft has no ballots. */
  #page(cursor) {
    return this.app.api.page('listBallots', { params: this.params, query: { limit: 100 }, cursor }).catch((error) => {
      if (NOT_FOUND.includes(error.status)) return { items: [], next: null };
      throw error;
    });
  }

  /** Which version of a paper the vote is on; a draft names the documents alone. */
  async #fixed(documentId) {
    if (this.resolution.data.status === 'draft') return undefined;
    const { items } = await this.app.api.page('listResolutionPapers', { params: this.params, query: { limit: 100 } });
    return items.find((paper) => paper.documentId === documentId)?.versionId;
  }

  #refresh() {
    return Promise.all([this.resolution.reload(), this.ballots.reload()]);
  }

  #set(resolution) {
    this.resolution.set(resolution);
    this.drafting = null;
    this.ballots.reload();
  }

  /** Shows the end of the vote when it comes, and the outcome once it is known. */
  #awaitEnd(resolution) {
    const { closesAt } = resolution;
    const left = Date.parse(closesAt) - timeNow();
    if (this.awaited === closesAt || !takesVotes(resolution) || !(left < DAY_MS)) return;
    this.awaited = closesAt;
    setTimeout(this.app.update, left);
    setTimeout(() => this.#refresh(), left + SETTLES_MS);
  }

  #leave() {
    this.app.say(t('resolution.theDraftWasDeleted'));
    this.app.go(this.board.path('resolutions'), { replace: true });
  }

  render() {
    return show(this.resolution, t('resolutions.theResolution'), (resolution) => html`
      <p class="row spread no-print"><a href=${this.board.path('resolutions')}>${t('resolutions.decisions')}</a>${historyLink(this.board, resolution.id)}</p>
      <div class="row spread"><h1>${titled(resolution)}</h1>${pill(resolution.status)}</div>
      ${this.#facts(resolution)}
      ${this.drafting ? this.drafting.render() : html`
        ${resolution.status === 'draft' ? this.#draft(resolution) : nothing}
        ${DECIDED.includes(resolution.status) ? card(t('resolution.outcome'), html`${outcome(resolution, this.#nameOf)}${this.certificate.render()}`, { id: 'outcome' }) : nothing}
        ${resolution.withdrawn ? html`<p class="notice">${t('resolution.withdrawnBecause', { name: this.#nameOf(resolution.withdrawn.byUserId), reason: resolution.withdrawn.reason })}</p>` : nothing}
        <div class="meeting"><div>${this.#text(resolution)}</div><div>${resolution.status === 'draft' ? nothing : this.#voting(resolution)}</div></div>`}`);
  }

  #nameOf = (userId) => this.board.nameOf(userId);

  #facts({ meetingId, committeeId, createdByUserId, openedAt, closedAt, supersedesId, supersededById, closesAt, status }) {
    const path = (kind, id) => this.board.path(kind, id);
    const titleIn = (list, id, name = 'title') => list.items.find((each) => each.id === id)?.[name];
    return html`
      <dl class="facts">
        ${status === 'open' ? html`<div><dt>${t('resolution.closes')}</dt><dd>${closesAt ? html`${deadline(closesAt)} <span class="soft">(${relativeTime(closesAt)})</span>` : t('resolution.closesInTheMeeting')}</dd></div>` : nothing}
        ${closedAt ? html`<div><dt>${t('resolution.closed')}</dt><dd>${dateTime(closedAt)}</dd></div>` : nothing}
        ${closedAt && Date.parse(closesAt) > Date.parse(closedAt) ? html`<div><dt>${t('resolution.announcedUntil')}</dt><dd>${dateTime(closesAt)}</dd></div>` : nothing}
        ${closedAt ? html`<div><dt>${t('resolution.opened')}</dt><dd>${dateTime(openedAt)}</dd></div>` : nothing}
        ${meetingId ? html`<div><dt>${t('common.meeting')}</dt><dd><a href=${path('meetings', meetingId)}>${titleIn(this.meetings, meetingId) ?? t('common.meeting')}</a></dd></div>` : nothing}
        ${committeeId ? html`<div><dt>${t('resolutionForm.whoDecides')}</dt><dd>${titleIn(this.committees, committeeId, 'name') ?? t('document.aCommittee')}</dd></div>` : nothing}
        ${createdByUserId && status !== 'open' ? html`<div><dt>${t('resolution.draftedBy')}</dt><dd>${this.#nameOf(createdByUserId)}</dd></div>` : nothing}
        ${supersedesId ? html`<div><dt>${t('resolutionForm.replaces')}</dt><dd><a href=${path('resolutions', supersedesId)}>${t('resolution.anEarlierOne')}</a></dd></div>` : nothing}
        ${supersededById ? html`<div><dt>${t('resolution.replacedBy')}</dt><dd><a href=${path('resolutions', supersededById)}>${t('resolution.aLaterOne')}</a></dd></div>` : nothing}
      </dl>`;
  }

  #draft(draft) {
    const mayEdit = this.acts.may('updateResolution');
    return html`
      ${sentenceOf(draft, this.board, this.committees.items)}
      <div class="row no-print">${this.acts.open(draft, (closesAt) => sentenceOf(draft, this.board, this.committees.items, closesAt))}${mayEdit ? html`<button type="button" @click=${() => this.#edit(draft)}>${t('common.edit')}</button>` : nothing}${this.acts.more(draft)}</div>`;
  }

  #edit(draft) {
    const send = (body) => this.app.api.get('updateResolution', { params: this.params, body });
    this.drafting = new Drafting(this.app, this.board, { draft, send, done: (saved) => this.#set(saved) });
    this.app.update();
  }

  #text({ text, documentIds }) {
    const titleOf = (id) => this.documents.items.find((each) => each.id === id)?.title ?? t('meetingAgenda.aPaper');
    return card(t('resolution.text'), html`
      <p class="said resolution-text">${text}</p>
      ${documentIds.length ? html`<h3>${t('common.documents')}</h3><ul class="plain-list">${documentIds.map((id) => html`<li class="row">
        <a class="grow" href=${this.board.path('documents', id)}>${titleOf(id)}</a>
        <button type="button" class="small no-print" aria-label=${t('resolutionForm.readTitle', { title: titleOf(id) })} @click=${() => this.reader.open(id)}>${t('resolutionForm.read')}</button></li>`)}</ul>${this.reader.render()}` : nothing}`);
  }

  #voting(resolution) {
    this.#awaitEnd(resolution);
    const { voters, status, ballots, rule, tally } = resolution;
    const isOpen = status === 'open';
    const voted = voters.filter(({ recused }) => !recused).length - missingOf(resolution, this.ballots.items).length;
    const vote = this.vote.render(resolution);
    return html`
      ${vote === nothing ? nothing : card(t('resolution.yourVote'), vote, { id: 'vote' })}
      ${card(t('resolution.voters'), html`
        ${isOpen ? html`<p class="rule-sentence">${ruleSentence(resolution, this.#nameOf)}</p><p class="soft">${secrecy(ballots)}</p>` : nothing}
        ${isOpen && ballots !== 'hidden' ? html`<p role="status"><b>${t('resolution.soManyHaveVoted', { voted, all: voters.filter(({ recused }) => !recused).length })}</b></p>` : nothing}
        ${isOpen && tally ? outcome({ rule, tally, status }, this.#nameOf) : nothing}
        ${standing(resolution, this.ballots.items, this.board)}
        <div class="row no-print">${this.seats.render(resolution)}${this.acts.close(resolution, this.ballots.items)}${isOpen ? this.acts.more(resolution) : nothing}</div>`, { id: 'voters' })}`;
  }
}
