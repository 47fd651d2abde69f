// Members who have not voted or answered are reminded.

import { Problem, waitInWords } from '../../lib/problems.js';
import { Act } from '../../lib/state.js';
import { confirmButton, html, nameList, nothing } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';

export class Reminder {
  /** `about` is `votes` or `answers`, as the API has it. */
  constructor(app, board, params, about) {
    Object.assign(this, { app, board, params, about, told: null });
    this.sending = new Act(app.update);
    this.actions = [['sendMeetingReminder', params]];
  }

  /** A button for the members that can be reminded; nobody reminds themselves. */
  render(userIds) {
    const others = userIds.filter((userId) => userId !== this.board.userId);
    if (!others.length || !this.board.may('sendMeetingReminder', this.params)) return nothing;
    return html`
      <div class="row no-print">
        ${this.told ? html`<span class="saved" role="status">${this.#said()}</span>` : html`
          ${confirmButton({ act: this.sending, tone: 'small', text: others.length === 1 ? t('meetingReminder.remindName', { name: this.board.nameOf(others[0]) }) : t('meetingReminder.remindAll', { number: others.length }), yes: t('meetingReminder.remind'), question: t('meetingReminder.theyGetAMail', { names: this.#names(others) }), run: () => this.#send() })}`}
      </div>`;
  }

  #said() {
    if (!this.told.length) return t('meetingReminder.nobodyWasLeftToRemind');
    return t('meetingReminder.remindedTold', { told: this.#names(this.told) });
  }

  #names(userIds) {
    return nameList(userIds.map((userId) => this.board.nameOf(userId)));
  }

  #send() {
    return this.sending.run(async () => {
      const body = { about: this.about };
      const { recipients } = await this.app.api.get('sendMeetingReminder', { params: this.params, body, key: this.sending.keyFor(body) }).catch(refused);
      this.told = recipients;
    });
  }
}

/** Members are reminded once a day: that limit is said as what it is. @returns {never} */
function refused(error) {
  if (error.status !== 429 || !error.wait) throw error;
  throw new Problem({ status: 400, message: t('meetingReminder.theyWereRemindedLessThanA', { waitInWords: waitInWords(error.wait) }) });
}
