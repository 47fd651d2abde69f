// What happened on a board: who did what to which thing, from audit entries and events, with filters and proofs.

import { csv, save } from '../../lib/csv.js';
import { dateTime, toWall } from '../../lib/dates.js';
import { actOf, factsOf, isOf, namesIn, partOf, personsOf, rowsOf, thingOf } from '../../lib/history.js';
import { List } from '../../lib/state.js';
import { choice, html, nothing, problem, show } from '../../lib/ui.js';
import { titled } from '../../lib/words.js';
import { t } from '../../lib/texts.js';
import { EntryCheck } from './audit-proof.js';

const SHOWN = 200;
const KINDS = () => [
  ['meetings', t('common.meetings')], ['resolutions', t('resolutions.decisions')], ['action-items', t('common.actionItems')], ['documents', t('common.documents')],
  ['reports', t('common.reports')], ['members', t('common.members')], ['settings', t('common.settings')],
];
// The lists that name things, each with the reference to them and the section where they are.
const LISTS = /** @type {const} */ ([
  ['listMeetings', 'meetingId', 'meetings'], ['listResolutions', 'resolutionId', 'resolutions'], ['listDocuments', 'documentId', 'documents'], ['listReports', 'reportId', 'reports'],
  ['listReportingCycles', 'cycleId', 'cycles'], ['listBets', 'betId', 'bets'], ['listCommittees', 'committeeId', 'members'],
  ['listPlanItems', 'planItemId', 'year'], ['listAgendaTemplates', 'templateId', 'year'], ['listBacklogItems', 'backlogItemId', 'year'], ['listSeries', 'seriesId', 'year'],
]);
const PAGELESS = ['bets', 'members', 'year'];
const SECTIONS = { userId: 'members', unregisteredUserId: 'members', inviteId: 'invites', tokenId: 'tokens', webhookId: 'webhooks', actionItemId: 'action-items' };
const FILTERS = ['person', 'kind', 'thing', 'from', 'until', 'live'];

export default (app) => new HistoryView(app, app.board);

class HistoryView {
  title = () => t('common.history');

  constructor(app, board) {
    const query = new URLSearchParams(location.search);
    Object.assign(this, { app, board, most: SHOWN, checks: new Map(), ...Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? ''])) });
    const params = { boardId: board.id };
    const whole = (load) => new List(load, app.update, { isWhole: true });
    /** @type {(name: (typeof LISTS)[number][0] | 'listBoardEvents') => any} */
    const pages = (name) => whole((cursor) => app.api.page(name, { params, query: { limit: 100 }, cursor }));
    this.entries = whole((cursor) => app.api.bareArray('listAuditEntries', { params, query: { limit: 100 }, cursor }));
    this.events = pages('listBoardEvents');
    this.lists = LISTS.map(([name, ref, section]) => ({ list: pages(name), ref, section }));
    this.resources = [this.entries, this.events, ...this.lists.map(({ list }) => list), board.unregistered];
  }

  #set(values) {
    Object.assign(this, { most: SHOWN, ...values });
    this.app.router.query(Object.fromEntries(FILTERS.map((name) => [name, this[name]])));
    this.app.update();
  }

  render() {
    const loading = [this.entries, this.events].find(({ hasMore, more }) => hasMore && !more.problem);
    return html`
      <h1>${t('common.history')}</h1>
      <p class="soft">${t('history.newestFirst')}</p>
      ${show(this.entries, t('history.theHistory'), ({ items: entries }) => show(this.events, t('history.theHistory'), ({ items: events }) => html`
        ${loading ? html`<p class="soft" role="status">${t('audit.newerEntriesAreStillBeingLoaded')}</p>` : nothing}
        ${[this.entries, this.events].map((list) => problem(list.more.problem, () => list.loadAll()))}
        ${entries.length || events.length ? this.#content(rowsOf(entries, events)) : html`<p class="empty">${t('audit.nothingHasHappenedYet')}</p>`}`))}`;
  }

  #content(all) {
    this.#nameThings(all);
    const rows = all.filter((row) => this.live || row.kind !== 'live');
    const found = rows.filter((row) => this.#fits(row));
    const people = [...new Set(rows.map(({ actor }) => actor ?? ''))].map((id) => [id || 'none', this.#nameOf(id)]);
    const on = (name) => ({ target }) => this.#set({ [name]: target.value });
    const day = (name, words) => html`<div class="field"><label for="history-${name}">${words}</label><input id="history-${name}" type="date" .value=${this[name]} @change=${on(name)}></div>`;
    const filter = (name, words, all, options) => choice(name, words, [['', all], ...options], { id: `history-${name}`, value: this[name], onChange: on(name) });
    return html`
      <div class="filters">
        ${filter('person', t('common.who'), t('audit.everybody'), byName(people))}
        ${filter('kind', t('audit.what'), t('common.everything'), KINDS())}
        ${filter('thing', t('history.aboutWhat'), t('common.everything'), this.#things(rows))}
        ${day('from', t('audit.from'))}${day('until', t('audit.until'))}
        <p><label><input type="checkbox" id="history-live" .checked=${Boolean(this.live)} @change=${({ target }) => this.#set({ live: target.checked ? 'yes' : '' })}> ${t('history.whoFollowsLive')}</label></p>
        <p class="row"><button type="button" @click=${() => this.#save(found)}>${t('audit.saveAsCsv')}</button></p>
      </div>
      ${found.length ? html`<ul class="rows history">${found.slice(0, this.most).map((row) => this.#row(row))}</ul>` : html`<p class="empty">${t('audit.nothingOfThisKindHasHappened')}</p>`}
      ${found.length > this.most ? html`<p class="row"><button type="button" @click=${() => this.#set({ most: this.most + SHOWN })}>${t('common.showMore')}</button></p>` : nothing}`;
  }

  #fits(row) {
    const day = toWall(row.at).slice(0, 10);
    return (!this.person || (row.actor ?? 'none') === this.person) && (!this.kind || row.kind === this.kind) && (!this.thing || isOf(row, this.thing))
      && (!this.from || day >= this.from) && (!this.until || day <= this.until);
  }

  /** The names of things: as they are now; of what is gone, as it was called last. */
  #nameThings(rows) {
    this.places = new Map(this.lists.flatMap(({ list, section }) => list.items.map(({ id }) => [id, section])));
    const listed = this.lists.flatMap(({ list }) => list.items.map((item) => [item.id, item.title ? titled(item) : item.name]));
    const people = [...this.board.members.items.map(({ userId }) => [userId, this.board.nameOf(userId)]), ...this.board.unregistered.items.map(({ id, fullName }) => [id, fullName])];
    this.names = new Map([...namesIn(rows), ...listed, ...people.filter(([, name]) => name)]);
  }

  /** The things that can be chosen: of the kind that is chosen, and the one of the address whatever happened to it. */
  #things(rows) {
    const ids = new Set(rows.filter(({ kind }) => !this.kind || kind === this.kind).map(thingOf));
    if (this.thing) ids.add(this.thing);
    return byName([...ids].filter((id) => this.names.has(id) || (id && id === this.thing)).map((id) => [id, this.names.get(id) ?? t('history.oneThing')]));
  }

  #nameOf = (id) => (id ? this.names.get(id) ?? this.board.nameOf(id) : t('audit.theServiceOrAGuest'));

  #actor({ actor, via, type, action }) {
    if (!actor && /guest/i.test(type ?? action)) return t('audit.aGuest');
    return via === 'agent' ? t('audit.nameByAToken', { name: this.#nameOf(actor) }) : this.#nameOf(actor);
  }

  /** Where a thing is found; null where it is nowhere any more, or where that is not known. */
  #addressOf(row) {
    const id = thingOf(row);
    const section = this.places.get(id) ?? SECTIONS[row.ref];
    if (row.ref === 'actionItemId' && this.places.has(row.refs.meetingId)) return this.board.path('meetings', row.refs.meetingId);
    if (!section) return null;
    return this.places.has(id) && !PAGELESS.includes(section) ? this.board.path(section, id) : this.board.path(section);
  }

  /** What a row names beside its thing: a part of it, the meeting that it is of, and whom it concerns. */
  #beside(row) {
    const { meetingId } = row.refs;
    const names = [this.names.get(thingOf(row)), partOf(row), this.names.get(meetingId), ...personsOf(row).map(this.#nameOf)];
    return [...new Set(names.filter(Boolean))].filter((name) => name !== names[0]);
  }

  #row(row) {
    const name = this.names.get(thingOf(row));
    const address = this.#addressOf(row);
    const facts = [...this.#beside(row), ...factsOf(row, this.#nameOf)].join(' · ');
    return html`<li>${this.#actor(row)} ${actOf(row)}${name ? html` <b>${address ? html`<a href=${address}>${name}</a>` : name}</b>` : nothing}${facts ? html` <span class="soft">${facts}</span>` : nothing}<br>
      <time class="soft small" datetime=${row.at}>${dateTime(row.at)}</time> ${row.logged ? this.#check(row).render() : nothing}</li>`;
  }

  #check({ id, logged }) {
    if (!this.checks.has(id)) this.checks.set(id, new EntryCheck(this.app, this.board.id, logged));
    return this.checks.get(id);
  }

  #save(rows) {
    const cells = rows.map((row) => [row.at, this.#actor(row), actOf(row), this.names.get(thingOf(row)), [...this.#beside(row), ...factsOf(row, this.#nameOf)].join(' · ')]);
    save('history.csv', csv([[t('common.when'), t('common.who'), t('audit.what'), t('history.aboutWhat'), t('audit.details')], ...cells]));
  }
}

const byName = (options) => options.sort(([, one], [, other]) => one.localeCompare(other));
