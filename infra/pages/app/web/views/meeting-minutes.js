// The minutes of a meeting, written beside its agenda while it runs: they are saved as they are typed.

import { bodyOf, differing, draftOf, entryOf, notePresence, presenceOf } from '../lib/minutes-draft.js';
import { Act, Resource } from '../lib/state.js';
import { actProblem, html, live, longest, nothing, pill, show } from '../lib/ui.js';
import { personName } from '../lib/words.js';
import { t } from '../lib/texts.js';

const PAUSE_MS = 1000;
const RUNNING = ['in_progress', 'completed'];
const CHANGED = 412;
const PRESENT = () => [['', '–'], ['in_person', t('meetingMinutes.inPerson')], ['remote', t('meetingMinutes.remote')], ['absent', t('meetingMinutes.absent')]];
const RESULTS = () => [['carried', t('meetingMinutes.carried')], ['rejected', t('meetingMinutes.rejected')], ['noted', t('meetingMinutes.noted')]];

export class Minutes {
  #pause = 0;
  #isUnsaved = false;

  constructor(app, board, params, agenda) {
    Object.assign(this, { app, board, params, agenda });
    this.resource = new Resource(() => this.#read(), app.update);
    this.saving = new Act(app.update);
    this.draft = null;
    this.theirs = null;
    this.actions = [['putMinutes', params]];
  }

  dispose() {
    this.flush();
  }

  /** Saves at once what is typed and not saved yet. */
  async flush() {
    clearTimeout(this.#pause);
    if (this.#isUnsaved && !this.theirs) await this.#save();
  }

  /** Returns the minutes; null where there are none, or none that may be seen. */
  async #read() {
    try {
      return await this.app.api.get('getMinutes', { params: this.params });
    } catch (error) {
      if (error.status === 404) return null;
      throw error;
    }
  }

  mayWrite({ status }) {
    return RUNNING.includes(status) && this.board.may('putMinutes', this.params);
  }

  /** Whether there is anything to show of them. */
  isThere(meeting) {
    return this.mayWrite(meeting) || Boolean(this.resource.data) || Boolean(this.resource.problem);
  }

  render(meeting) {
    return show(this.resource, t('meetingMinutes.theMinutes'), (minutes) => (this.mayWrite(meeting) ? this.#editor(minutes) : this.#shown(minutes)));
  }

  // -- reading

  #shown(minutes) {
    const titles = new Map((this.agenda.resource.data?.items ?? []).map(({ id, title }) => [id, title]));
    return html`
      <p>${pill(minutes.status === 'final' ? t('meetingMinutes.final') : t('meetingMinutes.draft'), minutes.status === 'final' ? 'good' : 'warn')}
        ${t('meetingMinutes.presentOfMembers', { present: minutes.quorum.present, members: minutes.quorum.members })}</p>
      ${minutes.attendance.length ? html`<ul class="plain-list">${minutes.attendance.map(({ userId, name, present }) => html`<li>${userId ? this.board.nameOf(userId) : name} <span class="soft">${wordsOf(PRESENT(), present)}</span></li>`)}</ul>` : nothing}
      ${minutes.items.map((item) => html`
        <section class="minute"><h3>${titles.get(item.agendaItemId) ?? t('meetingMinutes.otherBusiness')}</h3>${said(item)}</section>`)}`;
  }

  // -- writing

  #editor(minutes) {
    this.draft ??= draftOf(minutes);
    const items = this.agenda.resource.data?.items ?? [];
    return html`
      ${this.theirs ? this.#conflict(items) : nothing}
      ${minutes ? html`<div class="print-only">${this.#shown(minutes)}</div>` : nothing}
      <form class="form minutes no-print" autocomplete="off" @input=${() => this.#typed()} @change=${() => this.#typed()} @submit=${(event) => event.preventDefault()}>
        <fieldset class="attendance"><legend>${t('meetingMinutes.whoIsThere')}</legend>${this.board.members.items.map((member) => this.#presence(member))}</fieldset>
        ${items.map((item) => this.#entry(item.id, item.title, item.notes))}
        ${this.#entry(null, t('meetingMinutes.otherBusiness'))}
      </form>
      ${this.theirs ? nothing : actProblem(this.saving)}
      <p class="soft no-print" role="status" id="minutes-state">${this.#state()}</p>`;
  }

  #state() {
    if (this.saving.isBusy) return t('common.saving');
    if (this.#isUnsaved || this.saving.problem) return t('common.notSavedYet');
    return this.resource.data ? t('common.allIsSaved') : t('meetingMinutes.savedAsYouType');
  }

  #presence(member) {
    const id = `present-${member.userId}`;
    return html`
      <div class="row"><label for=${id}>${personName(member)}</label>
        <select id=${id} @change=${(event) => notePresence(this.draft, member.userId, event.target.value)}>
          ${PRESENT().map(([value, words]) => html`<option value=${value} ?selected=${value === presenceOf(this.draft, member.userId)}>${words}</option>`)}</select></div>`;
  }

  #entry(agendaItemId, title, notes = null) {
    const entry = entryOf(this.draft, agendaItemId);
    const id = `minutes-${agendaItemId ?? 'other'}`;
    return html`
      <section class="beside">
        <div><h3>${title}</h3>${notes ? html`<p class="quote">${notes}</p>` : nothing}</div>
        <div>
          <div class="field"><label for=${id}>${t('meetingMinutes.whatWasSaid')}</label>
            <textarea id=${id} rows="3" maxlength=${longest('putMinutes', 'items.text')} .value=${live(entry.text)} @input=${({ target }) => { entry.text = target.value; }}></textarea></div>
          <div class="pair">
            <div class="field"><label for="${id}-decision">${t('meetingMinutes.decision')}</label>
              <input id="${id}-decision" maxlength=${longest('putMinutes', 'items.decision.text')} .value=${live(entry.decision?.text ?? '')} @input=${({ target }) => decide(entry, { text: target.value })}></div>
            <div class="field"><label for="${id}-result">${t('meetingMinutes.result')}</label>
              <select id="${id}-result" @change=${({ target }) => decide(entry, { result: target.value })}>${RESULTS().map(([value, words]) => html`<option value=${value} ?selected=${value === (entry.decision?.result ?? 'carried')}>${words}</option>`)}</select></div>
          </div>
        </div>
      </section>`;
  }

  #typed() {
    this.#isUnsaved = true;
    clearTimeout(this.#pause);
    if (!this.theirs) this.#pause = setTimeout(() => this.#save(), PAUSE_MS);
    this.app.update();
  }

  /** Saves what is typed, and again what was typed meanwhile; what somebody else has changed is shown first. */
  async #save() {
    if (this.saving.isBusy) return this.#typed();
    const isNew = !this.resource.data;
    let others = null;
    const isSaved = await this.saving.run(async () => {
      this.#isUnsaved = false;
      others = isNew ? await this.#read() : null;
      if (others) return;
      const saved = await this.app.api.get('putMinutes', { params: this.params, body: bodyOf(this.draft) });
      this.resource.set(isNew ? await this.#read() : saved);
    });
    if (isSaved && !others) return undefined;
    this.#isUnsaved = true;
    return others || this.saving.problem.status === CHANGED ? this.#compare(others) : undefined;
  }

  /** Shows what somebody else wrote; it is read if it is not known yet. */
  async #compare(others) {
    const minutes = others ?? (await this.#read().catch(() => null));
    if (minutes) {
      this.resource.set(minutes);
      this.theirs = draftOf(minutes);
    }
    this.app.update();
  }

  /** What the other one wrote beside what was typed here, where the two differ. */
  #conflict(items) {
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
        </p>
      </div>`;
  }

  #settle(chosen) {
    const isMine = chosen === this.draft;
    Object.assign(this, { draft: chosen, theirs: null });
    this.saving.dismiss();
    this.#isUnsaved = isMine;
    return isMine ? this.#save() : this.app.update();
  }
}

function decide(entry, change) {
  entry.decision = { text: '', result: 'carried', ...entry.decision, ...change };
}

function said({ text, decision }) {
  return html`
    ${text ? html`<p class="said">${text}</p>` : nothing}
    ${decision?.text ? html`<p class="decision">${pill(wordsOf(RESULTS(), decision.result), decision.result === 'carried' ? 'good' : 'quiet')} ${decision.text}</p>` : nothing}`;
}

function wordsOf(pairs, value) {
  return pairs.find(([each]) => each === value)?.[1] ?? value;
}
