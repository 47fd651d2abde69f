// The circulation of minutes: which version the members were asked to read, until when remarks are welcome, and the next one.

import { timeNow } from '../../lib/clock.js';
import { dateTime, fromWall, ownZone, zoneName } from '../../lib/dates.js';
import { Act, Resource } from '../../lib/state.js';
import { confirmButton, field, html, nothing } from '../../lib/ui.js';
import { Opened } from '../opened.js';
import { t } from '../../lib/texts.js';

const OVER = ['completed', 'finalized'];
const UNTIL = 'remarks-until';

export class Circulation {
  #read = null;
  #remarks = null;

  /** `part` reads the minutes. @param {import('./meeting-minutes-part.js').MinutesPart} part */
  constructor(part) {
    const { app, board, params } = part;
    Object.assign(this, { app, board, params, part });
    this.resource = new Resource(() => this.#approval(), app.update);
    this.circulating = new Act(app.update);
    this.actions = [['circulateMinutes', params]];
  }

  /** Returns how far the minutes are; null where there are none. */
  async #approval() {
    try {
      return await this.app.api.get('getMinutesApproval', { params: this.params });
    } catch (error) {
      if (error.status === 404) return null;
      throw error;
    }
  }

  /** Whether a version was circulated: it stays, with the minutes and their meeting. */
  get isCirculated() {
    return Boolean(this.resource.data?.version);
  }

  render(meeting) {
    const mayCirculate = OVER.includes(meeting.status) && this.part.resource.data && this.board.may('circulateMinutes', this.params);
    return html`${this.isCirculated ? this.#line(this.resource.data) : nothing}${mayCirculate ? html`<p class="row no-print">${this.#button()}</p>` : nothing}`;
  }

  #line({ version, circulatedAt, remarksUntil }) {
    const words = t('meetingMinutes.versionWasCirculated', { version, when: dateTime(circulatedAt) });
    return html`<p>${remarksUntil ? html`${words} ${t('meetingMinutes.remarksAreWelcomeUntil', { when: dateTime(remarksUntil) })}` : words}</p>${this.#text(version)}${this.#remarksOn(version, remarksUntil)}`;
  }

  /** The text of the version, read when it is opened. */
  #text(version) {
    if (this.#read?.version !== version) this.#read = { version, opened: new Opened(this.app, () => this.#version(version)) };
    return this.#read.opened.render(t('meetingMinutes.readVersion', { version }));
  }

  async #version(version) {
    const [{ written }, fixed] = await Promise.all([this.part.loaded(), this.app.api.get('getMinutesVersion', { params: { ...this.params, version } })]);
    return { render: () => written.text(fixed) };
  }

  /** The remarks on the version, read when they are opened. */
  #remarksOn(version, until) {
    if (this.#remarks?.version !== version) this.#remarks = { version, opened: new Opened(this.app, () => this.#remarksPart(version)) };
    return this.#remarks.opened.render(t('minutesRemarks.remarks'), { id: 'remarks', with: !until || Date.parse(until) > timeNow() });
  }

  async #remarksPart(version) {
    const [{ Remarks }, fixed] = await Promise.all([import('./minutes-remarks.js'), this.app.api.get('getMinutesVersion', { params: { ...this.params, version } })]);
    return new Remarks(this.app, this.board, this.params, fixed);
  }

  /** What the opened remarks follow. */
  get follows() {
    return this.#remarks?.opened.follows ?? [];
  }

  #button() {
    return confirmButton({
      act: this.circulating, tone: '', text: t('meetingMinutes.circulate'), yes: t('meetingMinutes.circulate'), run: () => this.#circulate(),
      question: html`<p>${t('meetingMinutes.theyAreFixed')}</p><p>${t('common.membersAreTold', { number: this.board.others })}</p>
        ${field('remarksUntil', t('meetingMinutes.remarksUntil'), { id: UNTIL, type: 'datetime-local', hint: t('common.inYourTimeZone', { zoneName: zoneName(ownZone()) }) })}`,
    });
  }

  /** Circulates what is written, what is typed and not saved yet included. */
  #circulate() {
    return this.circulating.run(async () => {
      await this.part.flush();
      if (this.part.isTyped) return; // it waits for an answer, which is asked for where it stands
      const until = document.getElementById(UNTIL)?.value;
      const body = until ? { remarksUntil: fromWall(until, ownZone()) } : {};
      this.resource.set(await this.app.api.get('circulateMinutes', { params: this.params, body }));
    });
  }
}
