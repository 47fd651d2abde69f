import { Act, List } from '../lib/state.js';
import { closeAround, disclosure, html, moment, pill, showList } from '../lib/ui.js';
import { ShownOnce } from './shown-once.js';
import { eventsInWords, webhookBody, webhookForm } from './webhook-form.js';

export default (app) => new WebhooksView(app, app.board);

class WebhooksView {
  title = 'Webhooks';

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
      <h1>Webhooks</h1>
      <p class="soft">What happens on the board is sent to a server of yours: signed, and again until it accepts it.
        <a href="/docs/webhooks.html">How to receive and verify</a></p>
      ${this.secret.render()}
      ${this.board.may('createWebhook') ? disclosure('New webhook', this.#form()) : ''}
      ${showList(this.webhooks, 'the webhooks', 'There is no webhook yet.', (items) => html`<ul class="rows">${items.map((webhook) => this.#row(webhook))}</ul>`)}`;
  }

  #row(webhook) {
    return html`
      <li><a class="row-link" href=${this.board.path('webhooks', webhook.id)}>
        <span class="grow"><b>${webhook.name ?? webhook.url}</b> <span class="soft">${eventsInWords(webhook.events)} · created ${moment(webhook.createdAt)}</span></span>
        ${webhook.enabled ? pill('active') : pill('disabled', 'warn')}</a></li>`;
  }

  #form() {
    return webhookForm({
      act: this.creating, button: 'Create the webhook',
      submit: async (values, target) => {
        const body = webhookBody(values);
        const { secret, ...webhook } = await this.app.api.get('createWebhook', { params: this.params, body, key: this.creating.keyFor(body) });
        this.secret.show('Copy the secret that signs what is sent.', secret);
        this.webhooks.replace([webhook, ...this.webhooks.items]);
        closeAround(target);
      },
    });
  }
}
