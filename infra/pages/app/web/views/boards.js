import { Act, List } from '../lib/state.js';
import { ANY } from '../lib/access.js';
import { area, closeAround, disclosure, field, form, html, pill, showList } from '../lib/ui.js';
import { label } from '../lib/words.js';

const JOIN = ['joinBoard', { inviteCode: ANY }];

export default (app) => new BoardsView(app);

class BoardsView {
  title = 'Your boards';

  constructor(app) {
    this.app = app;
    this.boards = new List((cursor) => app.api.page('listBoards', { query: { limit: 50 }, cursor }), app.update);
    this.creating = new Act(app.update);
    this.joining = new Act(app.update);
    this.resources = [this.boards];
    this.actions = [['createBoard'], JOIN];
  }

  render() {
    const { access, caller } = this.app;
    if (caller.data?.authType === 'board_token') return this.#ofToken();
    return html`
      <h1>Your boards</h1>
      ${showList(this.boards, 'your boards', 'You are on no board yet. Create one, or join one with an invite code.', (boards) => html`
        <ul class="tiles">
          ${boards.map((board) => html`
            <li><a class="tile" href="/boards/${board.id}">
              <span class="row spread"><b>${board.name}</b>${pill(label(board.myRole), 'quiet')}</span>
              <span>${board.description ?? ''}</span>
            </a></li>`)}
        </ul>`)}
      <div class="row top-gap">
        ${access.may('createBoard') ? disclosure('Create a board', this.#createForm()) : ''}
        ${access.may(...JOIN) ? disclosure('Join with an invite code', this.#joinForm()) : ''}
      </div>`;
  }

  #ofToken() {
    const { boardId, boardName } = this.app.caller.data;
    return html`
      <h1>Your boards</h1>
      <p>You are signed in with the token of one board.</p>
      <ul class="tiles"><li><a class="tile" href="/boards/${boardId}"><b>${boardName}</b></a></li></ul>`;
  }

  #createForm() {
    return form({
      act: this.creating, button: 'Create the board',
      submit: async ({ name, description }) => {
        const body = { name, description: description || null };
        const board = await this.app.api.get('createBoard', { body, key: this.creating.keyFor(body) });
        this.app.go(`/boards/${board.id}`);
      },
      content: html`${field('name', 'Name', { required: true, maxlength: 120 })}${area('description', 'Description', { maxlength: 2000 })}`,
    });
  }

  #joinForm() {
    return form({
      act: this.joining, button: 'Join the board',
      submit: async ({ code }, target) => {
        const joined = await this.app.api.call('joinBoard', { params: { inviteCode: code.trim() } });
        closeAround(target);
        this.app.say(`You joined ${joined.boardName}.`);
        this.app.go(`/boards/${joined.boardId}`);
      },
      content: field('code', 'Invite code', { required: true, hint: 'It is on the page that the link in your invitation opens.' }),
    });
  }
}
