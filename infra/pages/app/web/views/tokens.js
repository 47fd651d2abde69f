import { ANY } from '../lib/access.js';
import { List } from '../lib/state.js';
import { card, html } from '../lib/ui.js';
import { Tokens } from './token-list.js';

export default (app) => new TokensView(app, app.board);

class TokensView {
  title = 'Tokens';

  constructor(app, board) {
    const params = { boardId: board.id };
    this.tokens = new Tokens(app, {
      list: new List((cursor) => app.api.page('listBoardTokens', { params, query: { limit: 50 }, cursor }), app.update),
      presets: ['read_only', 'read_write'], mayCreate: () => board.may('createBoardToken'), mayRevoke: () => board.may('revokeBoardToken', { tokenId: ANY }),
      create: (body, key) => app.api.get('createBoardToken', { params, body, key }),
      revoke: (tokenId) => app.api.call('revokeBoardToken', { params: { ...params, tokenId } }),
    });
    this.resources = [this.tokens.list];
    this.actions = [['createBoardToken', params], ['revokeBoardToken', { ...params, tokenId: ANY }]];
  }

  render() {
    return html`<h1>Tokens</h1>${card('Tokens of this board', this.tokens.render('With a board’s token, a program works on this board and on no other. It belongs to no person.'))}`;
  }
}
