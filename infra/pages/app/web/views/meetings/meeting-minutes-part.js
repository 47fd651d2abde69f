// The minutes of a meeting: read with it; what shows and edits them is loaded once there is something of them.

import { Resource } from '../../lib/state.js';
import { html } from '../../lib/ui.js';
import { Circulation } from './minutes-circulation.js';
import { t } from '../../lib/texts.js';

const RUNNING = ['in_progress', 'completed'];

export class MinutesPart {
  #loading = null;
  #minutes = null;

  /** `others` are the parts of the meeting that minutes name. */
  constructor(app, board, params, others) {
    Object.assign(this, { app, board, params, others, draftName: 'minutes', correction: null });
    this.resource = new Resource(() => this.read(), app.update);
    this.circulation = new Circulation(this);
    this.actions = [...this.circulation.actions, ...['putMinutes', 'deleteMinutes', 'restoreMinutes'].map((name) => [name, params]), ['createUnregisteredUser', { boardId: board.id }]];
    this.resources = [this.resource, this.circulation.resource];
  }

  get follows() {
    const { circulation } = this;
    return [{ on: ['minutes'], read: circulation.resource }, ...circulation.follows, ...(this.correction?.follows ?? []), { on: ['minutes', 'meeting', 'resolution'], read: this, isHeld: () => this.#minutes?.isHeld }];
  }

  dispose() {
    this.flush();
  }

  /** Saves at once what is typed and not saved yet. */
  async flush() {
    await this.#minutes?.flush();
    await this.correction?.editor.flush();
  }

  /** Reads the minutes again; what is typed meanwhile joins them. */
  refresh() {
    return (this.#minutes ?? this.resource).refresh();
  }

  /** Notes a vote that is over. */
  take(resolution) {
    this.#minutes?.take(resolution);
  }

  /** Returns the minutes; null where there are none, or none that may be seen. */
  async read() {
    try {
      return await this.app.api.get('getMinutes', { params: this.params });
    } catch (error) {
      if (error.status === 404) return null;
      throw error;
    }
  }

  /** Returns what somebody else began where nothing was known; null otherwise, for the API tells what changed. */
  async newer() {
    return this.resource.data ? null : this.read();
  }

  /** Saves the minutes, and returns them. */
  async save(body) {
    const isNew = !this.resource.data;
    const saved = await this.app.api.get('putMinutes', { params: this.params, body });
    return isNew ? this.read() : saved;
  }

  get mayDelete() {
    return !this.circulation.isCirculated && this.board.may('deleteMinutes', this.params);
  }

  mayWrite({ status }) {
    return (RUNNING.includes(status) || this.circulation.isChanging) && this.mayRun && !this.circulation.isBinding;
  }

  /** Whether the caller starts, completes and finalizes the meeting: those who write its minutes do. */
  get mayRun() {
    return this.board.may('putMinutes', this.params);
  }

  /** Whether there is anything to show of them. */
  isThere(meeting) {
    return this.mayWrite(meeting) || this.circulation.isCirculated || Boolean(this.resource.data) || Boolean(this.resource.problem) || this.isTyped;
  }

  /** Whether something is typed that is not saved. */
  get isTyped() {
    return Boolean(this.#minutes?.isTyped || this.correction?.editor.isTyped);
  }

  /** What was typed and can no longer be saved, if there is any. */
  left() {
    return this.#minutes?.left();
  }

  render(meeting) {
    this.loaded();
    return html`${this.circulation.render(meeting)}${this.#written(meeting)}`;
  }

  /** Begins to correct approved minutes, from what was approved or from their open correction. */
  async correct() {
    const { Correction } = await import('./minutes-correction.js');
    this.correction = new Correction(this);
    this.app.update();
  }

  /** Shows the approved minutes again; what is typed into their correction and cannot be saved stays. */
  async endCorrection() {
    await this.correction?.editor.flush();
    if (!this.correction?.editor.isTyped) this.correction = null;
    this.app.update();
  }

  #written(meeting) {
    if (this.correction) return this.correction.render(meeting);
    return this.#minutes ? this.#minutes.render(meeting) : html`<p class="loading" role="status">${t('ui.loadingWhat', { what: t('meetingMinutes.theMinutes') })}</p>`;
  }

  /** Returns what shows and edits them, once it is loaded. */
  loaded() {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load() {
    const { Minutes } = await import('./meeting-minutes.js');
    this.#minutes = new Minutes(this);
    this.app.update();
    return this.#minutes;
  }
}
