import { Act, List, Resource } from '../../lib/state.js';
import { actProblem, card, closeAround, confirmButton, disclosure, html, menu, pill, relativeTime, repeat, show, showList } from '../../lib/ui.js';
import { dateTime } from '../../lib/dates.js';
import { ShownOnce } from '../shown-once.js';
import { eventsInWords, webhookBody, webhookForm } from './webhook-form.js';
import { t } from '../../lib/texts.js';
import { label } from '../../lib/words.js';

const WHY_DISABLED = () => ({
  gone: t('webhook.theServerSaidThatTheAddress'), failing: t('webhook.nothingWasAcceptedForDays'), operator: t('webhook.theOperatorOfThisServiceSwitched'),
});
const TONES = { succeeded: 'good', failed: 'warn', pending: 'accent' };

export default (app, params) => new WebhookView(app, app.board, params);

class WebhookView {
  constructor(app, board, params) {
    Object.assign(this, { app, board, params });
    this.webhook = new Resource(() => app.api.get('getWebhook', { params }), app.update);
    this.deliveries = new List((cursor) => app.api.page('listWebhookDeliveries', { params, query: { limit: 25 }, cursor }), app.update);
    for (const name of ['changing', 'switching', 'testing', 'rotating', 'deleting']) this[name] = new Act(app.update);
    this.acts = new Map();
    this.secret = new ShownOnce(app, 'webhook-secret');
    this.actions = ['updateWebhook', 'deleteWebhook', 'testWebhook', 'rotateWebhookSecret'].map((name) => [name, params]);
    this.resources = [this.webhook, this.deliveries];
  }

  title = () => this.webhook.data?.name ?? t('webhook.webhook');

  #may(name) {
    return this.board.may(name, this.params);
  }

  render() {
    return html`
      ${show(this.webhook, t('webhook.theWebhook'), (webhook) => this.#head(webhook))}
      ${card(t('webhook.deliveries'), showList(this.deliveries, t('webhook.theDeliveries'), t('webhook.nothingWasSentYet'), (items) => html`<ul class="rows">${repeat(items, ({ id }) => id, (each) => this.#delivery(each))}</ul>`), {
        aside: html`<button type="button" @click=${() => this.deliveries.reload()}>${t('webhook.refresh')}</button>`,
      })}`;
  }

  #head(webhook) {
    return html`
      <div class="row spread"><h1>${webhook.name ?? t('webhook.webhook')}</h1>${webhook.enabled ? pill('active') : pill('disabled', 'warn')}</div>
      ${webhook.disabledReason ? html`<p class="notice">${WHY_DISABLED()[webhook.disabledReason] ?? webhook.disabledReason} ${t('webhook.switchItOnAgainWhenThe')}</p>` : ''}
      <dl class="facts">
        <div><dt>${t('common.address')}</dt><dd>${webhook.url}</dd></div>
        <div><dt>${t('webhook.sends')}</dt><dd>${eventsInWords(webhook.events)}</dd></div>
        <div><dt>${t('webhook.created')}</dt><dd>${relativeTime(webhook.createdAt)}</dd></div>
      </dl>
      ${this.secret.render()}
      <div class="row">
        ${this.#may('testWebhook') && webhook.enabled ? html`<button type="button" ?disabled=${this.testing.isBusy} @click=${() => this.#test()}>${t('webhook.sendATest')}</button>` : ''}
        ${this.#may('updateWebhook') ? html`
          ${disclosure(t('common.edit'), this.#form(webhook))}
          <button type="button" ?disabled=${this.switching.isBusy} @click=${() => this.#switch(!webhook.enabled)}>${webhook.enabled ? t('webhook.switchOff') : t('webhook.switchOn')}</button>` : ''}
        ${this.#may('rotateWebhookSecret') || this.#may('deleteWebhook') ? menu(webhook.name ?? t('webhook.theWebhook'), html`
          ${this.#may('rotateWebhookSecret') ? this.#rotate() : ''}${this.#may('deleteWebhook') ? this.#delete() : ''}`) : ''}
      </div>
      ${actProblem(this.testing)}${actProblem(this.switching)}`;
  }

  #form(webhook) {
    return webhookForm({
      act: this.changing, button: t('common.save'), webhook,
      submit: async (values, target) => {
        this.webhook.set(await this.app.api.get('updateWebhook', { params: this.params, body: webhookBody(values) }));
        closeAround(target);
        this.app.say(t('common.saved'));
      },
    });
  }

  #switch(enabled) {
    return this.switching.run(async () => {
      this.webhook.set(await this.app.api.get('updateWebhook', { params: this.params, body: { enabled } }));
    });
  }

  #test() {
    return this.testing.run(async () => {
      const delivery = await this.app.api.get('testWebhook', { params: this.params, key: this.testing.keyFor({}) });
      this.deliveries.replace([delivery, ...this.deliveries.items]);
      this.app.say(t('webhook.aTestIsOnItsWay'));
    });
  }

  #rotate() {
    return confirmButton({
      act: this.rotating, text: t('webhook.newSecret'), yes: t('webhook.createANewSecret'), question: t('webhook.forADayDeliveriesCarryBoth'),
      run: () => this.rotating.run(async () => {
        const { secret, ...webhook } = await this.app.api.get('rotateWebhookSecret', { params: this.params, key: this.rotating.keyFor({}) });
        this.webhook.set(webhook);
        this.secret.show(t('webhook.copyTheNewSecret'), secret);
        await this.webhook.reload();
      }),
    });
  }

  #delete() {
    return confirmButton({
      act: this.deleting, text: t('common.delete'), yes: t('webhook.deleteTheWebhook'), question: t('webhook.noMoreEventsAreSentAnd'),
      run: () => this.deleting.run(async () => {
        await this.app.api.call('deleteWebhook', { params: this.params });
        this.app.say(t('webhook.theWebhookWasDeleted'));
        this.app.go(this.board.path('webhooks'), { replace: true });
      }),
    });
  }

  #delivery(each) {
    if (!this.acts.has(each.id)) this.acts.set(each.id, new Act(this.app.update));
    const act = this.acts.get(each.id);
    return html`
      <li>
        <div class="row">
          <span class="grow"><b>${each.type}</b> <span class="soft">${relativeTime(each.createdAt)} · ${t('webhook.attempts', { number: each.attempts.length })}</span></span>
          ${pill(each.status, TONES[each.status])}
          ${this.#may('testWebhook') && this.webhook.data?.enabled ? html`<button type="button" class="small" aria-label=${t('webhook.sendAgainType', { type: each.type })} ?disabled=${act.isBusy} @click=${() => this.#redeliver(each, act)}>${t('webhook.sendAgain')}</button>` : ''}
        </div>
        ${each.attempts.length ? html`<details><summary>${t('webhook.attemptsHeading')}</summary><ul class="plain-list">${each.attempts.map(attempt)}</ul></details>` : ''}
        ${actProblem(act)}
      </li>`;
  }

  #redeliver({ id }, act) {
    return act.run(async () => {
      const changed = await this.app.api.get('redeliverWebhookDelivery', { params: { ...this.params, deliveryId: id }, key: act.keyFor({}) });
      this.deliveries.replace(this.deliveries.items.map((each) => (each.id === id ? changed : each)));
    });
  }
}

function attempt({ at, statusCode, durationMs, error }) {
  return html`<li><time datetime=${at}>${dateTime(at)}</time>: ${statusCode ?? label(error)} <span class="soft">${t('webhook.afterDurationmsMs', { durationMs })}</span></li>`;
}
