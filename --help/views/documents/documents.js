import { ORDERS, TYPES, documentType, matching, ordered, titleOf } from '../../lib/documents.js';
import { List, Resource } from '../../lib/state.js';
import { card, choice, html, nothing, relativeTime, showList } from '../../lib/ui.js';
import { Uploads } from './file-uploads.js';
import { t } from '../../lib/texts.js';

export default (app) => new DocumentsView(app, app.board);

const ORDER_WORDS = () => ({ changed: t('documents.newestFirst'), title: t('documents.byTitle'), type: t('documents.byType') });

class DocumentsView {
  title = () => t('common.documents');

  constructor(app, board) {
    Object.assign(this, { app, board, text: '', order: ORDERS[0], chosen: { documentType: '', committeeId: '' } });
    const params = { boardId: board.id };
    this.type = new URLSearchParams(location.search).get('type') ?? '';
    this.committees = new Resource(() => app.api.page('listCommittees', { params, query: { limit: 100 } }), app.update);
    this.uploads = new Uploads(app, (file) => this.#create(file), () => this.documents.reload(), (file) => this.documents.items.find(({ title }) => title === titleOf(file)));
    this.actions = [['createDocument', params]];
    this.#load();
  }

  #load() {
    const query = { limit: 50, documentType: this.type };
    this.documents = new List((cursor) => this.app.api.page('listDocuments', { params: { boardId: this.board.id }, query, cursor }), this.app.update);
    this.resources = [this.documents, this.committees];
  }

  /** Creates the document of a file: titled by its name, of the type and for the readers that are chosen. */
  async #create(file) {
    const given = Object.entries(this.chosen).filter(([, value]) => value);
    const { id } = await this.app.api.get('createDocument', { params: { boardId: this.board.id }, body: { title: titleOf(file), ...Object.fromEntries(given) } });
    return { boardId: this.board.id, documentId: id };
  }

  #filter(type) {
    this.type = type;
    this.app.router.query({ type });
    this.#load();
  }

  #set(values) {
    Object.assign(this, values);
    this.app.update();
  }

  render() {
    return html`
      <h1>${t('common.documents')}</h1>
      ${this.board.may('createDocument') ? card(t('documents.addDocuments'), this.#adding()) : nothing}
      <div class="filters">
        <div class="field"><label for="documents-text">${t('frame.search')}</label><input id="documents-text" type="search" .value=${this.text} @input=${({ target }) => this.#search(target.value)}></div>
        ${choice('type', t('common.type'), [['', t('common.all')], ...this.#types()], { value: this.type, onChange: ({ target }) => this.#filter(target.value) })}
        ${choice('order', t('common.order'), ORDERS.map((each) => [each, ORDER_WORDS()[each]]), { value: this.order, onChange: ({ target }) => this.#set({ order: target.value }) })}
      </div>
      ${showList(this.documents, t('common.theDocuments'), this.type ? t('documents.noDocumentIsOfThisType') : t('documents.thereIsNoDocumentYet'), (items) => this.#list(items))}`;
  }

  /** Searching looks at every document, so the rest of the list is read then. */
  #search(text) {
    this.#set({ text });
    if (text && this.documents.hasMore) this.documents.loadAll();
  }

  #list(items) {
    const found = ordered(matching(items, this.text), this.order);
    return found.length ? html`<ul class="rows">${found.map((item) => this.#row(item))}</ul>` : html`<p class="empty">${t('documents.nothingFits')}</p>`;
  }

  /** The types of this list: the usual ones, and those that documents of the board have. */
  #types() {
    const others = this.documents.items.map(({ documentType: type }) => type).filter((type) => type && !TYPES.includes(type));
    return [...TYPES, ...new Set([...others, ...(this.type && !TYPES.includes(this.type) ? [this.type] : [])])].map((type) => [type, documentType(type)]);
  }

  #row(item) {
    const committee = this.committees.data?.items.find(({ id }) => id === item.committeeId);
    return html`
      <li><a class="row-link" href=${this.board.path('documents', item.id)}>
        <span class="grow"><b>${item.title}</b> <span class="soft">${item.documentType ? `${documentType(item.documentType)} · ` : ''}${t('common.changedWhen', { when: relativeTime(item.updatedAt) })}</span></span>
        ${item.committeeId ? html`<span class="pill quiet">${committee?.name ?? t('documents.committee')}</span>` : nothing}
      </a></li>`;
  }

  #adding() {
    const choose = (name) => ({ target }) => { this.chosen[name] = target.value; };
    const committees = this.committees.data?.items ?? [];
    return html`
      <div class="pair">
        ${choice('documentType', t('common.type'), [['', '–'], ...this.#types()], { onChange: choose('documentType') })}
        ${choice('committeeId', t('common.whoMaySeeIt'), [['', t('common.theWholeBoard')], ...committees.map(({ id, name }) => [id, name])], { onChange: choose('committeeId') })}
      </div>
      ${this.uploads.render()}`;
  }
}
