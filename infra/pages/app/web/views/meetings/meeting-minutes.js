// The minutes of a meeting, written beside its agenda while it runs: they are saved as they are typed.

import { bodyOf, differing, draftOf, entryOf, joined, merged } from '../../lib/minutes-draft.js';
import { drafts } from '../../lib/drafts.js';
import { Act } from '../../lib/state.js';
import { actProblem, confirmButton, html, isEnter, live, longest, nothing, show } from '../../lib/ui.js';
import { Attendance } from './minutes-attendance.js';
import { audienceChoice, inCameraNote } from './in-camera.js';
import { MinutesText, said } from './minutes-text.js';
import { personOf, personOptions } from '../members/person-choice.js';
import { label, titled } from '../../lib/words.js';
import { t } from '../../lib/texts.js';

const PAUSE_MS = 1000;
const CHANGED = 412;
const RESULTS = ['carried', 'rejected', 'noted'];

export class Minutes {
  #pause = 0;
  #isUnsaved = false;

  /** `part` reads them, and knows the other parts of the meeting. @param {import('./meeting-minutes-part.js').MinutesPart} part */
  constructor(part) {
    const { app, board, params, resource } = part;
    Object.assign(this, { app, board, params, part, resource, ...part.others, path: globalThis.location?.pathname });
    this.deleting = new Act(app.update);
    this.restoring = new Act(app.update);
    this.adding = new Act(app.update);
    this.attendance = new Attendance(app, board, (change) => this.#change(change));
    this.written = new MinutesText(board, part.others);
    this.tasks = new Map();
    this.saving = new Act(app.update);
    this.draft = null;
    this.theirs = null;
    this.isGone = false;
  }

  /** Whether something is typed that is not saved. */
  get isTyped() {
    return this.#isUnsaved && Boolean(this.draft);
  }

  /** Whether what is typed waits for an answer: to what somebody else wrote, or to that they are gone. */
  get #isHeldBack() {
    return Boolean(this.theirs) || this.isGone;
  }

  /** Whether they are not to be read again now. */
  get isHeld() {
    return this.saving.isBusy || Boolean(this.theirs);
  }

  /** Saves at once what is typed and not saved yet. */
  async flush() {
    clearTimeout(this.#pause);
    if (this.#isUnsaved && !this.#isHeldBack) await this.#save();
  }

  render(meeting) {
    if (this.part.mayWrite(meeting)) return show(this.resource, t('meetingMinutes.theMinutes'), (minutes) => this.#editor(minutes));
    return html`${this.left()}${show(this.resource, t('meetingMinutes.theMinutes'), (minutes) => (minutes ? this.written.render(minutes) : nothing))}`;
  }

  /** What was typed and can no longer be saved: it stays until one lets go of it. */
  left() {
    if (!this.isTyped) return nothing;
    const typed = this.draft.items.filter(({ text, decision }) => text || decision?.text);
    return html`<div class="notice" role="alert"><p><strong>${t('meetingMinutes.whatYouTypedCannotBeSaved')}</strong></p>
      ${typed.map((item) => html`<h3>${this.#titleOf(item)}</h3>${said(item)}`)}
      <p class="row"><button type="button" @click=${() => this.#forget()}>${t('meetingMinutes.discardWhatYouTyped')}</button></p></div>`;
  }

  #titleOf({ agendaItemId }) {
    return (this.agenda.resource.data?.items ?? []).find(({ id }) => id === agendaItemId)?.title ?? t('meetingMinutes.otherBusiness');
  }

  /** Lets go of what is typed. */
  #forget() {
    clearTimeout(this.#pause);
    this.#isUnsaved = false;
    drafts.remove(this.path, this.part.draftName);
    Object.assign(this, { draft: null, theirs: null, isGone: false });
    this.app.update();
  }

  // -- writing

  #editor(minutes) {
    this.draft ??= this.#kept(minutes) ?? draftOf(minutes);
    const items = this.agenda.resource.data?.items ?? [];
    const entries = [...items, { id: null, title: t('meetingMinutes.otherBusiness'), notes: null }];
    const isBegun = ({ id }) => this.draft.items.some((each) => (each.agendaItemId ?? null) === id && (each.text || each.decision?.text));
    this.at ??= entries.find((each) => !each.withheld && !isBegun(each))?.id ?? null;
    return html`
      ${this.theirs ? this.#conflict(items) : nothing}
      ${this.isGone ? this.#gone() : !minutes && this.board.may('restoreMinutes', this.params) ? html`<p class="row no-print">${t('meetingMinutes.minutesWereDeleted')} ${this.#restoreButton()}</p>${actProblem(this.restoring)}` : nothing}
      ${minutes ? html`<div class="print-only">${this.written.render(minutes)}</div>` : nothing}
      <form class="form minutes no-print" autocomplete="off" data-draft="" data-kept @input=${() => this.#typed()} @change=${() => this.#typed()} @submit=${(event) => event.preventDefault()}>
        ${this.attendance.render(this.draft)}
        ${entries.map((item, index) => (item.withheld ? nothing : this.#entry(item, index, entries)))}
      </form>
      ${this.#isHeldBack ? nothing : actProblem(this.saving)}
      <div class="row spread no-print"><p class="soft" role="status" id="minutes-state">${this.#state()}</p>
        ${minutes ? html`<span class="row"><button type="button" class="plain" @click=${() => print()}>${t('meetingMinutes.printOrSave')}</button>${this.part.mayDelete ? this.#delete() : nothing}</span>` : nothing}</div>`;
  }

  /** What was typed before and not saved; where somebody has saved since, it is shown beside theirs. */
  #kept(minutes) {
    const kept = drafts.get(this.path, this.part.draftName);
    if (!kept) return null;
    this.#isUnsaved = true;
    if ((minutes?.updatedAt ?? null) === kept.of) this.#pause = setTimeout(() => this.#save(), PAUSE_MS);
    else if (minutes) this.theirs = draftOf(minutes);
    else this.isGone = true;
    return kept.draft;
  }

  /** Changes the draft other than by typing. */
  #change(change) {
    change(this.draft);
    this.#typed();
  }

  /** Deletes draft minutes, with what is typed. */
  #delete() {
    return confirmButton({
      act: this.deleting, text: t('meetingMinutes.deleteTheMinutes'), yes: t('common.delete'), keep: t('common.keepThem'), question: t('meetingMinutes.theyAreDeleted'),
      run: () => this.deleting.run(async () => {
        clearTimeout(this.#pause);
        await this.app.api.call('deleteMinutes', { params: this.params });
        this.#forget();
        this.resource.set(null);
        this.#askToRestore();
      }),
    });
  }

  #askToRestore() {
    return this.app.access.ask([['restoreMinutes', this.params]]);
  }

  #restoreButton(tone = '') {
    return html`<button type="button" class=${tone} ?disabled=${this.restoring.isBusy} @click=${() => this.#restore()}>${t('meetingMinutes.bringThemBack')}</button>`;
  }

  /** Brings deleted minutes back; what is typed here joins them. */
  #restore() {
    return this.restoring.run(async () => {
      await this.app.api.call('restoreMinutes', { params: this.params });
      this.resource.set(await this.part.read());
      this.isGone = false;
      if (!this.#isUnsaved) this.draft = null;
      else this.#takeIn(null);
      if (this.#isUnsaved && !this.theirs) await this.#save();
      this.#askToRestore();
    });
  }

  /** Somebody has deleted the minutes while they were written here. */
  #gone() {
    const mayRestore = this.board.may('restoreMinutes', this.params);
    const anew = () => { this.isGone = false; this.#isUnsaved = true; return this.#save(); };
    return html`
      <div class="notice no-print" role="alert">
        <p><strong>${t('meetingMinutes.somebodyHasDeletedTheMinutes')}</strong> ${t('meetingMinutes.whatStandsHereIsKept')}</p>
        <p class="row">${mayRestore ? this.#restoreButton('primary') : nothing}
          <button type="button" ?disabled=${this.saving.isBusy} @click=${anew}>${t('meetingMinutes.saveWhatStandsHere')}</button>
          <button type="button" class="plain" @click=${() => this.#forget()}>${t('meetingMinutes.leaveThemDeleted')}</button></p>
        ${actProblem(this.restoring)}${actProblem(this.saving)}
      </div>`;
  }

  #state() {
    if (this.saving.isBusy) return t('common.saving');
    if (this.#isUnsaved || this.saving.problem) return t('common.notSavedYet');
    return this.resource.data ? t('common.allIsSaved') : t('meetingMinutes.savedAsYouType');
  }

  /** One line until it is the item that is talked about; the next one is at hand. */
  #entry({ id: agendaItemId, title, notes, audience: onAgenda = null }, index, entries) {
    const entry = entryOf(this.draft, agendaItemId);
    const id = `minutes-${agendaItemId ?? 'other'}`;
    const next = entries.slice(index + 1).find(({ withheld }) => !withheld);
    const audience = entry.audience === undefined ? onAgenda : entry.audience;
    const decided = entry.decision?.text ? label(entry.decision.result) : '';
    return html`
      <details class="minute-entry" ?open=${this.at === agendaItemId} @toggle=${({ target }) => { if (target.open) this.at = agendaItemId; }}>
        <summary><b>${index + 1}. ${title}</b> <span class="soft">${decided || (entry.text ? t('meetingMinutes.written') : '')}</span></summary>
        ${inCameraNote(this.board, { audience })}
        ${notes ? html`<p class="quote">${notes}</p>` : nothing}
        <div class="field"><label for=${id}>${t('meetingMinutes.whatWasSaid')}</label>
          <textarea id=${id} rows="3" maxlength=${longest('putMinutes', 'items.text')} .value=${live(entry.text)} @input=${({ target }) => { entry.text = target.value; }}></textarea></div>
        ${this.#resolutionOf(entry, id)}
        ${entry.resolutionId ? nothing : html`<div class="pair">
          <div class="field"><label for="${id}-decision">${t('meetingMinutes.decision')}</label>
            <input id="${id}-decision" maxlength=${longest('putMinutes', 'items.decision.text')} .value=${live(entry.decision?.text ?? '')} @input=${({ target }) => decide(entry, { text: target.value })}></div>
          <div class="field"><label for="${id}-result">${t('meetingMinutes.result')}</label>
            <select id="${id}-result" @change=${({ target }) => decide(entry, { result: target.value })}>${RESULTS.map((value) => html`<option value=${value} ?selected=${value === (entry.decision?.result ?? 'carried')}>${label(value)}</option>`)}</select></div>
        </div>`}
        ${this.written.tasksOf(entry)}
        ${this.#newTask(entry, id)}
        ${audienceChoice(this.board, audience, id, (chosen) => { entry.audience = chosen; this.#typed(); })}
        ${next ? html`<p><button type="button" class="small" @click=${() => this.#goTo(next.id)}>${t('meetingMinutes.nextItem', { title: next.title })}</button></p>` : nothing}
      </details>`;
  }

  /** Notes a vote that is over with its item of the agenda, where nothing is noted yet. */
  take({ id, agendaItemId, committeeId }) {
    if (!this.draft || !agendaItemId || committeeId) return;
    const entry = entryOf(this.draft, agendaItemId);
    if (entry.resolutionId || entry.decision?.text) return;
    entry.resolutionId = id;
    this.at = agendaItemId;
    this.#typed();
  }

  /** The vote that decided an item, in place of a decision that is typed. */
  #resolutionOf(entry, id) {
    const { opened } = this.resolutions;
    if (!opened.length) return nothing;
    const choose = ({ target }) => { entry.resolutionId = target.value || null; };
    return html`<div class="field"><label for="${id}-resolution">${t('meetingMinutes.decidedByResolution')}</label>
      <select id="${id}-resolution" @change=${choose}><option value="">–</option>${opened.map((each) => html`<option value=${each.id} ?selected=${each.id === entry.resolutionId}>${titled(each)} · ${label(each.status)}</option>`)}</select></div>`;
  }

  #goTo(agendaItemId) {
    this.at = agendaItemId;
    this.app.update();
    queueMicrotask(() => setTimeout(() => document.getElementById(`minutes-${agendaItemId ?? 'other'}`)?.focus()));
  }

  /** An action item of what is talked about, made in place. */
  #newTask(entry, id) {
    if (!this.items.mayAdd) return nothing;
    const task = this.tasks.get(id) ?? { title: '', who: '' };
    const set = (name) => (event) => {
      event.stopPropagation();
      this.tasks.set(id, { ...(this.tasks.get(id) ?? task), [name]: event.target.value });
    };
    return html`
      <div class="row task-line">
        <input class="grow" aria-label=${t('meetingItems.whatIsToBeDone')} placeholder=${t('meetingItems.addAnActionItem')} maxlength=${longest('createActionItem', 'title')} .value=${live(task.title)} @input=${set('title')} @change=${set('title')} @keydown=${(event) => isEnter(event) && this.#addTask(entry, id)}>
        <select aria-label=${t('common.who')} @change=${set('who')}>${personOptions(this.board, personOf(task.who))}</select>
        <button type="button" class="small" ?disabled=${this.adding.isBusy} @click=${() => this.#addTask(entry, id)}>${t('common.add')}</button>
      </div>${actProblem(this.adding)}`;
  }

  async #addTask(entry, id) {
    const { title = '', who = '' } = this.tasks.get(id) ?? {};
    if (!title.trim()) return;
    const done = await this.adding.run(async () => {
      const item = await this.items.create({ title: title.trim(), ...personOf(who), status: 'in_progress' });
      entry.actionItemIds = [...entry.actionItemIds, item._id];
    });
    if (!done) return;
    this.tasks.delete(id);
    this.#typed();
  }

  #typed() {
    this.#isUnsaved = true;
    this.#keep();
    clearTimeout(this.#pause);
    if (!this.#isHeldBack) this.#pause = setTimeout(() => this.#save(), PAUSE_MS);
    this.app.update();
  }

  /** Saves what is typed, and again what was typed meanwhile; what somebody else has changed is shown first. */
  async #save() {
    if (this.saving.isBusy) return this.#typed();
    let others = null;
    const isSaved = await this.saving.run(async () => {
      this.#isUnsaved = false;
      others = await this.part.newer();
      if (others) return;
      this.resource.set(await this.part.save(bodyOf(this.draft, this.resource.data)));
    });
    if (isSaved && !others) {
      if (!this.#isUnsaved) drafts.remove(this.path, this.part.draftName);
      return undefined;
    }
    this.#isUnsaved = true;
    return others || this.saving.problem.status === CHANGED ? this.#compare(others) : undefined;
  }

  /** Takes in what somebody else wrote, and saves what is typed here with it; it is read if it is not known yet. */
  async #compare(others) {
    const before = this.resource.data;
    const minutes = others ?? (await this.part.read().catch(() => undefined));
    if (minutes === undefined || (!minutes && !before)) return this.app.update();
    this.resource.set(minutes);
    this.#takeIn(before);
    if (this.#isHeldBack) return this.app.update();
    this.saving.dismiss();
    return this.#save();
  }

  /** Reads again what others may have written, while one writes: theirs joins it. */
  async refresh() {
    const before = this.resource.data;
    const isRead = await this.resource.refresh();
    if (isRead && this.draft && this.resource.data !== before) this.#takeIn(before);
    return isRead;
  }

  /** Joins what was written here and there; what both have written about one item is shown side by side, and not saved. */
  #takeIn(before) {
    if (before && !this.resource.data) return this.#lose();
    const { mine, theirs, both } = merged(draftOf(before), this.draft, draftOf(this.resource.data));
    Object.assign(this, { draft: mine, theirs: both.length ? theirs : null });
    if (this.theirs) clearTimeout(this.#pause);
    if (this.#isUnsaved) this.#keep();
    this.app.update();
  }

  /** The minutes are gone: what stands here stays, and is not saved before somebody says so. */
  #lose() {
    clearTimeout(this.#pause);
    this.isGone = true;
    drafts.put(this.path, this.part.draftName, { of: 'deleted', draft: this.draft });
    this.#askToRestore();
    this.app.update();
  }

  #keep() {
    drafts.put(this.path, this.part.draftName, { of: this.resource.data?.updatedAt ?? null, draft: this.draft });
  }

  /** What the other one wrote beside what was typed here, where the two differ. */
  #conflict(items) {
    const both = joined(this.draft, this.theirs);
    const titles = new Map(items.map(({ id, title }) => [id, title]));
    return html`
      <div class="notice" role="alert">
        <p><strong>${t('common.somebodyElseHasWrittenToo')}</strong></p>
        ${differing(this.draft, this.theirs).map((id) => html`
          <h3>${titles.get(id) ?? t('meetingMinutes.otherBusiness')}</h3>
          <div class="beside"><div><p class="kicker">${t('common.theirs')}</p>${said(entryOf(this.theirs, id))}</div>
            <div><p class="kicker">${t('common.yours')}</p>${said(entryOf(this.draft, id))}</div></div>`)}
        <p class="row">
          <button type="button" class="primary" @click=${() => this.#settle(this.draft)}>${t('common.keepYours')}</button>
          <button type="button" @click=${() => this.#settle(this.theirs)}>${t('common.takeTheirs')}</button>
          ${both ? html`<button type="button" @click=${() => this.#settle(both)}>${t('common.keepBoth')}</button>` : nothing}
        </p>
      </div>`;
  }

  #settle(chosen) {
    const isTheirs = chosen === this.theirs;
    Object.assign(this, { draft: chosen, theirs: null });
    this.saving.dismiss();
    this.#isUnsaved = !isTheirs;
    if (isTheirs) drafts.remove(this.path, this.part.draftName);
    return isTheirs ? this.app.update() : this.#save();
  }
}

function decide(entry, change) {
  entry.decision = { text: '', result: 'carried', ...entry.decision, ...change };
}
