// The link by which people without an account vote on a meeting's times.

import { GUEST_LINK_DAYS } from '../../lib/service.js';
import { Act } from '../../lib/state.js';
import { actProblem, confirmButton, html, menu } from '../../lib/ui.js';
import { date } from '../../lib/dates.js';
import { t } from '../../lib/texts.js';

export class GuestLink {
  constructor(app, params) {
    Object.assign(this, { app, params });
    this.opening = new Act(app.update);
    this.closing = new Act(app.update);
    this.discarding = new Act(app.update);
    this.link = null;
    this.actions = [['openGuestLink', params]];
  }

  /** A link is opened while there is something to vote on; it can be closed for as long as the meeting can be changed. */
  render({ meeting: { status, title }, slots }) {
    const mayOpen = status === 'scheduled';
    const hasVotes = slots?.some(({ feedbacks }) => feedbacks.some(({ isGuest }) => isGuest));
    return html`
      <p>${mayOpen ? t('meetingGuests.guestsVoteWithoutAnAccountBy', { days: GUEST_LINK_DAYS }) : t('meetingGuests.guestsCannotVoteAnyMoreA')}</p>
      ${this.link?.url ? html`
        <p><label for="guest-url">${t('meetingGuests.giveThisLinkToYourGuests')}</label></p>
        <p class="row"><input id="guest-url" class="grow" readonly .value=${this.link.url} @focus=${(event) => event.target.select()}>
          <button type="button" @click=${() => this.#copy()}>${t('common.copy')}</button></p>
        <p class="soft">${t('meetingGuests.itWorksUntilDate', { date: date(this.link.expiresAt) })}</p>` : ''}
      <div class="row">
        ${mayOpen ? html`<button type="button" ?disabled=${this.opening.isBusy} @click=${() => this.#open()}>${this.link ? t('meetingGuests.createANewLink') : t('meetingGuests.createAGuestLink')}</button>` : ''}
        ${menu(t('meetingGuests.theGuestsOfTitle', { title }), html`
        ${confirmButton({ act: this.closing, text: t('meetingGuests.closeTheLink'), yes: t('meetingGuests.closeIt'), question: t('meetingGuests.nobodyCanOpenTheLinkAny'), run: () => this.#close(this.closing) })}
        ${hasVotes ? confirmButton({ act: this.discarding, text: t('meetingGuests.closeAndDropVotes'), yes: t('meetingGuests.closeAndDrop'), question: t('meetingGuests.nobodyCanOpenTheLinkAny2'), run: () => this.#close(this.discarding, { votes: 'discard' }) }) : ''}`)}
      </div>
      ${mayOpen ? html`<p class="soft small">${t('meetingGuests.aNewLinkReplacesTheOne')}</p>` : ''}
      ${actProblem(this.opening)}`;
  }

  #open() {
    return this.opening.run(async () => {
      this.link = await this.app.api.get('openGuestLink', { params: this.params, key: this.opening.keyFor({}) });
    });
  }

  async #close(act, query = {}) {
    const done = await act.run(() => this.app.api.call('closeGuestLink', { params: this.params, query }));
    if (!done) return;
    this.link = null;
    this.app.say(t('meetingGuests.theGuestLinkIsClosed'));
    this.app.view.slots?.reload();
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.link.url);
      this.app.say(t('common.copied'));
    } catch {
      document.getElementById('guest-url').select();
    }
  }
}
