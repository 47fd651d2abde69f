// A new resolution: of the board, or of a meeting and an item of its agenda, which the address names.

import { html } from '../../lib/ui.js';
import { Drafting } from './resolution-draft.js';
import { t } from '../../lib/texts.js';

export default (app) => new NewResolutionView(app, app.board);

class NewResolutionView {
  title = () => t('resolutions.newResolution');

  constructor(app, board) {
    const params = { boardId: board.id };
    const query = new URLSearchParams(location.search);
    this.board = board;
    this.drafting = new Drafting(app, board, {
      meetingId: query.get('meeting'), agendaItemId: query.get('item'), supersedesId: query.get('supersedes'),
      send: (body, key) => app.api.get('createResolution', { params, body, key }),
      done: async ({ id }) => {
        app.say(t('resolutionForm.theDraftIsSaved'));
        app.go(board.path('resolutions', id), { replace: true });
      },
    });
    this.resources = this.drafting.resources;
    this.actions = [];
  }

  render() {
    return html`<p class="no-print"><a href=${this.board.path('resolutions')}>${t('resolutions.decisions')}</a></p><h1>${t('resolutions.newResolution')}</h1>${this.drafting.render()}`;
  }
}
