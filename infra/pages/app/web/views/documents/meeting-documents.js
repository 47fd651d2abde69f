// The documents of a meeting, each with its place on the agenda.

import { Act, List } from '../../lib/state.js';
import { actProblem, html, nothing, showList } from '../../lib/ui.js';
import { documentType, titleOf } from '../../lib/documents.js';
import { Uploads } from './file-uploads.js';
import { NEW_ITEM } from '../../lib/agenda-items.js';
import { t } from '../../lib/texts.js';

export class Documents {
  agenda = null;

  constructor(app, board, params) {
    Object.assign(this, { app, board, params });
    const linked = { params: { boardId: board.id }, query: { meetingId: params.meetingId, limit: 50 } };
    this.list = new List((cursor) => app.api.page('listDocuments', { ...linked, cursor }), app.update);
    this.placing = new Act(app.update);
    this.uploads = new Uploads(app, (file) => this.#create(file), () => this.list.reload(), (file) => this.list.items.find(({ title }) => title === titleOf(file)));
    this.actions = [['createDocument', { boardId: board.id }]];
    this.resources = [this.list];
    this.follows = [{ on: ['document', 'board_pack', 'agenda'], read: this.list }];
  }

  /** Creates the document of a file: under its name, on this meeting. */
  async #create(file) {
    const body = { title: titleOf(file), meetingIds: [this.params.meetingId] };
    const { id } = await this.app.api.get('createDocument', { params: { boardId: this.board.id }, body });
    return { boardId: this.board.id, documentId: id };
  }

  render(meeting) {
    const takesPapers = this.agenda.takesPapers(meeting);
    return html`
      ${showList(this.list, t('common.theDocuments'), t('documents.thereIsNoDocumentYet'), (items) => html`<ul class="rows">${items.map((item) => this.#row(item, takesPapers))}</ul>`)}
      ${actProblem(this.placing)}
      ${this.board.may('createDocument') && meeting.status !== 'finalized' ? this.uploads.render() : nothing}`;
  }

  #row(item, takesPapers) {
    return html`
      <li><div class="row">
        <a class="grow" href=${this.board.path('documents', item.id)}><b>${item.title}</b>${item.documentType ? html` <span class="soft">${documentType(item.documentType)}</span>` : nothing}</a>
        ${takesPapers ? this.#place(item) : nothing}</div></li>`;
  }

  /** Where on the agenda a document is: chosen, and saved at once. */
  #place({ id, title }) {
    const own = this.agenda.itemOf(id)?.id ?? '';
    const options = [['', t('meetingDocuments.notOnTheAgenda')], ...this.agenda.resource.data.items.map((item, index) => [item, index + 1]).filter(([item]) => !item.withheld && !item.audience).map(([item, number]) => [item.id, `${number}. ${item.title}`]), [NEW_ITEM, t('meetingDocuments.aNewItem')]];
    return html`
      <select class="small place" aria-label=${t('meetingDocuments.placeOfTitle', { title })} ?disabled=${this.placing.isBusy} @change=${({ target }) => this.placing.run(() => this.agenda.attach(target.value, id, title))}>
        ${options.map(([value, words]) => html`<option value=${value} ?selected=${value === own}>${words}</option>`)}
      </select>`;
  }
}
