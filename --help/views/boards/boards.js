import { Act, List } from '../../lib/state.js';
import { ANY } from '../../lib/access.js';
import { area, closeAround, disclosure, field, form, html, pill, showList } from '../../lib/ui.js';
import { label } from '../../lib/words.js';
import { ExampleBoard } from './example-board.js';
import { InvitesForMe } from '../invites/invites-for-me.js';
import { t } from '../../lib/texts.js';

const JOIN = ['joinBoard', { inviteCode: ANY }];

export default (app) => new BoardsView(app);

class BoardsView {
  title = () => t('common.yourBoards');

  constructor(app) {
    this.app = app;
    this.boards = new List((cursor) => app.api.page('listBoards', { query: { limit: 50 }, cursor }), app.update);
    this.creating = new Act(app.update);
    this.joining = new Act(app.update);
    this.invites = new InvitesForMe(app);
    this.example = new ExampleBoard(app);
    this.resources = [this.boards, this.invites.list];
    this.actions = [['createBoard'], JOIN, ...this.invites.actions, ...this.example.actions];
  }

  render() {
    const { access, caller } = this.app;
    if (caller.data?.authType === 'board_token') return this.#ofToken();
    return html`
      <h1>${t('common.yourBoards')}</h1>
      ${this.invites.render()}
      ${showList(this.boards, t('boards.yourBoards'), this.invites.isEmpty ? t('boards.youAreOnNoBoardYet') : t('boards.acceptAnInviteAndItsBoard'), (boards) => html`
        <ul class="tiles">
          ${boards.map((board) => html`
            <li><a class="tile" href="/boards/${board.id}">
              <span class="row spread"><b>${board.name}</b>${pill(label(board.myRole), 'quiet')}</span>
              <span>${board.description ?? ''}</span>
            </a></li>`)}
        </ul>`)}
      <div class="row top-gap">
        ${access.may('createBoard') ? disclosure(t('boards.createABoard'), this.#createForm()) : ''}
        ${access.may(...JOIN) ? disclosure(t('boards.joinWithAnInviteCode'), this.#joinForm()) : ''}
      </div>
      ${this.example.render()}`;
  }

  #ofToken() {
    const { boardId, boardName } = this.app.caller.data;
    return html`
      <h1>${t('common.yourBoards')}</h1>
      <p>${t('boards.youAreSignedInWithThe')}</p>
      <ul class="tiles"><li><a class="tile" href="/boards/${boardId}"><b>${boardName}</b></a></li></ul>`;
  }

  #createForm() {
    return form({
      act: this.creating, button: t('boards.createTheBoard'),
      submit: async ({ name, description }) => {
        const body = { name, description: description || null };
        const board = await this.app.api.get('createBoard', { body, key: this.creating.keyFor(body) });
        this.app.go(`/boards/${board.id}`);
      },
      content: html`${field('name', t('common.name'), { required: true, of: 'createBoard' })}${area('description', t('common.description'), { of: 'createBoard' })}`,
    });
  }

  #joinForm() {
    return form({
      act: this.joining, button: t('boards.joinTheBoard'),
      submit: async ({ code }, target) => {
        const joined = await this.app.api.call('joinBoard', { params: { inviteCode: code.trim() } });
        closeAround(target);
        this.app.say(t('boards.youJoinedBoardname', { boardName: joined.boardName }));
        this.app.go(`/boards/${joined.boardId}`);
      },
      content: field('code', t('common.inviteCode'), { required: true, hint: t('boards.itIsOnThePageThat') }),
    });
  }
}
