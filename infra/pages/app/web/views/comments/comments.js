// The comments on a meeting, a document or a dashboard: read, written, answered, resolved.

import { ANY } from '../../lib/access.js';
import { Act, List } from '../../lib/state.js';
import { actProblem, area, checks, choice, closeAround, confirmButton, disclosure, form, html, menu, nothing, pill, relativeTime, repeat, showList } from '../../lib/ui.js';
import { personName } from '../../lib/words.js';
import { t } from '../../lib/texts.js';

// The operations on the comments of each kind of thing.
const OPERATIONS = /** @type {const} */ ({
  meeting: { subject: 'meetingId', list: 'listMeetingComments', create: 'createMeetingComment', update: 'updateMeetingComment', delete: 'deleteMeetingComment', resolve: 'resolveMeetingComment', reopen: 'reopenMeetingComment' },
  document: { subject: 'documentId', list: 'listDocumentComments', create: 'createDocumentComment', update: 'updateDocumentComment', delete: 'deleteDocumentComment', resolve: 'resolveDocumentComment', reopen: 'reopenDocumentComment' },
  dashboard: { subject: 'dashboardId', list: 'listDashboardComments', create: 'createDashboardComment', update: 'updateDashboardComment', delete: 'deleteDashboardComment', resolve: 'resolveDashboardComment', reopen: 'reopenDashboardComment' },
});
const QUOTED = 80;

export class Comments {
  /** `kind` is what is commented on; `figures` are pairs of id and name. @param {keyof typeof OPERATIONS} kind @param {any} params */
  constructor(app, board, kind, params, figures = () => []) {
    Object.assign(this, { app, board, kind, params, figures });
    this.list = new List((cursor) => app.api.page(OPERATIONS[kind].list, { params, query: { limit: 50 }, cursor }), app.update);
    const { subject } = OPERATIONS[kind];
    this.follows = [{ on: ['comment'], ids: { [subject]: params[subject] }, read: this.list }];
    this.adding = new Act(app.update);
    this.acts = new Map();
    const ofOne = ['update', 'delete', 'resolve', 'reopen'].map((verb) => [this.#name(verb), { ...params, commentId: ANY }]);
    this.actions = [[this.#name('create'), params], ...ofOne];
  }

  /**
   * @template {'create' | 'update' | 'delete' | 'resolve' | 'reopen'} V
   * @param {V} verb
   */
  #name(verb) {
    return OPERATIONS[this.kind][verb];
  }

  #may(verb) {
    return this.board.may(this.#name(verb), { ...this.params, commentId: ANY });
  }

  #act(id, what) {
    const key = `${id} ${what}`;
    if (!this.acts.has(key)) this.acts.set(key, new Act(this.app.update));
    return this.acts.get(key);
  }

  render() {
    return html`
      ${showList(this.list, t('comments.theComments'), t('comments.nobodyHasCommentedYet'), (items) => html`
        <ul class="rows talk">${repeat(items, ({ id }) => id, (each) => this.#row(each, items))}</ul>`)}
      ${this.#may('create') ? disclosure(t('comments.comment'), this.#form('new', this.adding, t('comments.send'), (body) => this.#add(body, this.adding))) : nothing}`;
  }

  #row(comment, items) {
    const parent = items.find(({ id }) => id === comment.replyToId);
    const figure = this.figures().find(([id]) => id === comment.fieldId);
    const isOwn = comment.authorUserId === this.board.userId;
    const mayRemove = this.#may('delete') && (isOwn || this.board.may('updateBoard'));
    const mayEdit = isOwn && this.#may('update');
    const name = this.board.nameOf(comment.authorUserId);
    const resolving = this.#act(comment.id, 'resolution');
    const answering = this.#act(comment.id, 'answer');
    return html`
      <li id="comment-${comment.id}" class=${comment.resolvedAt ? 'resolved' : ''}>
        <div class="row spread">
          <span class="grow"><b>${name}</b> <span class="soft">${relativeTime(comment.createdAt)}${figure ? html` · ${figure[1]}` : nothing}</span> ${comment.resolvedAt ? pill(t('comments.resolved'), 'good') : nothing}</span>
          ${mayEdit || mayRemove ? menu(t('comments.commentByName', { name }), html`${mayEdit ? this.#edit(comment) : nothing}${mayRemove ? this.#delete(comment) : nothing}`) : nothing}
        </div>
        ${comment.replyToId ? html`<p class="soft small">${parent ? t('comments.inReplyTo', { name: this.board.nameOf(parent.authorUserId), text: shortened(parent.text) }) : t('comments.inReplyToADeletedComment')}</p>` : nothing}
        <p class="said">${comment.text}</p>
        ${comment.mentions.length ? html`<p class="soft small">${t('comments.forNames', { names: comment.mentions.map((id) => this.board.nameOf(id)).join(', ') })}</p>` : nothing}
        <div class="row no-print">
          ${this.#may('create') ? disclosure(t('comments.reply'), this.#form(comment.id, answering, t('comments.send'), (body) => this.#add({ ...body, replyToId: comment.id }, answering))) : nothing}
          ${this.#may('resolve') ? html`<button type="button" ?disabled=${resolving.isBusy} @click=${() => resolving.run(() => this.#resolve(comment))}>${comment.resolvedAt ? t('comments.reopen') : t('comments.resolve')}</button>` : nothing}
        </div>
        ${actProblem(resolving)}
      </li>`;
  }

  #form(id, act, button, submit) {
    const others = this.board.members.items.filter(({ userId }) => userId !== this.board.userId);
    const people = others.map((member) => [member.userId, personName(member)]);
    const figures = id === 'new' ? this.figures() : [];
    return form({
      act, button,
      submit: async ({ text, mentions, fieldId }, target) => {
        await submit({ text, ...(mentions?.length ? { mentions } : {}), ...(fieldId ? { fieldId } : {}) });
        closeAround(target);
      },
      content: html`
        ${this.#text(`${id}-text`, this.#name('create'))}
        ${figures.length ? choice('fieldId', t('comments.figure'), [['', t('comments.theWholeDashboard')], ...figures], { id: this.#id(`${id}-figure`) }) : nothing}
        ${people.length ? html`<details><summary>${t('comments.tellSomebody')}</summary>${checks('mentions', t('comments.whoIsTold'), people)}</details>` : nothing}`,
    });
  }

  #text(id, of, value = '') {
    return area('text', t('common.comment'), { id: this.#id(id), of, value, isRequired: true });
  }

  /** A page may have the comments on several dashboards. */
  #id(name) {
    return `comments-${Object.values(this.params).at(-1)}-${name}`;
  }

  #edit(comment) {
    const act = this.#act(comment.id, 'edit');
    const name = this.#name('update');
    return disclosure(t('common.edit'), form({
      act, button: t('common.save'), keep: true,
      submit: async ({ text }, target) => {
        this.#put(await this.app.api.get(name, { params: this.#of(comment), body: { text } }));
        closeAround(target);
      },
      content: this.#text(`${comment.id}-edit`, name, comment.text),
    }));
  }

  #delete(comment) {
    const act = this.#act(comment.id, 'delete');
    return confirmButton({
      act, text: t('common.delete'), yes: t('comments.deleteTheComment'), question: t('comments.theCommentIsDeletedAnswersStay'),
      run: () => act.run(async () => {
        await this.app.api.call(this.#name('delete'), { params: this.#of(comment) });
        this.list.replace(this.list.items.filter(({ id }) => id !== comment.id));
      }),
    });
  }

  #of(comment) {
    return { ...this.params, commentId: comment.id };
  }

  #put(comment) {
    this.list.replace(this.list.items.map((each) => (each.id === comment.id ? comment : each)));
  }

  async #resolve(comment) {
    const name = this.#name(comment.resolvedAt ? 'reopen' : 'resolve');
    this.#put(await this.app.api.get(name, { params: this.#of(comment) }));
  }

  async #add(body, act) {
    const made = await this.app.api.get(this.#name('create'), { params: this.params, body, key: act.keyFor(body) });
    await this.list.loadAll();
    if (!this.list.items.some(({ id }) => id === made.id)) this.list.replace([...this.list.items, made]);
  }
}

function shortened(text) {
  return text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text;
}
