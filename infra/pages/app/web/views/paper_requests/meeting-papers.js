// The papers that a meeting asks for, as one table: who owes what by when, what was delivered, and what is approved.

import { ANY } from '../../lib/access.js';
import { dateTime, fromWall } from '../../lib/dates.js';
import { Problem, waitInWords } from '../../lib/problems.js';
import { Act, List } from '../../lib/state.js';
import { timeNow } from '../../lib/clock.js';
import { actProblem, area, card, choice, closeAround, confirmButton, disclosure, field, form, html, longest, menu, nothing, pill, repeat, show } from '../../lib/ui.js';
import { personName } from '../../lib/words.js';
import { personOf, personOptions } from '../members/person-choice.js';
import { PaperFile } from './paper-file.js';
import { t } from '../../lib/texts.js';

const MISSING = ['requested', 'returned'];
const OPEN = [...MISSING, 'delivered'];
const NAMES = ['updatePaperRequest', 'deletePaperRequest', 'remindPaperRequest'];

export class MeetingPapers {
  #acts = new Map();
  #files = new Map();

  constructor(app, board, params, agenda) {
    Object.assign(this, { app, board, params, agenda, reminded: new Set(), chosen: '' });
    board.unregistered;
    this.list = new List((cursor) => app.api.page('listPaperRequests', { params, query: { limit: 100 }, cursor }), app.update, { isWhole: true });
    this.asking = new Act(app.update);
    this.actions = [['createPaperRequest', params], ...NAMES.map((name) => [name, { ...params, paperRequestId: ANY }])];
    this.resources = [this.list];
    this.follows = [{ on: ['paper_request'], read: this.list }, { on: ['unregistered_user'], read: board.unregistered }];
  }

  /** What was asked for where a document was delivered; undefined for others. */
  titleOf(id) {
    return this.list.items.find(({ documentId }) => documentId === id)?.title;
  }

  /** A card, where papers are asked for, or somebody may ask for one. */
  render(meeting) {
    const mayAsk = this.board.may('createPaperRequest', this.params) && !['draft', 'finalized'].includes(meeting.status) && !meeting.cancellation;
    if (!this.list.problem && !this.list.items.length && !mayAsk) return nothing;
    return card(t('paperRequests.papers'), show(this.list, t('paperRequests.thePapers'), () => html`
      ${this.list.items.length ? this.#table(meeting) : html`<p class="soft">${t('paperRequests.noPaperIsAskedFor')}</p>`}
      ${mayAsk ? html`<div class="no-print">${disclosure(t('paperRequests.askForAPaper'), this.#form(), { id: 'ask-paper' })}</div>` : nothing}`), { id: 'papers' });
  }

  #table(meeting) {
    const isOver = meeting.status === 'finalized';
    return html`
      <p role="status">${this.#missing()}</p>
      <div class="table-scroll" role="region" aria-label=${t('paperRequests.thePapers')} tabindex="0"><table class="data papers">
        <thead><tr><th scope="col">${t('paperRequests.paper')}</th><th scope="col">${t('paperRequests.asked')}</th><th scope="col">${t('paperRequests.due')}</th><th scope="col">${t('paperRequests.delivered')}</th><th scope="col">${t('paperRequests.approved')}</th><th class="no-print"><span class="out-of-sight">${t('paperRequests.whatToDo')}</span></th></tr></thead>
        <tbody>${repeat(this.list.items, ({ id }) => id, (request) => this.#row(request, isOver))}</tbody>
      </table></div>`;
  }

  /** Whether a paper is missing, or waits for its approval. */
  get isWaiting() {
    return this.list.items.some(({ status }) => OPEN.includes(status));
  }

  /** What is missing, in words. */
  #missing() {
    const { length } = this.list.items.filter(({ status }) => MISSING.includes(status));
    return length ? t('paperRequests.numberAreMissing', { number: length }) : t('paperRequests.nothingIsMissing');
  }

  #row(request, isOver) {
    const { title, status, dueAt, deliveredAt, decidedAt, documentId, note, agendaItemId, instructions, from } = request;
    const item = this.agenda.resource.data?.items.find(({ id }) => id === agendaItemId);
    const isLate = MISSING.includes(status) && Date.parse(dueAt) < timeNow();
    const when = deliveredAt ? dateTime(deliveredAt) : '';
    const silence = MISSING.includes(status) ? this.#silence(from) : null;
    return html`
      <tr>
        <th scope="row"><b>${title}</b> ${pill(status)}
          ${item ? html`<br><small class="soft">${item.title}</small>` : nothing}
          ${OPEN.includes(status) && instructions ? html`<br><small>${instructions}</small>` : nothing}
          ${note ? html`<br><small>${t('paperRequests.note', { note })}</small>` : nothing}</th>
        <td>${this.#nameOf(from)} ${silence ? html`<br><small class="soft">${silence}</small>` : nothing}</td>
        <td>${dateTime(dueAt)}${isLate ? html`<br>${pill('overdue', 'warn')}` : nothing}</td>
        <td>${documentId ? html`<a href=${this.board.path('documents', documentId)}>${when}<span class="out-of-sight">: ${t('paperRequests.readTitle', { title })}</span></a>` : when || '–'}</td>
        <td>${status === 'approved' ? dateTime(decidedAt) : '–'}</td>
        <td class="no-print">${isOver ? nothing : this.#todo(request)}</td>
      </tr>`;
  }

  /** The name of who is asked. */
  #nameOf({ userId, unregisteredUserId }) {
    return userId ? this.board.nameOf(userId) : (this.board.withoutAccount(unregisteredUserId)?.fullName ?? '…');
  }

  /** Why no mails reach who is asked, in words; null as far as it is not known. */
  #silence({ unregisteredUserId }) {
    const person = this.board.withoutAccount(unregisteredUserId);
    return person ? this.board.whyNoMails(person) : null;
  }

  /** What the caller can do: deliver what they are asked for, decide on what was delivered, remind of what is missing. */
  #todo(request) {
    const { id, status, title } = request;
    const act = this.#act(id);
    const may = (name) => this.board.may(name, { ...this.params, paperRequestId: ANY });
    const isAsked = Boolean(request.from.userId) && request.from.userId === this.board.userId && OPEN.includes(status);
    const isReminding = MISSING.includes(status) && !isAsked && !this.#silence(request.from) && may('remindPaperRequest');
    return html`
      ${isAsked ? this.#file(request).render() : nothing}
      ${status === 'delivered' && this.#decides(request) ? this.#decision(request) : nothing}
      ${isReminding ? this.#reminder(request) : nothing}
      ${actProblem(act)}
      ${(OPEN.includes(status) && may('updatePaperRequest')) || may('deletePaperRequest') ? menu(title, html`
        ${OPEN.includes(status) && may('updatePaperRequest') ? html`<button type="button" @click=${() => this.#change(request, { status: 'cancelled' })}>${t('paperRequests.noLongerNeeded')}</button>` : nothing}
        ${may('deletePaperRequest') ? this.#delete(request) : nothing}`) : nothing}`;
  }

  #reminder({ id, title, from }) {
    if (this.reminded.has(id)) return html`<span class="saved" role="status">${t('paperRequests.reminded')}</span>`;
    const name = this.#nameOf(from);
    return html`<button type="button" class="small" aria-label=${t('paperRequests.remindNameOfTitle', { name, title })} ?disabled=${this.#act(id).isBusy} @click=${() => this.#remind(id)}>${t('meetingReminder.remind')}</button>`;
  }

  #remind(id) {
    return this.#act(id).run(async () => {
      await this.app.api.get('remindPaperRequest', { params: { ...this.params, paperRequestId: id } }).catch(refused);
      this.reminded.add(id);
    });
  }

  /** Whether the caller decides on a paper that they can read. */
  #decides({ reviewerUserId, documentId }) {
    if (!documentId) return false;
    return reviewerUserId ? reviewerUserId === this.board.userId : this.board.may('createPaperRequest', this.params);
  }

  #decision(request) {
    const { id, title } = request;
    const act = this.#act(id);
    return html`
      <button type="button" class="small primary" aria-label=${t('paperRequests.approveTitle', { title })} ?disabled=${act.isBusy} @click=${() => this.#decide(id, { decision: 'approved' })}>${t('paperRequests.approve')}</button>
      ${confirmButton({
        act, tone: 'small', text: t('paperRequests.return'), yes: t('paperRequests.returnThePaper'), of: t('paperRequests.returnTitle', { title }),
        question: html`<p>${t('paperRequests.nameIsAskedAgain', { name: this.#nameOf(request.from) })}</p>
          <div class="field"><label for="note-${id}">${t('paperRequests.whatIsMissing')}</label>
            <textarea id="note-${id}" rows="3" maxlength=${longest('decidePaperRequest', 'note')}></textarea></div>`,
        run: () => this.#decide(id, { decision: 'returned', note: document.getElementById(`note-${id}`).value.trim() || null }),
      })}`;
  }

  #decide(id, body) {
    return this.#act(id).run(async () => {
      this.#put(await this.app.api.get('decidePaperRequest', { params: { ...this.params, paperRequestId: id }, body }));
      if (body.decision === 'approved') await this.agenda.resource.reload();
    });
  }

  #change({ id }, body) {
    return this.#act(id).run(async () => this.#put(await this.app.api.get('updatePaperRequest', { params: { ...this.params, paperRequestId: id }, body })));
  }

  #delete({ id, title }) {
    return confirmButton({
      act: this.#act(id), text: t('common.delete'), yes: t('paperRequests.deleteTheRequest'), question: t('paperRequests.titleIsDeleted', { title }),
      run: () => this.#act(id).run(async () => {
        await this.app.api.call('deletePaperRequest', { params: { ...this.params, paperRequestId: id } });
        this.list.replace(this.list.items.filter((each) => each.id !== id));
      }),
    });
  }

  #form() {
    const people = this.board.members.items.map((member) => [member.userId, personName(member)]);
    const items = (this.agenda.resource.data?.items ?? []).filter(({ withheld, audience }) => !withheld && !audience);
    return form({
      act: this.asking, button: t('paperRequests.ask'),
      submit: async (values, target) => {
        const from = askedOf(values.from);
        const body = {
          title: values.title, from, dueAt: fromWall(values.dueAt),
          agendaItemId: values.agendaItemId || null, reviewerUserId: values.reviewerUserId || null, instructions: values.instructions || null,
        };
        const asked = await this.app.api.get('createPaperRequest', { params: this.params, body, key: this.asking.keyFor(body) });
        this.list.replace([...this.list.items, asked]);
        this.chosen = '';
        closeAround(target);
        this.app.say(t('paperRequests.nameIsAsked', { name: this.#nameOf(from) }));
      },
      content: html`
        ${field('title', t('paperRequests.paper'), { id: 'paper-title', required: true, of: 'createPaperRequest' })}
        <div class="pair">
          ${choice('from', t('paperRequests.whoIsAsked'), personOptions(this.board, {}, { nobody: '' }), { id: 'paper-from', required: true, hint: this.#howTheyDeliver(), onChange: ({ target }) => this.#choose(target.value) })}
          ${field('dueAt', t('paperRequests.due'), { id: 'paper-due', type: 'datetime-local', required: true })}
          ${choice('agendaItemId', t('paperRequests.agendaItem'), [['', t('paperRequests.theMeetingAsAWhole')], ...items.map(({ id, title }) => [id, title])], { id: 'paper-item' })}
          ${choice('reviewerUserId', t('paperRequests.whoApproves'), [['', t('paperRequests.anybodyWhoContributes')], ...people], { id: 'paper-reviewer' })}
        </div>
        ${area('instructions', t('paperRequests.whatItMustContain'), { id: 'paper-instructions', of: 'createPaperRequest' })}`,
    });
  }

  #choose(value) {
    this.chosen = value;
    this.app.update();
  }

  /** How the chosen person delivers, if they have no account; what it means that no mails reach them. */
  #howTheyDeliver() {
    const from = askedOf(this.chosen);
    if (!from.unregisteredUserId) return '';
    const silence = this.#silence(from);
    return silence ? `${silence} ${t('paperRequests.noLinkWithoutMails')}` : t('paperRequests.theyDeliverByALink');
  }

  #act(id) {
    if (!this.#acts.has(id)) this.#acts.set(id, new Act(this.app.update));
    return this.#acts.get(id);
  }

  #file({ id, title }) {
    if (!this.#files.has(id)) this.#files.set(id, new PaperFile(this.app, { ...this.params, paperRequestId: id }, title, () => this.list.refresh()));
    return this.#files.get(id);
  }

  #put(request) {
    this.list.replace(this.list.items.map((each) => (each.id === request.id ? request : each)));
  }
}

/** Returns who is asked, of a value of the choice. */
function askedOf(value) {
  const { userId, unregisteredUserId } = personOf(value);
  return unregisteredUserId ? { unregisteredUserId } : { userId };
}

/** Somebody is reminded of a paper once a day: that limit is said as what it is. @returns {never} */
function refused(error) {
  if (error.status !== 429 || !error.wait) throw error;
  throw new Problem({ status: 400, message: t('meetingReminder.theyWereRemindedLessThanA', { waitInWords: waitInWords(error.wait) }) });
}
