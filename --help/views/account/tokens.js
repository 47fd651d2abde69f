import { ANY } from '../../lib/access.js';
import { List } from '../../lib/state.js';
import { card, html } from '../../lib/ui.js';
import { Tokens } from './token-list.js';
import { t } from '../../lib/texts.js';

export default (app) => new TokensView(app, app.board);

class TokensView {
  title = () => t('common.tokens');

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
    return html`<h1>${t('common.tokens')}</h1>${card(t('tokens.tokensOfThisBoard'), this.tokens.render(t('tokens.withABoardsTokenAProgram')))}`;
  }
}
