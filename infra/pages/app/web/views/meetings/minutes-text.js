// Minutes as they are read: who was there, and what was said, decided and given to somebody to do.

import { sums } from '../../lib/resolution-words.js';
import { CHAIR, SECRETARY, chairFirst, holdersOf } from '../../lib/seats.js';
import { html, nothing, pill } from '../../lib/ui.js';
import { position } from '../../lib/words.js';
import { titleOf } from '../../lib/agenda-items.js';
import { inCameraNote } from './in-camera.js';
import { PRESENT } from './minutes-attendance.js';
import { t } from '../../lib/texts.js';

export class MinutesText {
  /** The other arguments are the parts of the meeting that minutes name. */
  constructor(board, { agenda, items, resolutions }) {
    Object.assign(this, { board, agenda, items, resolutions });
  }

  /** The minutes as they are now, with lines to sign on paper. */
  render(minutes) {
    return html`
      <p>${pill(minutes.status === 'final' ? t('meetingMinutes.final') : t('meetingMinutes.draft'), minutes.status === 'final' ? 'good' : 'warn')}
        ${t('meetingMinutes.presentOfMembers', { present: minutes.quorum.present, members: minutes.quorum.members })}</p>
      ${this.text(minutes)}
      <div class="print-only">
        ${this.items.list.items.length ? html`<h3>${t('common.actionItems')}</h3><ul>${this.items.list.items.map((item) => html`<li>${this.#task(item)}</li>`)}</ul>` : nothing}
        ${[[CHAIR, t('meetingMinutes.chair')], [SECRETARY, t('meetingMinutes.secretary')]].map(([seat, words]) => html`<p class="sign-line">${[this.#signer(minutes, seat), words].filter(Boolean).join(', ')}</p>`)}
      </div>
      ${minutes.status === 'final' ? html`<p class="no-print"><button type="button" class="plain" @click=${() => print()}>${t('meetingMinutes.printOrSave')}</button></p>` : nothing}`;
  }

  /** The numbered titles of the agenda's items, by their ids. */
  get titles() {
    const agenda = this.agenda.resource.data?.items ?? [];
    return new Map(agenda.map(({ id, title, withheld }, index) => [id, `${index + 1}. ${titleOf({ title, withheld })}`]));
  }

  /** Who was there, and what was said and decided: of the minutes, or of a version of them. */
  text(minutes) {
    const agenda = this.agenda.resource.data?.items ?? [];
    const { titles } = this;
    const unwritten = agenda.filter(({ id, withheld }) => !withheld && !minutes.items.some(({ agendaItemId }) => agendaItemId === id)).map(({ id }) => ({ agendaItemId: id, text: '' }));
    const order = (item) => (titles.has(item.agendaItemId) ? [...titles.keys()].indexOf(item.agendaItemId) : titles.size);
    const items = [...minutes.items, ...unwritten].sort((one, other) => order(one) - order(other));
    return html`
      ${minutes.attendance.length ? html`<ul class="plain-list">${this.attended(minutes).map(({ name, boardPositions = [], present }) => html`<li>${[name, ...boardPositions.map(position)].join(', ')} <span class="soft">${presence(present)}</span></li>`)}</ul>` : nothing}
      ${items.map((item) => html`
        <section class="minute"><h3>${item.withheld ? titleOf(item) : titles.get(item.agendaItemId) ?? t('meetingMinutes.otherBusiness')}</h3>${inCameraNote(this.board, item)}${item.withheld ? nothing : isWritten(item) ? said(item) : html`<p class="soft">${t('meetingMinutes.nothingWasNoted')}</p>`}${this.#sumsOf(item)}${this.tasksOf(item)}</section>`)}`;
  }

  /** Who is noted, with their names and positions as they are now, the chair first. */
  attended({ attendance }) {
    const member = (userId) => this.board.members.items.find((each) => each.userId === userId);
    return chairFirst(attendance.map(({ userId, unregisteredUserId, name, present }) => ({ name: userId ? this.board.nameOf(userId) : name ?? this.board.withoutAccount(unregisteredUserId)?.fullName ?? '…', boardPositions: userId ? member(userId)?.boardPositions : [], present })));
  }

  /** The name of the one who was there in a seat; of several, and of nobody, the line stays open. */
  #signer(minutes, seat) {
    const holders = holdersOf(this.attended(minutes), seat).filter(({ present }) => present !== 'absent');
    return holders.length === 1 ? holders[0].name : null;
  }

  /** How the votes on what decided an item fell. */
  #sumsOf({ resolutionId }) {
    const found = resolutionId && this.resolutions.opened.find(({ id }) => id === resolutionId);
    return found?.tally && found.status !== 'open' ? html`<p>${sums(found.tally)}</p>` : nothing;
  }

  #task({ _id, title, assigneeUserId, assigneeName }) {
    const who = assigneeUserId ? this.board.nameOf(assigneeUserId) : assigneeName;
    return [title, who, this.items.dues.dayOf(_id)].filter(Boolean).join(' · ');
  }

  /** The action items that an entry names. */
  tasksOf({ actionItemIds }) {
    const named = this.items.list.items.filter(({ _id }) => actionItemIds?.includes(_id));
    return named.length ? html`<ul class="plain-list soft">${named.map((item) => html`<li>→ ${this.#task(item)}</li>`)}</ul>` : nothing;
  }
}

/** What was said about an item, and what was decided. */
export function said({ text, decision }) {
  return html`
    ${text ? html`<p class="said">${text}</p>` : nothing}
    ${decision?.text ? html`<p class="decision">${pill(decision.result, decision.result === 'carried' ? 'good' : 'quiet')} ${decision.text}</p>` : nothing}`;
}

function isWritten({ text, decision, resolutionId, actionItemIds = [] }) {
  return Boolean(text || decision?.text || resolutionId || actionItemIds.length);
}

/** Returns in words how somebody was there. */
export function presence(value) {
  return PRESENT().find(([each]) => each === value)?.[1] ?? value;
}
