import { Act, List } from '../../lib/state.js';
import { closeAround, disclosure, html, pill, relativeTime, showList } from '../../lib/ui.js';
import { ShownOnce } from '../shown-once.js';
import { eventsInWords, webhookBody, webhookForm } from './webhook-form.js';
import { t } from '../../lib/texts.js';

export default (app) => new WebhooksView(app, app.board);

class WebhooksView {
  title = () => t('common.webhooks');

  constructor(app, board) {
    Object.assign(this, { app, board, params: { boardId: board.id } });
    this.webhooks = new List((cursor) => app.api.page('listWebhooks', { params: this.params, query: { limit: 50 }, cursor }), app.update);
    this.creating = new Act(app.update);
    this.secret = new ShownOnce(app, 'webhook-secret');
    this.actions = [['createWebhook', this.params]];
    this.resources = [this.webhooks];
  }

  render() {
    return html`
      <h1>${t('common.webhooks')}</h1>
      <p class="soft">${t('webhooks.whatHappensOnTheBoardIs', { a: (text) => html`<a href="/docs/webhooks.html">${text}</a>` })}</p>
      ${this.secret.render()}
      ${this.board.may('createWebhook') ? disclosure(t('webhooks.newWebhook'), this.#form()) : ''}
      ${showList(this.webhooks, t('webhooks.theWebhooks'), t('webhooks.thereIsNoWebhookYet'), (items) => html`<ul class="rows">${items.map((webhook) => this.#row(webhook))}</ul>`)}`;
  }

  #row(webhook) {
    return html`
      <li><a class="row-link" href=${this.board.path('webhooks', webhook.id)}>
        <span class="grow"><b>${webhook.name ?? webhook.url}</b> <span class="soft">${t('webhooks.eventsinwordsCreatedWhen', { eventsInWords: eventsInWords(webhook.events), when: relativeTime(webhook.createdAt) })}</span></span>
        ${webhook.enabled ? pill('active') : pill('disabled', 'warn')}</a></li>`;
  }

  #form() {
    return webhookForm({
      act: this.creating, button: t('webhooks.createTheWebhook'),
      submit: async (values, target) => {
        const body = webhookBody(values);
        const { secret, ...webhook } = await this.app.api.get('createWebhook', { params: this.params, body, key: this.creating.keyFor(body) });
        this.secret.show(t('webhooks.copyTheSecretThatSignsWhat'), secret);
        this.webhooks.replace([webhook, ...this.webhooks.items]);
        closeAround(target);
      },
    });
  }
}
