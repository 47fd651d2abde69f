import { List } from '../lib/state.js';
import { html, showList } from '../lib/ui.js';
import { dateTime } from '../lib/dates.js';
import { auditAction, auditDetails } from '../lib/words.js';

export default (app) => new AuditView(app, app.board);

class AuditView {
  title = 'Audit log';

  constructor(app, board) {
    Object.assign(this, { app, board });
    const options = { params: { boardId: board.id }, query: { limit: 100 } };
    this.entries = new List((cursor) => app.api.bareArray('listAuditEntries', { ...options, cursor }), app.update);
    this.resources = [this.entries];
  }

  render() {
    return html`
      <h1>Audit log</h1>
      <p class="soft">Oldest first. Entries are kept for a year.</p>
      ${showList(this.entries, 'the audit log', 'Nothing has happened yet.', (items) => html`
        <div class="table-scroll" role="region" aria-label="Audit log" tabindex="0"><table class="data audit">
          <thead><tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">What</th><th scope="col">Details</th></tr></thead>
          <tbody>${items.map((entry) => html`<tr>
            <td><time datetime=${entry.createdAt}>${dateTime(entry.createdAt)}</time></td>
            <td>${this.#actor(entry)}</td>
            <td>${auditAction(entry.action)}</td>
            <td>${auditDetails(entry.details)}</td></tr>`)}</tbody>
        </table></div>`)}`;
  }

  #actor({ actorUser, createdVia }) {
    const name = actorUser ? this.board.nameOf(actorUser) : 'The service or a guest';
    return createdVia === 'agent' ? `${name} (by a token)` : name;
  }
}
