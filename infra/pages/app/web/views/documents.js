import { Act, List, Resource } from '../lib/state.js';
import { closeAround, disclosure, field, html, pill, relativeTime, showList } from '../lib/ui.js';
import { sentence } from '../lib/words.js';
import { documentBody, documentForm } from './document-form.js';
import { t } from '../lib/texts.js';

export default (app) => new DocumentsView(app, app.board);

class DocumentsView {
  title = () => t('common.documents');

  constructor(app, board) {
    Object.assign(this, { app, board });
    this.type = new URLSearchParams(location.search).get('type') ?? '';
    const params = { boardId: board.id };
    this.committees = new Resource(() => app.api.page('listCommittees', { params, query: { limit: 100 } }), app.update);
    this.meetings = new Resource(() => app.api.page('listMeetings', { params, query: { limit: 100 } }), app.update);
    this.creating = new Act(app.update);
    this.actions = [['createDocument', params]];
    this.#load();
  }

  #load() {
    const query = { limit: 50, documentType: this.type };
    this.documents = new List((cursor) => this.app.api.page('listDocuments', { params: { boardId: this.board.id }, query, cursor }), this.app.update);
    this.resources = [this.documents, this.committees, this.meetings];
  }

  #filter(type) {
    this.type = type.trim();
    this.app.router.query({ type: this.type });
    this.#load();
  }

  render() {
    return html`
      <div class="row spread"><h1>${t('common.documents')}</h1>
        <form class="inline-form" @submit=${(event) => this.#submit(event)}>
          ${field('type', t('common.type'), { value: this.type, placeholder: t('documents.minutesPolicy') })}
          <button type="submit">${t('common.show')}</button>${this.type ? html`<button type="button" class="plain" @click=${(event) => this.#clear(event)}>${t('common.all')}</button>` : ''}
        </form></div>
      <p class="soft">${t('documents.theServiceKeepsWhatADocument')}</p>
      ${this.board.may('createDocument') ? disclosure(t('documents.addADocument'), this.#form()) : ''}
      ${showList(this.documents, t('common.theDocuments'), this.type ? t('documents.noDocumentIsOfThisType') : t('documents.thereIsNoDocumentYet'), (items) => html`<ul class="rows">${items.map((item) => this.#row(item))}</ul>`)}`;
  }

  #submit(event) {
    event.preventDefault();
    this.#filter(event.currentTarget.elements.type.value);
  }

  #clear(event) {
    event.currentTarget.form.elements.type.value = '';
    this.#filter('');
  }

  #row(item) {
    const committee = this.committees.data?.items.find(({ id }) => id === item.committeeId);
    return html`
      <li><a class="row-link" href=${this.board.path('documents', item.id)}>
        <span class="grow"><b>${item.title}</b> <span class="soft">${item.documentType ? `${sentence(item.documentType)} · ` : ''}${t('common.changedWhen', { when: relativeTime(item.updatedAt) })}</span></span>
        ${item.committeeId ? pill(committee?.name ?? t('documents.committee'), 'quiet') : ''}
      </a></li>`;
  }

  #form() {
    return documentForm({
      act: this.creating, button: t('common.add'), committees: this.committees.data?.items ?? [], meetings: this.meetings.data?.items ?? [],
      submit: async (values, target) => {
        const body = documentBody(values);
        const item = await this.app.api.get('createDocument', { params: { boardId: this.board.id }, body, key: this.creating.keyFor(body) });
        this.documents.replace([item, ...this.documents.items]);
        closeAround(target);
        this.app.say(t('documents.theDocumentWasAdded'));
      },
    });
  }
}
