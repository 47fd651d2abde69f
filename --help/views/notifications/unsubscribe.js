// The page that the link "Turn off e-mails like this" of a mail opens. Opening it turns them off: the link in the mail was the
// one click. A reload, or a way back to it, changes nothing. The token in the address goes to our own API and is never shown.

import { topicInWords } from '../../lib/mail-topics.js';
import { Act, Resource } from '../../lib/state.js';
import { actProblem, html, nothing, show } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';

export default (app, params) => new UnsubscribeView(app, { unsubscribeToken: params.token });

class UnsubscribeView {
  constructor(app, params) {
    Object.assign(this, { app, params });
    const isSeen = new URLSearchParams(location.search).has('seen');
    this.subscription = new Resource(() => (isSeen ? app.api.get('getMailSubscription', { params }) : this.#turnOff()), app.update);
    this.changing = new Act(app.update);
    this.resources = [this.subscription];
  }

  title = () => t('unsubscribe.eMails');

  async #turnOff() {
    const found = await this.app.api.get('unsubscribeFromMails', { params: this.params });
    this.app.router.query({ seen: 'yes' });
    return found;
  }

  render() {
    return html`<div class="narrow card">${this.#content()}</div>`;
  }

  #content() {
    if (this.subscription.problem?.status === 404) return ABSENT;
    if (!this.subscription.isReady) return html`<h1>${t('unsubscribe.eMails')}</h1>${show(this.subscription, t('unsubscribe.yourChoice'), () => nothing)}`;
    const { topic, enabled } = this.subscription.data;
    const { heading, text } = topicInWords(topic);
    return html`
      <h1>${enabled ? t('unsubscribe.youGetTheseEMailsAgain') : t('unsubscribe.theseEMailsAreTurnedOff')}</h1>
      <p role="status"><b>${heading}</b><br>${text}</p>
      <p>${enabled ? t('unsubscribe.theLinkInEachOfThem') : t('unsubscribe.youAreStillToldInThe')}</p>
      <p class="row">${enabled ? html`<button type="button" class="primary" ?disabled=${this.changing.isBusy} @click=${this.#change}>${t('unsubscribe.turnThemOff')}</button>` : nothing}
        <a href="/app/account">${t('unsubscribe.allYourChoices')}</a></p>
      ${actProblem(this.changing)}`;
  }

  #change = () => this.changing.run(async () => this.subscription.set(await this.#turnOff()));
}

const ABSENT = html`
  <h1>${t('common.thisLinkDoesNotWork')}</h1>
  <p>${t('unsubscribe.itIsNotCompleteOrWas')}</p>
  <p class="row"><a class="button primary" href="/app/account">${t('common.yourAccount')}</a></p>`;
