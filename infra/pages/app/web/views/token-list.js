// Access tokens: made, shown once, listed, revoked.

import { Act } from '../lib/state.js';
import { choice, closeAround, confirmButton, disclosure, field, form, html, moment, pill, repeat, showList } from '../lib/ui.js';
import { date } from '../lib/dates.js';
import { label } from '../lib/words.js';
import { ShownOnce } from './shown-once.js';

const LIFETIMES = [['30', '30 days'], ['90', '90 days'], ['180', '180 days'], ['365', 'a year'], ['', 'no end']];

export class Tokens {
  constructor(app, { list, presets, mayCreate, mayRevoke, create, revoke }) {
    Object.assign(this, { app, list, presets, mayCreate, mayRevoke, create, revoke });
    this.making = new Act(app.update);
    this.acts = new Map();
    this.fresh = new ShownOnce(app, 'secret');
  }

  #act(id) {
    if (!this.acts.has(id)) this.acts.set(id, new Act(this.app.update));
    return this.acts.get(id);
  }

  render(intro) {
    return html`
      <p class="soft">${intro}</p>
      ${this.fresh.render()}
      ${showList(this.list, 'the tokens', 'There is no token.', (items) => html`<ul class="rows">${repeat(items, ({ id }) => id, (token) => this.#row(token))}</ul>`)}
      ${this.mayCreate() ? disclosure('Create a token', this.#form()) : ''}`;
  }

  #row(token) {
    const act = this.#act(token.id);
    return html`
      <li><div class="row">
        <span class="grow"><b>${token.name}</b> <span class="soft">${label(token.preset)} · ${token.expiresAt ? `until ${date(token.expiresAt)}` : 'no end'} · ${token.lastUsedAt ? html`used ${moment(token.lastUsedAt)}` : 'never used'}</span></span>
        ${pill(token.status)}
        ${token.status === 'active' && this.mayRevoke() ? confirmButton({ act, text: 'Revoke', yes: 'Revoke', question: `Programs that use “${token.name}” stop working at once.`, run: () => this.#revoke(token, act) }) : ''}
      </div></li>`;
  }

  #form() {
    return form({
      act: this.making, button: 'Make the token',
      submit: async ({ name, preset, days }, target) => {
        const body = { name, preset, expiresInDays: days ? Number(days) : null };
        const { secret, ...token } = await this.create(body, this.making.keyFor(body));
        this.fresh.show(`Copy the token “${name}” now.`, secret);
        this.list.replace([token, ...this.list.items]);
        closeAround(target);
      },
      content: html`${field('name', 'Name', { id: 'token-name', required: true, maxlength: 80, hint: 'What will use it?' })}
        <div class="pair">${choice('preset', 'It may', this.presets.map((preset) => [preset, label(preset)]))}${choice('days', 'It works for', LIFETIMES, { value: '90' })}</div>`,
    });
  }

  async #revoke(token, act) {
    const done = await act.run(() => this.revoke(token.id));
    if (done) this.list.replace(this.list.items.map((each) => (each.id === token.id ? { ...each, status: 'revoked' } : each)));
  }
}
