import { csv, save } from '../../lib/csv.js';
import { List } from '../../lib/state.js';
import { CheckedBy } from './audit-proof.js';
import { choice, html, nothing, problem, show } from '../../lib/ui.js';
import { dateTime, toWall } from '../../lib/dates.js';
import { auditAction, auditDetails, upperFirst } from '../../lib/words.js';
import { t } from '../../lib/texts.js';

const SHOWN = 200;
const EVERY = { fields: [] }; // details of any entry: a membership without changed fields would be a new one
// Where the thing of an entry is found: the section of the board, by the beginning of its action.
const PLACES = { meeting: 'meetings', document: 'documents', report: 'reports' };
// Sections that list the things of entries which have no page of their own.
const LISTS = { member: 'members', ownership: 'members', action: 'action-items', dashboard: 'reports' };

export default (app) => new AuditView(app, app.board);

class AuditView {
  title = () => t('common.auditLog');

  constructor(app, board) {
    Object.assign(this, { app, board, person: '', action: '', from: '', until: '', most: SHOWN, proofs: new Map() });
    const options = { params: { boardId: board.id }, query: { limit: 100 } };
    this.entries = new List((cursor) => app.api.bareArray('listAuditEntries', { ...options, cursor }), app.update, { isWhole: true });
    this.resources = [this.entries];
  }

  #set(values) {
    Object.assign(this, { most: SHOWN, ...values });
    this.app.update();
  }

  render() {
    return html`
      <h1>${t('common.auditLog')}</h1>
      <p class="soft">${t('audit.newestFirstEntriesAreKeptFor')}</p>
      ${show(this.entries, t('audit.theAuditLog'), ({ items, next }) => html`
        ${next && !this.entries.more.problem ? html`<p class="soft" role="status">${t('audit.newerEntriesAreStillBeingLoaded')}</p>` : nothing}
        ${problem(this.entries.more.problem, () => this.entries.loadAll())}
        ${items.length ? this.#content(items) : html`<p class="empty">${t('audit.nothingHasHappenedYet')}</p>`}`)}`;
  }

  #content(items) {
    const found = items.filter((entry) => this.#fits(entry)).reverse();
    const people = [...new Set(items.map(({ actorUser }) => actorUser ?? ''))].map((id) => [id || 'none', id ? this.board.nameOf(id) : t('audit.theServiceOrAGuest')]);
    const actions = [...new Set(items.map(({ action }) => action))].map((action) => [action, upperFirst(auditAction(action, EVERY))]).sort((one, other) => one[1].localeCompare(other[1]));
    const on = (name) => (event) => this.#set({ [name]: event.target.value });
    const day = (name, words) => html`<div class="field"><label for="audit-${name}">${words}</label><input id="audit-${name}" type="date" .value=${this[name]} @change=${on(name)}></div>`;
    return html`
      <div class="filters">
        ${choice('person', t('common.who'), [['', t('audit.everybody')], ...people], { id: 'audit-person', value: this.person, onChange: on('person') })}
        ${choice('action', t('audit.what'), [['', t('common.everything')], ...actions], { id: 'audit-action', value: this.action, onChange: on('action') })}
        ${day('from', t('audit.from'))}${day('until', t('audit.until'))}
        <button type="button" @click=${() => this.#save(found)}>${t('audit.saveAsCsv')}</button>
      </div>
      ${found.length ? html`<ul class="rows audit">${found.slice(0, this.most).map((entry) => this.#row(entry))}</ul>` : html`<p class="empty">${t('audit.nothingOfThisKindHasHappened')}</p>`}
      ${found.length > this.most ? html`<p class="row"><button type="button" @click=${() => this.#set({ most: this.most + SHOWN })}>${t('common.showMore')}</button></p>` : nothing}`;
  }

  #fits({ actorUser, action, createdAt }) {
    const day = toWall(createdAt).slice(0, 10);
    return (!this.person || (actorUser ?? 'none') === this.person) && (!this.action || action === this.action)
      && (!this.from || day >= this.from) && (!this.until || day <= this.until);
  }

  #row(entry) {
    const { title, id } = entry.details ?? {};
    const [kind] = /^[a-z]+/.exec(entry.action) ?? [];
    const place = PLACES[kind];
    const list = LISTS[kind];
    const isThere = place && id && !entry.action.endsWith('Delete');
    const subject = title ? html` <b>${isThere ? html`<a href=${this.board.path(place, id)}>${title}</a>` : title}</b>` : nothing;
    const rest = auditDetails({ ...entry.details, title: undefined });
    return html`<li>${this.#actor(entry)} ${auditAction(entry.action, entry.details)}${subject}${rest ? html` <span class="soft">${rest}</span>` : nothing}<br><time class="soft small" datetime=${entry.createdAt}>${dateTime(entry.createdAt)}</time>${list ? html` <a class="small" href=${this.board.path(list)}>${t('audit.open')}</a>` : nothing} ${this.#proof(entry).render()}</li>`;
  }

  #proof({ _id: entryId }) {
    if (!this.proofs.has(entryId)) this.proofs.set(entryId, new CheckedBy(this.app, this.board.id, entryId));
    return this.proofs.get(entryId);
  }

  #actor({ actorUser, createdVia }) {
    const name = actorUser ? this.board.nameOf(actorUser) : t('audit.theServiceOrAGuest');
    return createdVia === 'agent' ? t('audit.nameByAToken', { name }) : name;
  }

  #save(entries) {
    const rows = entries.map((entry) => [entry.createdAt, this.#actor(entry), auditAction(entry.action, entry.details), auditDetails(entry.details)]);
    save('audit-log.csv', csv([[t('common.when'), t('common.who'), t('audit.what'), t('audit.details')], ...rows]));
  }
}
