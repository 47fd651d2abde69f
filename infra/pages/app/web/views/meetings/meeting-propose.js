// Proposing several times at once: picked in a month or a week, pasted as a list, or copied from another meeting.

import { instantNow, timeNow } from '../../lib/clock.js';
import { clockTime, date, fromWall, isZone, ownZone, timeRange, toWall, zoneName, zones } from '../../lib/dates.js';
import { NUMBERS } from '../../lib/openapi.js';
import { Problem } from '../../lib/problems.js';
import { Act, List } from '../../lib/state.js';
import { addDays, addMinutes, addMonths, monthOf, readTimes, weekOf } from '../../lib/times.js';
import { actProblem, choice, closeAround, disclosure, form, html, nothing, showList } from '../../lib/ui.js';
import { locale, t } from '../../lib/texts.js';

const { minimum: SHORTEST, maximum: LONGEST, default: USUAL } = NUMBERS.createSlot.durationInMinutes;
// Every quarter of an hour, from two hours on every half hour.
const DURATIONS = Array.from({ length: (LONGEST - SHORTEST) / 15 + 1 }, (_, index) => SHORTEST + index * 15).filter((minutes) => minutes <= 120 || minutes % 30 === 0);
const HALF_HOURS = Array.from({ length: 28 }, (_, index) => addMinutes('2000-01-01T07:00', index * 30).slice(11));
const STEPS = {
  month: { ArrowLeft: (time) => byDays(time, -1), ArrowRight: (time) => byDays(time, 1), ArrowUp: (time) => byDays(time, -7), ArrowDown: (time) => byDays(time, 7), PageUp: (time) => byMonths(time, -1), PageDown: (time) => byMonths(time, 1) },
  week: { ArrowLeft: (time) => byDays(time, -1), ArrowRight: (time) => byDays(time, 1), ArrowUp: (time) => addMinutes(time, -30), ArrowDown: (time) => addMinutes(time, 30), PageUp: (time) => byDays(time, -7), PageDown: (time) => byDays(time, 7) },
};
const byDays = (time, count) => addDays(time.slice(0, 10), count) + time.slice(10);
const byMonths = (time, count) => addMonths(time.slice(0, 10), count) + time.slice(10);

export class ProposeTimes {
  /** @param {import('./meeting-grid.js').VotingGrid} grid */
  constructor(grid) {
    Object.assign(this, { grid, app: grid.app, mode: 'month', clock: '09:00', length: USUAL, zone: null, drag: null, meetings: null });
    this.chosen = new Set();
    this.act = new Act(grid.app.update);
    this.pasting = new Act(grid.app.update);
    this.copying = new Act(grid.app.update);
    this.at = `${addDays(toWall(instantNow()).slice(0, 10), 1)}T${this.clock}`;
  }

  get #zone() {
    const { timezone } = this.grid.slots.data.at(-1) ?? {};
    return this.zone ?? (isZone(timezone) ? timezone : ownZone());
  }

  #set(values) {
    Object.assign(this, values);
    this.app.update();
  }

  render() {
    const times = [...this.chosen].sort();
    return html`
      <div class="pair">
        ${choice('zone', t('common.timeZone'), zones(this.#zone).map((each) => [each, zoneName(each)]), { id: 'propose-zone', value: this.#zone, onChange: (event) => this.#set({ zone: event.target.value }) })}
        ${choice('length', t('meetingPropose.length'), DURATIONS.map((minutes) => [String(minutes), lengthOf(minutes)]), { id: 'propose-length', value: String(this.length), onChange: (event) => this.#set({ length: Number(event.target.value) }) })}
        ${choice('mode', t('meetingPropose.pickDaysIn'), [['month', t('meetingPropose.aMonthAllAtOneTime')], ['week', t('meetingPropose.aWeekHourByHour')]], { id: 'propose-mode', value: this.mode, onChange: (event) => this.#set({ mode: event.target.value }) })}
        ${this.mode === 'month' ? html`<div class="field"><label for="propose-clock">${t('meetingPropose.at')}</label><input id="propose-clock" type="time" step="300" .value=${this.clock} @change=${(event) => event.target.value && this.#set({ clock: event.target.value, at: this.at.slice(0, 11) + event.target.value })}></div>` : nothing}
      </div>
      ${this.#calendar()}
      <div class="row">${disclosure(t('meetingPropose.pasteAList'), this.#paste())}${disclosure(t('meetingPropose.copyFromAnotherMeeting'), this.#copy())}</div>
      ${times.length ? html`
        <h3>${t('meetingPropose.chosen', { number: times.length, zone: zoneName(this.#zone) })}</h3>
        <ul class="chosen">${times.map((time) => html`<li>${this.#words(time)} <button type="button" class="plain small" aria-label=${t('meetingPropose.dropWords', { words: this.#words(time) })} @click=${() => this.#toggle(time, false)}>✕</button></li>`)}</ul>` : html`<p class="soft">${t('meetingPropose.clickDaysOrHoursOrDrag')}</p>`}
      ${this.grid.people.render(this.grid.meeting.data, 'asked-people')}
      ${actProblem(this.act)}
      <p class="row"><button type="button" class="primary" ?disabled=${this.act.isBusy || !times.length} @click=${(event) => this.#propose(event.currentTarget)}>${times.length > 1 ? t('meetingPropose.proposeMany', { number: times.length }) : t('meetingPropose.propose')}</button></p>`;
  }

  #words(time) {
    return `${date(`${time}:00Z`, 'UTC')}, ${timeRange(`${time}:00Z`, `${addMinutes(time, this.length)}:00Z`, 'UTC')}`;
  }

  #toggle(time, isOn = !this.chosen.has(time)) {
    if (isOn) this.chosen.add(time);
    else this.chosen.delete(time);
    this.app.update();
  }

  #calendar() {
    const day = this.at.slice(0, 10);
    const step = STEPS[this.mode];
    const name = this.mode === 'month' ? format(day, { month: 'long', year: 'numeric' }) : t('meetingPropose.weekFrom', { date: date(`${weekOf(day)[0]}T00:00Z`, 'UTC') });
    return html`
      <div class="row spread calendar-head">
        <button type="button" class="small" aria-label=${t('meetingPropose.earlier')} @click=${() => this.#set({ at: step.PageUp(this.at) })}>‹</button>
        <b aria-live="polite">${name}</b>
        <button type="button" class="small" aria-label=${t('meetingPropose.later')} @click=${() => this.#set({ at: step.PageDown(this.at) })}>›</button>
      </div>
      <table class="calendar ${this.mode}" role="grid" aria-label=${t('meetingPropose.timesToPropose')} @keydown=${(event) => this.#move(event)} @pointerdown=${(event) => this.#startDrag(event)} @pointerover=${(event) => this.#overDrag(event)}>
        <thead><tr>${this.mode === 'week' ? html`<td></td>` : nothing}${weekOf(day).map((each) => html`<th scope="col">${format(each, { weekday: 'short', ...(this.mode === 'week' ? { day: 'numeric' } : {}) })}</th>`)}</tr></thead>
        <tbody>${this.mode === 'month'
          ? monthOf(day).map((week) => html`<tr>${week.map((each) => this.#cell(`${each}T${this.clock}`, Number(each.slice(8)), each.slice(0, 7) !== day.slice(0, 7)))}</tr>`)
          : HALF_HOURS.map((clock) => html`<tr><th scope="row">${clock.endsWith('00') ? clockTime(clock) : ''}</th>${weekOf(day).map((each) => this.#cell(`${each}T${clock}`, ''))}</tr>`)}</tbody>
      </table>`;
  }

  #isPast(time) {
    return time <= toWall(instantNow(), this.#zone);
  }

  #cell(time, words, isOther = false) {
    return html`<td><button type="button" data-time=${time} class=${isOther ? 'other' : ''} aria-pressed=${this.chosen.has(time)} aria-label=${`${format(time.slice(0, 10), { weekday: 'long', day: 'numeric', month: 'long' })}, ${clockTime(time.slice(11))}`}
      tabindex=${time === this.at ? 0 : -1} ?disabled=${this.#isPast(time)} @click=${(event) => event.detail === 0 && this.#toggle(time)}>${words}</button></td>`;
  }

  /** Space and Enter are clicks of the keyboard; the pointer chooses as it goes down, so that it can drag. */
  #startDrag(event) {
    const time = event.target.dataset?.time;
    if (!time || event.button !== 0 || event.target.disabled) return;
    event.target.releasePointerCapture?.(event.pointerId);
    this.drag = { isOn: !this.chosen.has(time) };
    addEventListener('pointerup', () => (this.drag = null), { once: true });
    this.at = time;
    this.#toggle(time, this.drag.isOn);
  }

  #overDrag({ target, buttons }) {
    if (this.drag && buttons & 1 && target.dataset?.time && !target.disabled) this.#toggle(target.dataset.time, this.drag.isOn);
  }

  #move(event) {
    const step = STEPS[this.mode][event.key];
    if (!step || !event.target.dataset.time) return;
    event.preventDefault();
    const table = event.currentTarget;
    const to = step(event.target.dataset.time);
    if (this.mode === 'week' && !HALF_HOURS.includes(to.slice(11))) return;
    this.#set({ at: to });
    queueMicrotask(() => table.querySelector(`[data-time="${to}"]`)?.focus());
  }

  #paste() {
    return form({
      act: this.pasting, button: t('meetingPropose.chooseThese'),
      submit: ({ times }, target) => {
        const { times: found, wrong } = readTimes(times);
        if (wrong.length) throw new Problem({ status: 400, message: t('meetingPropose.thisIsNoDateWithA', { wrong: wrong[0] }) });
        const past = found.find((time) => this.#isPast(time));
        if (past) throw new Problem({ status: 400, message: t('meetingPropose.thisTimeHasPassed', { time: this.#words(past) }) });
        this.#choose(found);
        closeAround(target);
      },
      content: html`<div class="field"><label for="propose-list">${t('meetingPropose.oneDateWithItsTimeIn')}</label><textarea id="propose-list" name="times" rows="4" required placeholder="2027-03-10 09:30"></textarea></div>`,
    });
  }

  #choose(times) {
    for (const time of times) this.chosen.add(time);
    if (times.length) this.at = times[0];
    this.app.update();
  }

  #copy() {
    const { board, params } = this.grid;
    this.meetings ??= null;
    if (!this.meetings) return html`<button type="button" @click=${() => this.#set({ meetings: new List((cursor) => this.app.api.page('listMeetings', { params: { boardId: board.id }, query: { limit: 50 }, cursor }), this.app.update) })}>${t('meetingPropose.showTheMeetings')}</button>`;
    return html`${showList(this.meetings, t('common.theMeetings'), t('meetingPropose.thereIsNoOtherMeeting'), (items) => html`<ul class="plain-list">${items.filter(({ id }) => id !== params.meetingId).map((meeting) => html`
      <li><button type="button" class="plain small" ?disabled=${this.copying.isBusy} @click=${(event) => this.#copyFrom(meeting, event.currentTarget)}>${meeting.title}</button></li>`)}</ul>`)}${actProblem(this.copying)}`;
  }

  #copyFrom(meeting, element) {
    return this.copying.run(async () => {
      const slots = await this.app.api.get('listSlots', { params: { boardId: this.grid.board.id, meetingId: meeting.id } });
      const ahead = slots.filter(({ startTime }) => Date.parse(startTime) > timeNow());
      if (!ahead.length) throw new Problem({ status: 400, message: t('meetingPropose.noTimeOfTitleIsStill', { title: meeting.title }) });
      this.#choose(ahead.map(({ startTime }) => toWall(startTime, this.#zone)));
      closeAround(element);
    });
  }

  /** Proposes the chosen times one after the other; those that were taken are no longer chosen when one is refused. */
  #propose(element) {
    return this.act.run(async () => {
      const zone = this.#zone;
      const times = [...this.chosen].sort();
      const instants = times.map((time) => [time, fromWall(time, zone)]);
      const skipped = instants.find(([, instant]) => !instant);
      if (skipped) throw new Problem({ status: 400, message: t('meetingPropose.theClocksOfZonenameSkipWords', { zoneName: zoneName(zone), words: this.#words(skipped[0]) }) });
      for (const [time, startTime] of instants) {
        await this.#proposeOne({ startTime, timezone: zone, durationInMinutes: this.length });
        this.chosen.delete(time);
      }
      this.app.say(t('meetingPropose.proposed', { number: times.length }));
      closeAround(element);
    });
  }

  /** Proposes one time; one that is proposed already stays as it is. */
  async #proposeOne(body) {
    const { grid } = this;
    try {
      const slot = await this.app.api.get('createSlot', { params: grid.params, body, key: this.act.keyFor(body) });
      grid.slots.set([...grid.slots.data, slot].sort((one, other) => Date.parse(one.startTime) - Date.parse(other.startTime)));
    } catch (problem) {
      if (!problem.details?.slotId) throw problem;
    }
  }
}

function format(day, options) {
  return new Intl.DateTimeFormat(locale(), { ...options, timeZone: 'UTC' }).format(Date.parse(`${day}T00:00:00Z`));
}

function lengthOf(minutes) {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return [hours ? t('meetingPropose.hours', { hours }) : '', rest ? t('meetingPropose.minutes', { minutes: rest }) : ''].filter(Boolean).join(' ');
}
