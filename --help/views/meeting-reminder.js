
import { Problem, waitInWords } from '../lib/problems.js';
import { Act } from '../lib/state.js';
import { confirmButton, html, nothing } from '../lib/ui.js';
import { t } from '../lib/texts.js';

export class Reminder {
  constructor(app, board, params, about) {
    Object.assign(this, { app, board, params, about, told: null });
    this.sending = new Act(app.update);
    this.actions = [['sendReminder', params]];
  }

  render(userIds) {
    const others = userIds.filter((userId) => userId !== this.board.userId);
    if (!others.length || !this.board.may('sendReminder', this.params)) return nothing;
    return html`
      <div class="row no-print">
        ${this.told ? html`<span class="saved" role="status">${this.#said()}</span>` : html`
          ${confirmButton({ act: this.sending, tone: 'small', text: t('meetingReminder.remindLength', { length: others.length === 1 ? this.board.nameOf(others[0]) : t('meetingReminder.allLength', { length: others.length }) }), yes: t('meetingReminder.remind'), question: t('meetingReminder.theyGetAMail', { names: others.map((userId) => this.board.nameOf(userId)).join(', ') }), run: () => this.#send() })}`}
      </div>`;
  }

  #said() {
    if (!this.told.length) return t('meetingReminder.nobodyWasLeftToRemind');
    return t('meetingReminder.remindedTold', { told: this.told.map((userId) => this.board.nameOf(userId)).join(', ') });
  }

  #send() {
    return this.sending.run(async () => {
      const body = { about: this.about };
      const { recipients } = await this.app.api.get('sendReminder', { params: this.params, body, key: this.sending.keyFor(body) }).catch(refused);
      this.told = recipients;
    });
  }
}

function refused(error) {
  if (error.status !== 429 || !error.wait) throw error;
  throw new Problem({ status: 400, message: t('meetingReminder.theyWereRemindedLessThanA', { waitInWords: waitInWords(error.wait) }) });
}

export function peopleTold({ mailed: { reached, missed } }) {
  return html`
    ${reached.length ? html`<p>${t('people.getAMailToo', { number: reached.length })}</p>` : nothing}
    ${missed.length ? html`<p>${t('people.areNotReached', { names: missed.map(({ fullName }) => fullName).join(', ') })}</p>` : nothing}`;
}
