// A correction of approved minutes: written in the editor of minutes, and saved beside what was approved.

import { bodyOf, draftOf } from '../../lib/minutes-draft.js';
import { Resource } from '../../lib/state.js';
import { html } from '../../lib/ui.js';
import { Minutes } from './meeting-minutes.js';
import { t } from '../../lib/texts.js';

export class Correction {
  /** `part` reads the approved minutes. @param {import('./meeting-minutes-part.js').MinutesPart} part */
  constructor(part) {
    const { app, board, params, others, circulation } = part;
    Object.assign(this, { app, board, params, others, circulation, part, draftName: 'correction', mayDelete: false });
    this.resource = new Resource(() => this.read(), app.update);
    this.editor = new Minutes(this);
    this.follows = [{ on: ['minutes'], read: this.editor, isHeld: () => this.editor.isHeld }];
  }

  mayWrite() {
    return true;
  }

  /** Returns the open correction; the approved minutes where none is open. */
  async read() {
    try {
      return await this.app.api.get('getMinutesCorrection', { params: this.params });
    } catch (error) {
      if (error.status === 404) return this.app.api.get('getMinutes', { params: this.params });
      throw error;
    }
  }

  /** Returns the correction that somebody else has saved since it was read; null where nobody has. */
  async newer() {
    const { status, updatedAt } = this.resource.data;
    const found = await this.read();
    return found.status === status && found.updatedAt === updatedAt ? null : found;
  }

  /** Saves a correction in place of the open one, and returns it; what was approved is none. */
  async save(body) {
    const { data } = this.resource;
    if (data.status === 'final' && JSON.stringify(body) === JSON.stringify(bodyOf(draftOf(data), data))) return data;
    this.circulation.resource.set(await this.app.api.get('correctMinutes', { params: this.params, body }));
    return this.read();
  }

  render(meeting) {
    return html`
      <p class="no-print">${t('minutesCorrection.whatYouType')}</p>
      ${this.editor.render(meeting)}
      <p class="row no-print"><button type="button" @click=${() => this.part.endCorrection()}>${t('minutesCorrection.backToTheApproved')}</button></p>`;
  }
}
