// The documents of a meeting: what is on its agenda comes first.

import { Act, List } from '../lib/state.js';
import { closeAround, disclosure, html, nothing, showList } from '../lib/ui.js';
import { sentence } from '../lib/words.js';
import { documentBody, documentForm } from './document-form.js';
import { t } from '../lib/texts.js';

const AGENDA = 'agenda';

export class Documents {
  constructor(app, board, params) {
    Object.assign(this, { app, board, params });
    const linked = { params: { boardId: board.id }, query: { meetingId: params.meetingId, limit: 50 } };
    this.list = new List((cursor) => app.api.page('listDocuments', { ...linked, cursor }), app.update);
    this.adding = new Act(app.update);
  }

  render({ status }) {
    return html`
      ${showList(this.list, t('common.theDocuments'), t('meetingDocuments.nothingIsOnTheAgendaYet'), (items) => html`<ul class="rows">${sorted(items).map((item) => this.#row(item))}</ul>`)}
      ${this.board.may('createDocument') && status !== 'finalized' ? disclosure(t('meetingDocuments.addToTheAgenda'), this.#form()) : nothing}`;
  }

  #row(item) {
    return html`
      <li><a class="row-link" href=${this.board.path('documents', item.id)}>
        <span class="grow"><b>${item.title}</b>${item.documentType ? html` <span class="soft">${sentence(item.documentType)}</span>` : nothing}</span></a></li>`;
  }

  #form() {
    return documentForm({
      act: this.adding, button: t('common.add'), committees: [], meetings: [], item: { documentType: AGENDA },
      submit: async (values, target) => {
        const body = { ...documentBody(values), meetingIds: [this.params.meetingId] };
        const item = await this.app.api.get('createDocument', { params: { boardId: this.board.id }, body, key: this.adding.keyFor(body) });
        this.list.replace([...this.list.items, item]);
        closeAround(target);
      },
    });
  }
}

function sorted(items) {
  const isOf = ({ documentType }) => documentType === AGENDA;
  return [...items.filter(isOf).reverse(), ...items.filter((item) => !isOf(item))];
}
