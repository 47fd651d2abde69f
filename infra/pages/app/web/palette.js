// One key to everything: a search over the caller's boards and what is on them.

import { render } from './vendor/lit-html/lit-html.js';
import { sectionsOf } from './frame.js';
import { find } from './lib/search.js';
import { Resource } from './lib/state.js';
import { personName, titled } from './lib/words.js';
import { html, icon, live, nothing, problem } from './lib/ui.js';
import { t } from './lib/texts.js';

const MOST_BOARDS = 10;
const MOST_AGENDAS = 10;
const PAGES = () => [
  [icon('inbox'), t('common.forYou'), '/app/for-you'], [icon('building-library'), t('common.boards'), '/boards'], [icon('clipboard-document-check'), t('common.myActionItems'), '/app/action-items'],
  [icon('bell'), t('common.notifications'), '/app/notifications'], [icon('user-circle'), t('common.account'), '/app/account'],
].map(([picture, name, address]) => ({ picture, name, address }));
const SECTIONS = () => [[t('common.meetings'), 'meetings'], [t('resolutions.decisions'), 'resolutions'], [t('common.actionItems'), 'action-items'], [t('common.documents'), 'documents'], [t('common.reports'), 'reports'], [t('common.members'), 'members']];

/** What is found on a board, by the list that has it: its picture, the word for one, its name and its page. */
const KINDS = {
  listMeetings: { picture: 'calendar-days', kind: 'common.meeting', named: ({ title }) => title, path: ({ id }) => `meetings/${id}` },
  listDocuments: { picture: 'document-text', kind: 'document.document', named: ({ title }) => title, path: ({ id }) => `documents/${id}` },
  listMembers: { picture: 'user', kind: 'label.member', named: personName, path: () => 'members' },
  listUnregisteredUsers: { picture: 'user', kind: 'templates.person', named: ({ fullName }) => fullName, path: () => 'members' },
  listResolutions: { picture: 'clipboard-document-check', kind: 'label.resolution', named: titled, path: ({ id }) => `resolutions/${id}` },
  listMeetingDecisions: { picture: 'clipboard-document-check', kind: 'meetingAgenda.decision', of: ({ meetingId, decisions }) => decisions.map((each) => ({ ...each, meetingId })), named: ({ text }) => text, path: ({ meetingId }) => `meetings/${meetingId}` },
};
const ACTION_ITEMS = { picture: 'clipboard-document-check', kind: 'label.task', named: ({ title }) => title, path: ({ meetingId }) => `meetings/${meetingId}` };

export class Palette {
  constructor(app, element) {
    Object.assign(this, { app, element, text: '', at: -1, isChosen: false });
    element.addEventListener('click', (event) => event.target === element && element.close());
  }

  /** Opens it, and reads anew what can be found: the boards first, then what is on each. */
  open() {
    Object.assign(this, { text: '', isChosen: false, lists: [] });
    this.boards = new Resource(() => this.#readBoards(), this.app.update);
    this.draw();
    this.element.showModal();
  }

  async #readBoards() {
    const { items } = await this.app.api.page('listBoards', { query: { limit: 100 } });
    this.lists = items.slice(0, MOST_BOARDS).map((board) => new Resource(() => this.#readBoard(board), this.app.update));
    return items;
  }

  async #readBoard({ id, name }) {
    const params = { boardId: id };
    /** @type {(list: keyof typeof KINDS) => Promise<any>} */
    const page = (list) => this.app.api.page(list, { params, query: { limit: 100 } });
    const lists = await Promise.all([...Object.keys(KINDS).map(page), this.app.api.bareArray('listBoardActionItems', { params })]);
    const found = [...Object.values(KINDS), ACTION_ITEMS].flatMap(({ picture, kind, of = (each) => [each], named, path }, index) =>
      lists[index].items.flatMap(of).map((each) => ({ picture: icon(picture), kind: t(kind), name: named(each), about: name, address: `/boards/${id}/${path(each)}` })));
    return id === this.app.board?.id ? [...found, ...(await this.#readAgendas(id, name, lists[0].items))] : found;
  }

  /** What is on the agendas of the board that is shown: of meetings that are not over, since each is a read of its own. */
  async #readAgendas(boardId, name, meetings) {
    const coming = meetings.filter(({ status }) => status !== 'finalized').slice(0, MOST_AGENDAS);
    const agendas = await Promise.all(coming.map(({ id }) => this.app.api.get('getAgenda', { params: { boardId, meetingId: id } })));
    return agendas.flatMap(({ items }, index) => items.filter(({ withheld }) => !withheld).map(({ title }) =>
      ({ picture: icon('calendar-days'), kind: t('meeting.agenda'), name: title, about: name, address: `/boards/${boardId}/meetings/${coming[index].id}` })));
  }

  /** What can be done on the board that is shown, and its pages; signing out everywhere, behind all that is found. */
  get #commands() {
    const { board } = this.app;
    const does = (picture, name, address) => ({ picture, name, about: board?.board.data?.name, address });
    const here = board ? [
      ...(board.may('createMeeting') ? [does(icon('calendar-days'), t('palette.newMeeting'), board.path('meetings', 'new'))] : []),
      ...(board.may('createInvite') ? [does(icon('user'), t('common.inviteSomebody'), board.path('invites'))] : []),
      ...(board.may('createResolution') ? [does(icon('clipboard-document-check'), t('resolutions.newResolution'), board.path('resolutions', 'new'))] : []),
      ...(board.may('createDocument') ? [does(icon('document-text'), t('documents.addDocuments'), board.path('documents'))] : []),
      ...sectionsOf(board).flatMap(([, pages]) => pages.map(([name, path]) => does(icon('folder'), name, board.path(...(path ? [path] : []))))),
    ] : [];
    return [...here, { picture: icon('arrow-right-start-on-rectangle'), name: t('frame.signOut'), run: () => this.app.signOut() }];
  }

  get #entries() {
    const boards = (this.boards.data ?? []).flatMap(({ id, name }) => [
      { picture: icon('building-library'), name, address: `/boards/${id}` },
      ...SECTIONS().map(([section, path]) => ({ picture: icon('folder'), name: section, about: name, address: `/boards/${id}/${path}` })),
    ]);
    return [...this.#commands, ...boards, ...PAGES(), ...this.lists.flatMap(({ data }) => data ?? [])];
  }

  get #found() {
    const entries = this.text.trim() ? this.#entries : this.#entries.filter(({ about }) => !about);
    const found = find(entries, this.text);
    return [...found.filter(({ run }) => !run), ...found.filter(({ run }) => run)];
  }

  /** What is chosen before anything is: the first page, never an act such as signing out. */
  #first(found) {
    return found[0] && !found[0].run ? 0 : -1;
  }

  draw() {
    if (!this.boards) return;
    const found = this.#found;
    this.at = this.isChosen ? Math.min(this.at, found.length - 1) : this.#first(found);
    const isLoading = [this.boards, ...this.lists].some((each) => each.isLoading);
    const failed = [this.boards, ...this.lists].find((each) => each.problem);
    render(html`
      <input type="text" role="combobox" aria-label=${t('palette.searchBoardsMeetingsDocumentsAndPeople')} aria-expanded="true" aria-controls="palette-list" aria-autocomplete="list"
        aria-activedescendant=${found[this.at] ? `palette-${this.at}` : nothing} placeholder=${t('palette.boardsMeetingsDocumentsPeople')} autocomplete="off" spellcheck="false" .value=${live(this.text)}
        @input=${(event) => this.#type(event.target.value)} @keydown=${(event) => this.#key(event, found)}>
      <ul id="palette-list" role="listbox" aria-label=${t('palette.found')}>${found.map((entry, index) => html`
        <li role="option" id="palette-${index}" aria-selected=${index === this.at} @click=${() => this.#go(entry)}>${entry.picture}<span>${entry.name}</span>${entry.about ? html`<small>${[entry.kind, entry.about].filter(Boolean).join(' · ')}</small>` : nothing}</li>`)}</ul>
      ${failed ? problem(failed.problem, () => failed.reload()) : nothing}
      <p role="status">${isLoading ? t('palette.readingYourBoards') : found.length ? t('palette.arrowKeysChooseEnterOpensEsc') : t('palette.nothingIsCalledThat')}</p>`, this.element);
  }

  #type(text) {
    Object.assign(this, { text, isChosen: false });
    this.draw();
  }

  #key(event, found) {
    const to = { ArrowDown: this.at + 1, ArrowUp: Math.max(this.at, 0) - 1 + found.length }[event.key];
    if (event.key === 'Enter' && found[this.at]) this.#go(found[this.at]);
    if (to === undefined || !found.length) return;
    event.preventDefault();
    Object.assign(this, { at: to % found.length, isChosen: true });
    this.draw();
    this.element.querySelector('[aria-selected=true]').scrollIntoView({ block: 'nearest' });
  }

  #go({ address, run }) {
    this.element.close();
    if (run) run();
    else this.app.go(address);
  }
}
