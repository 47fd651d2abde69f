// The minute book of a year: approved minutes and carried resolutions by number, each with its hash and its entry in the log.

import { date, today } from '../../lib/dates.js';
import { Act, Resource } from '../../lib/state.js';
import { choice, confirmButton, html, nothing, pill, repeat, show } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';

const SHOWN_OF_HASH = 12;

export default (app, params) => new MinuteBookView(app, app.board, params);

class MinuteBookView {
  title = () => t('minuteBook.minuteBook');

  constructor(app, board, { year = today().slice(0, 4) }) {
    Object.assign(this, { app, board, year, making: new Act(app.update) });
    this.actions = [['createMinuteBookDocument', { boardId: board.id, year }]];
    this.entries = new Resource(() => this.#read(), app.update);
    this.resources = [this.entries];
    this.follows = [{ on: ['minutes', 'resolution'], read: this.entries }];
  }

  /** Returns every entry of the year; a long book is read in several requests. */
  async #read() {
    const entries = [];
    for (let fromCount = 1; fromCount;) {
      const found = await this.app.api.get('getMinuteBook', { params: { boardId: this.board.id, year: this.year }, query: { fromCount } });
      entries.push(...found.entries);
      fromCount = found.nextCount;
    }
    return entries;
  }

  render() {
    return html`
      <div class="row spread"><h1>${t('minuteBook.ofYear', { year: this.year })}</h1>
        ${choice('year', t('year.year'), this.#years(), { id: 'book-year', value: this.year, onChange: ({ target }) => this.app.go(this.board.path('minute-book', target.value)) })}</div>
      <p class="soft">${t('minuteBook.whatItIs')}</p>
      ${this.board.may('createMinuteBookDocument', { boardId: this.board.id, year: this.year }) ? html`<p class="row no-print">${this.#button()}</p>` : nothing}
      ${show(this.entries, t('minuteBook.theMinuteBook'), (entries) => (entries.length ? this.#table(entries) : html`<p class="empty">${t('minuteBook.nothingStandsInIt', { year: this.year })}</p>`))}`;
  }

  #button() {
    const text = t('minuteBook.makeTheDocument');
    const run = () => this.making.run(async () => {
      const params = { boardId: this.board.id, year: this.year };
      await this.app.api.get('createMinuteBookDocument', { params, key: this.making.keyFor(params) });
      this.app.say(t('minuteBook.documentIsBeingMade'));
    });
    return confirmButton({ act: this.making, tone: '', text, yes: text, question: html`<p>${t('minuteBook.everyMemberReadsTheDocument')}</p>`, run });
  }

  /** The years to choose, newest first: those of the board, the one that is shown, and the one before. */
  #years() {
    const years = [this.year, today(), this.board.board.data?.createdAt].filter(Boolean).map((each) => Number(each.slice(0, 4)));
    const [first, last] = [Math.min(...years) - 1, Math.max(...years)];
    return Array.from({ length: last - first + 1 }, (_, at) => String(last - at));
  }

  #table(entries) {
    const heads = [t('resolutions.number'), t('common.title'), t('minuteBook.held'), t('minuteBook.approved'), t('minuteBook.hash'), t('minuteBook.logEntry')];
    return html`
      <div class="table-scroll" role="region" aria-label=${t('minuteBook.theMinuteBook')} tabindex="0"><table class="data">
        <thead><tr>${heads.map((words) => html`<th scope="col">${words}</th>`)}</tr></thead>
        <tbody>${repeat(entries, ({ kind, number }) => `${kind} ${number}`, (entry) => this.#row(entry))}</tbody>
      </table></div>`;
  }

  #row({ number, kind, id, title, heldAt, approvedAt, sha256, logIndex, supersededBy }) {
    const path = kind === 'minutes' ? this.board.path('meetings', id) : this.board.path('resolutions', id);
    return html`
      <tr>
        <td class="mono">${number}</td>
        <th scope="row"><a href=${path}>${title}</a> ${pill(kind === 'minutes' ? t('minuteBook.minutes') : t('minuteBook.resolution'))}
          ${supersededBy ? html`<br><small class="soft">${kind === 'minutes' ? t('minuteBook.correctedBy', { number: supersededBy }) : t('minuteBook.replacedBy', { number: supersededBy })}</small>` : nothing}</th>
        <td>${heldAt ? date(heldAt) : ''}</td>
        <td>${date(approvedAt)}</td>
        <td><button type="button" class="small plain mono" title=${sha256} aria-label=${t('minuteBook.copyTheHashOf', { number })} @click=${() => this.#copy(sha256)}>${sha256.slice(0, SHOWN_OF_HASH)}…</button></td>
        <td>${logIndex ?? t('minuteBook.notYet')}</td>
      </tr>`;
  }

  /** Copies a hash; where the browser does not let the page, shows the whole of it. */
  async #copy(sha256) {
    try {
      await navigator.clipboard.writeText(sha256);
      this.app.say(t('common.copied'));
    } catch {
      this.app.say(sha256);
    }
  }
}
