
import { Resource } from '../lib/state.js';
import { html } from '../lib/ui.js';
import { t } from '../lib/texts.js';

const RUNNING = ['in_progress', 'completed'];

export class MinutesPart {
  #loading = null;
  #minutes = null;

  constructor(app, board, params, others) {
    Object.assign(this, { app, board, params, others });
    this.resource = new Resource(() => this.read(), app.update);
    this.actions = [...['putMinutes', 'deleteMinutes'].map((name) => [name, params]), ['createUnregisteredUser', { boardId: board.id }]];
    this.resources = [this.resource];
    this.follows = [{ on: ['minutes', 'meeting', 'resolution'], read: this, isHeld: () => this.#minutes?.isHeld }];
  }

  dispose() {
    this.flush();
  }

  async flush() {
    await this.#minutes?.flush();
  }

  refresh() {
    return (this.#minutes ?? this.resource).refresh();
  }

  take(resolution) {
    this.#minutes?.take(resolution);
  }

  async read() {
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

  isThere(meeting) {
    return this.mayWrite(meeting) || Boolean(this.resource.data) || Boolean(this.resource.problem);
  }

  render(meeting) {
    this.#loading ??= this.#load();
    return this.#minutes ? this.#minutes.render(meeting) : html`<p class="loading" role="status">${t('ui.loadingWhat', { what: t('meetingMinutes.theMinutes') })}</p>`;
  }

  async #load() {
    const { Minutes } = await import('./meeting-minutes.js');
    this.#minutes = new Minutes(this);
    this.app.update();
  }
}
