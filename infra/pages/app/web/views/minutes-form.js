// Minutes as they are written: saved while one types; what two people wrote at once is shown side by side.

import { time } from '../lib/dates.js';
import { differences, minutesBody, newEntry, typedMinutes, withAttendance, withEntry } from '../lib/minutes.js';
import { nullIfAbsent } from '../lib/problems.js';
import { Act } from '../lib/state.js';
import { actProblem, html, longest, nothing } from '../lib/ui.js';
import { label, personName } from '../lib/words.js';
import { t } from '../lib/texts.js';

const PAUSE_MS = 1000;
const PRESENCE = ['in_person', 'remote', 'absent'];
const RESULTS = ['carried', 'rejected', 'noted'];

export class MinutesForm {
  #timer = null;

  constructor(minutes) {
    this.minutes = minutes;
    this.saving = new Act(minutes.app.update);
    Object.assign(this, { typed: null, saved: null, theirs: null, savedAt: null });
  }

  get #value() {
    return this.typed ?? typedMinutes(this.minutes.minutes.data, this.minutes.agenda.items);
  }

  get #isUnsaved() {
    return this.typed !== null && this.typed !== this.saved;
  }

  #type(value) {
    this.typed = value;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), PAUSE_MS);
    this.minutes.app.update();
  }

  /** Saves what is typed and not saved yet. */
  async flush() {
    clearTimeout(this.#timer);
    if (!this.#isUnsaved || this.saving.isBusy || this.theirs) return;
    const sent = this.typed;
    const done = await this.saving.run(() => this.#save(sent));
    if (!done && this.saving.problem.status === 412) await this.#compare();
    else if (done && this.#isUnsaved) this.#type(this.typed);
  }

  async #save(typed) {
    const { app, params, minutes } = this.minutes;
    const isFirst = !minutes.data;
    if (isFirst) this.theirs = await this.#read();
    if (this.theirs) return;
    const written = await app.api.get('putMinutes', { params, body: minutesBody(typed) });
    minutes.set(isFirst ? await this.#begun(written) : written);
    Object.assign(this, { saved: typed, savedAt: new Date().toISOString() });
  }

  /** The first version is read again: changes of what was read are refused where somebody else made one meanwhile. */
  async #begun(written) {
    const found = await this.#read();
    if (found && differences(found, written).length) this.theirs = found;
    return written;
  }

  async #compare() {
    this.saving.dismiss();
    await this.saving.run(async () => {
      this.theirs = await this.#read();
    });
  }

  #read() {
    const { app, params } = this.minutes;
    return app.api.get('getMinutes', { params }).catch(nullIfAbsent);
  }

  #keepMine() {
    this.minutes.minutes.set(this.theirs);
    this.theirs = null;
    return this.flush();
  }

  #takeTheirs() {
    this.minutes.minutes.set(this.theirs);
    Object.assign(this, { typed: null, saved: null, theirs: null });
    this.minutes.app.update();
  }

  render() {
    const value = this.#value;
    return html`
      ${this.theirs ? this.#conflict(value) : nothing}
      ${this.minutes.quorum()}
      ${this.#attendance(value)}
      ${value.items.map((item, at) => this.#entry(value, item, at))}
      <p class="row"><button type="button" @click=${() => this.#type({ ...value, items: [...value.items, newEntry()] })}>${t('meetingMinutes.addAnEntry')}</button>
        <span class="soft" role="status">${this.#standing()}</span></p>
      ${actProblem(this.saving)}`;
  }

  #standing() {
    if (this.saving.isBusy) return t('meetingMinutes.saving');
    if (this.#isUnsaved) return t('meetingMinutes.notSavedYet');
    return this.savedAt ? t('meetingMinutes.savedAt', { time: time(this.savedAt) }) : '';
  }

  #conflict(value) {
    const theirs = typedMinutes(this.theirs, this.minutes.agenda.items);
    return html`
      <div class="problem" role="alert">
        <p><strong>${t('problems.somebodyElseChangedThisInThe')}</strong> ${t('meetingMinutes.compareAndChoose')}</p>
        ${differences(value, theirs).map(({ mine, theirs: other }) => html`
          <h4>${this.minutes.headingOf((mine ?? other).agendaItemId)}</h4>
          <div class="pair"><div><b>${t('meetingMinutes.yours')}</b>${version(mine)}</div><div><b>${t('meetingMinutes.theirs')}</b>${version(other)}</div></div>`)}
        <p class="row"><button type="button" class="primary" @click=${() => this.#keepMine()}>${t('meetingMinutes.keepMine')}</button>
          <button type="button" @click=${() => this.#takeTheirs()}>${t('meetingMinutes.takeTheirs')}</button></p>
      </div>`;
  }

  #attendance(value) {
    const members = this.minutes.board.members.items;
    const others = value.attendance.filter(({ userId }) => !userId);
    const add = ({ currentTarget }) => {
      const name = currentTarget.value.trim();
      currentTarget.value = '';
      if (name) this.#type(withAttendance(value, { name }, 'in_person'));
    };
    return html`
      <details class="disclosure" id="attended"><summary class="button">${t('meetingMinutes.whoIsThere')}</summary><div class="disclosure-box">
        ${members.map((member) => this.#presence(value, { userId: member.userId }, personName(member)))}
        ${others.map(({ name }) => this.#presence(value, { name }, name))}
        <div class="field"><label for="attended-other">${t('meetingItems.somebodyWithoutAnAccount')}</label><input id="attended-other" maxlength=${longest('putMinutes', 'attendance.name')} @change=${add}></div>
      </div></details>`;
  }

  #presence(value, who, name) {
    const { present } = value.attendance.find((each) => (who.userId ? each.userId === who.userId : each.name === who.name)) ?? {};
    return html`
      <label class="row spread"><span>${name}</span>
        <select @change=${({ currentTarget }) => this.#type(withAttendance(value, who, currentTarget.value))}>
          <option value="" ?selected=${!present}>–</option>
          ${PRESENCE.map((each) => html`<option value=${each} ?selected=${each === present}>${label(each)}</option>`)}
        </select></label>`;
  }

  #entry(value, item, at) {
    const change = (name) => ({ currentTarget }) => this.#type(withEntry(value, at, { [name]: currentTarget.value }));
    const id = (name) => `minutes-${at}-${name}`;
    return html`
      <fieldset class="entry-form"><legend><b>${this.minutes.headingOf(item.agendaItemId)}</b></legend>
        <div class="field"><label for=${id('text')}>${t('meetingMinutes.whatWasSaid')}</label>
          <textarea id=${id('text')} rows="3" maxlength=${longest('putMinutes', 'items.text')} .value=${item.text} @input=${change('text')} @change=${() => this.flush()}></textarea></div>
        <div class="pair">
          <div class="field"><label for=${id('decision')}>${t('meetingMinutes.decision')}</label>
            <textarea id=${id('decision')} rows="1" maxlength=${longest('putMinutes', 'items.decision.text')} .value=${item.decision} @input=${change('decision')} @change=${() => this.flush()}></textarea></div>
          ${item.decision ? html`<div class="field"><label for=${id('result')}>${t('meetingMinutes.result')}</label>
            <select id=${id('result')} @change=${change('result')}>${RESULTS.map((each) => html`<option value=${each} ?selected=${each === item.result}>${label(each)}</option>`)}</select></div>` : nothing}
        </div>
        ${this.#actionItems(value, item, at)}
      </fieldset>`;
  }

  #actionItems(value, item, at) {
    const known = this.minutes.items.list.items;
    if (!known.length) return nothing;
    const toggle = (id) => ({ currentTarget }) => {
      const others = item.actionItemIds.filter((each) => each !== id);
      this.#type(withEntry(value, at, { actionItemIds: currentTarget.checked ? [...others, id] : others }));
    };
    return html`
      <details><summary class="small">${t('common.actionItems')}${item.actionItemIds.length ? ` (${item.actionItemIds.length})` : ''}</summary>
        <div class="checks">${known.map(({ _id, title }) => html`<label><input type="checkbox" .checked=${item.actionItemIds.includes(_id)} @change=${toggle(_id)}> <span>${title}</span></label>`)}</div></details>`;
  }
}

function version(entry) {
  if (!entry) return html`<p class="soft">–</p>`;
  return html`<p class="text-value">${entry.text || '–'}</p>${entry.decision ? html`<p class="text-value"><b>${t('meetingMinutes.decision')}</b> ${entry.decision}</p>` : nothing}`;
}
