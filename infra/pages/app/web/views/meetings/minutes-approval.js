// The approval of circulated minutes: which meeting or resolution approved them, what still waits, and the question before.

import { date } from '../../lib/dates.js';
import { Act, List, Resource } from '../../lib/state.js';
import { choice, form, html, nothing, show } from '../../lib/ui.js';
import { shortened, titled } from '../../lib/words.js';
import { t } from '../../lib/texts.js';

const HELD = ['in_progress', 'completed', 'finalized'];
const [MEETING, RESOLUTION] = ['inMeetingId', 'resolutionId'];
const NAMED_REMARKS = 5;

export class Approval {
  /** `approve` sends the body of an approval of the minutes of `meeting`. */
  constructor(app, board, params, meeting, approve) {
    Object.assign(this, { app, board, params, approve, acting: new Act(app.update) });
    this.remarks = new List((cursor) => app.api.page('listMinutesRemarks', { params, query: { limit: 50 }, cursor }), app.update, { isWhole: true });
    this.choices = new Resource(() => this.#choices(meeting), app.update);
    this.follows = [
      { on: ['minutes'], ids: { meetingId: params.meetingId }, read: this.remarks },
      { on: ['meeting', 'resolution'], read: this.choices },
    ];
  }

  /** Returns the later meetings that were begun, earliest first, and the resolutions that were carried. */
  async #choices({ startTime }) {
    const { app: { api }, board } = this;
    const params = { boardId: board.id };
    const later = startTime ? api.page('listMeetings', { params, query: { startAfter: startTime, cancelled: 'false', sort: 'startTime', order: 'asc', limit: 50 } }) : { items: [] };
    const carried = api.page('listResolutions', { params, query: { status: 'carried', limit: 50 } });
    const [meetings, resolutions] = await Promise.all([later, carried]);
    return { meetings: meetings.items.filter(({ status }) => HELD.includes(status)), resolutions: resolutions.items };
  }

  /** `version` is that of the minutes that was circulated last. */
  render({ version }) {
    return show(this.remarks, t('minutesRemarks.theRemarks'), ({ items }) => show(this.choices, t('minutesApproval.whatCanApprove'), (choices) => {
      if (!choices.meetings.length && !choices.resolutions.length) return html`<p class="empty">${t('minutesApproval.nothingCanApprove')}</p>`;
      return this.#form(choices, items.filter((each) => each.version === version && !each.disposition));
    }));
  }

  #form({ meetings, resolutions }, open) {
    const first = meetings.find(({ status }) => status === 'in_progress') ?? meetings.at(-1);
    return form({
      act: this.acting, button: t('minutesApproval.approve'), keep: true, ask: () => this.#question(open),
      submit: ({ manner, approvedBy }) => this.#send({ manner, ...named(approvedBy), ...(open.length ? { force: true } : {}) }),
      content: html`
        ${choice('manner', t('minutesApproval.howTheyWereApproved'), [['as_presented', t('minutesApproval.asPresented')], ['as_changed', t('minutesApproval.asChanged')]], { id: 'approval-manner' })}
        ${choice('approvedBy', t('minutesApproval.approvedBy'), html`
          ${group(t('minutesApproval.aLaterMeeting'), MEETING, meetings, ({ title, startTime }) => `${title} · ${date(startTime)}`, first)}
          ${group(t('minutesApproval.aCarriedResolution'), RESOLUTION, resolutions, titled)}`, { id: 'approval-by', required: true })}`,
    });
  }

  /** What follows from an approval; remarks that wait for a decision are named. */
  #question(open) {
    const lines = open.slice(0, NAMED_REMARKS).map(({ authorUserId, text }) => html`<li>${authorUserId ? this.board.nameOf(authorUserId) : t('minutesRemarks.somebody')}: ${shortened(text)}</li>`);
    return {
      yes: open.length ? t('minutesApproval.approveAnyway') : t('minutesApproval.approve'), keep: t('ui.notNow'),
      question: html`<p>${t('minutesApproval.whatFollows')}</p><p>${t('common.membersAreTold', { number: this.board.others })}</p>
        ${open.length ? html`<p><b>${t('minutesApproval.remarksWait', { number: open.length })}</b></p><ul>${lines}</ul>` : nothing}`,
    };
  }

  async #send(body) {
    try {
      await this.approve(body);
    } catch (error) {
      this.remarks.reload(); // one that was made meanwhile is named before the next try
      throw error;
    }
  }
}

function group(words, name, items, wordsOf, chosen = null) {
  if (!items.length) return nothing;
  return html`<optgroup label=${words}>${items.map((each) => html`<option value="${name} ${each.id}" ?selected=${each === chosen}>${wordsOf(each)}</option>`)}</optgroup>`;
}

/** Returns the member of a body that a choice stands for. */
function named(value) {
  const [name, id] = value.split(' ');
  return { [name]: id };
}
