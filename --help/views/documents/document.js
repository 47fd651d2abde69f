import { Act, Resource } from '../../lib/state.js';
import { card, closeAround, confirmButton, disclosure, html, menu, relativeTime, show } from '../../lib/ui.js';
import { documentType } from '../../lib/documents.js';
import { Files } from './document-files.js';
import { historyLink } from '../history/history-link.js';
import { Opened } from '../opened.js';
import { documentBody, documentForm } from './document-form.js';
import { t } from '../../lib/texts.js';

export default (app, params) => new DocumentView(app, app.board, params);

class DocumentView {
  constructor(app, board, params) {
    Object.assign(this, { app, board, params });
    const here = { boardId: board.id };
    this.document = new Resource(() => app.api.get('getDocument', { params }), app.update);
    this.committees = new Resource(() => app.api.page('listCommittees', { params: here, query: { limit: 100 } }), app.update);
    this.meetings = new Resource(() => app.api.page('listMeetings', { params: here, query: { limit: 100 } }), app.update);
    this.changing = new Act(app.update);
    this.deleting = new Act(app.update);
    this.files = new Files(app, board, params, () => this.document.reload());
    this.comments = new Opened(app, async () => new (await import('../comments/comments.js')).Comments(app, board, 'document', params));
    this.actions = [...['updateDocument', 'deleteDocument'].map((name) => [name, params]), ...this.files.actions];
    this.resources = [this.document, this.committees, this.meetings, this.files.list];
  }

  get follows() {
    return this.comments.follows;
  }

  title = () => this.document.data?.title ?? t('document.document');

  render() {
    return show(this.document, t('document.theDocument'), (item) => html`
      <div class="row spread"><h1>${item.title}</h1>${historyLink(this.board, item.id)}</div>
      <dl class="facts">
        ${item.documentType ? html`<div><dt>${t('common.type')}</dt><dd>${documentType(item.documentType)}</dd></div>` : ''}
        <div><dt>${t('common.whoMaySeeIt')}</dt><dd>${item.committeeId ? this.#committee(item.committeeId) : t('common.theWholeBoard')}</dd></div>
        <div><dt>${t('document.addedBy')}</dt><dd>${this.board.nameOf(item.createdByUserId)}, ${relativeTime(item.createdAt)}</dd></div>
        ${item.meetingIds.length ? html`<div><dt>${t('common.meetings')}</dt><dd>${item.meetingIds.map((id, index) => html`${index ? ', ' : ''}<a href=${this.board.path('meetings', id)}>${this.#meeting(id)}</a>`)}</dd></div>` : ''}
      </dl>
      <div class="row">${this.board.may('updateDocument', this.params) ? this.#edit(item) : ''}${this.board.may('deleteDocument', this.params) ? menu(item.title, this.#delete()) : ''}</div>
      ${card(t('document.files'), this.files.render(item))}
      ${this.comments.render(t('comments.comments'), { id: 'comments', kind: 'card' })}`);
  }

  #committee(id) {
    return this.committees.data?.items.find((each) => each.id === id)?.name ?? t('document.aCommittee');
  }

  #meeting(id) {
    return this.meetings.data?.items.find((each) => each.id === id)?.title ?? t('common.meeting');
  }

  #edit(item) {
    if (!this.committees.isReady || !this.meetings.isReady) return '';
    return disclosure(t('common.edit'), documentForm({
      act: this.changing, button: t('common.save'), item, committees: this.committees.data.items, meetings: this.#choices(item),
      submit: async (values, target) => {
        this.document.set(await this.app.api.get('updateDocument', { params: this.params, body: documentBody(values) }));
        closeAround(target);
        this.app.say(t('common.saved'));
      },
    }));
  }

  /** The meetings to choose from: the newest, and those that the document belongs to already. */
  #choices(item) {
    const listed = this.meetings.data.items;
    const others = item.meetingIds.filter((id) => !listed.some((each) => each.id === id)).map((id) => ({ id, title: t('document.anOlderMeeting') }));
    return [...listed, ...others];
  }

  #delete() {
    return confirmButton({
      act: this.deleting, text: t('common.delete'), yes: t('document.deleteTheDocument'), question: t('document.theEntryIsDeletedThisCannot'),
      run: () => this.deleting.run(async () => {
        await this.app.api.call('deleteDocument', { params: this.params });
        this.app.say(t('document.theDocumentWasDeleted'));
        this.app.go(this.board.path('documents'), { replace: true });
      }),
    });
  }
}
