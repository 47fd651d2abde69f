import { html, nothing } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';

/** Leads to what happened to one thing of the board, for those who may read that. */
export function historyLink(board, id) {
  return board.may('listAuditEntries') ? html`<a class="no-print" href=${`${board.path('history')}?thing=${id}`}>${t('common.history')}</a>` : nothing;
}
