// Access tokens: made, shown once, listed, revoked.

import { NUMBERS } from '../../lib/openapi.js';
import { Act } from '../../lib/state.js';
import { choice, closeAround, confirmButton, disclosure, field, form, html, pill, relativeTime, repeat, showList } from '../../lib/ui.js';
import { date } from '../../lib/dates.js';
import { label } from '../../lib/words.js';
import { ShownOnce } from '../shown-once.js';
import { t } from '../../lib/texts.js';

const A_YEAR = 365;
const LIFETIMES = () => [...NUMBERS.createMyToken.expiresInDays.enum.map((number) => [String(number), number === A_YEAR ? t('tokenList.aYear') : t('tokenList.days', { number })]), ['', t('tokenList.noEnd')]];

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
      ${showList(this.list, t('tokenList.theTokens'), t('tokenList.thereIsNoToken'), (items) => html`<ul class="rows">${repeat(items, ({ id }) => id, (token) => this.#row(token))}</ul>`)}
      ${this.mayCreate() ? disclosure(t('tokenList.createAToken'), this.#form()) : ''}`;
  }

  #row(token) {
    const act = this.#act(token.id);
    return html`
      <li><div class="row">
        <span class="grow"><b>${token.name}</b> <span class="soft">${label(token.preset)} · ${token.expiresAt ? t('common.untilDate', { date: date(token.expiresAt) }) : t('tokenList.noEnd')} · ${token.lastUsedAt ? html`${t('tokenList.usedWhen', { when: relativeTime(token.lastUsedAt) })}` : t('tokenList.neverUsed')}</span>
          <details class="small"><summary>${t('tokenList.scopes', { number: token.scopes.length })}</summary><span class="mono">${token.scopes.join(', ')}</span></details></span>
        ${pill(token.status)}
        ${token.status === 'active' && this.mayRevoke() ? confirmButton({ act, text: t('tokenList.revoke'), yes: t('tokenList.revoke'), question: t('tokenList.programsThatUseNameStopWorking', { name: token.name }), run: () => this.#revoke(token, act) }) : ''}
      </div></li>`;
  }

  #form() {
    return form({
      act: this.making, button: t('tokenList.makeTheToken'),
      submit: async ({ name, preset, days }, target) => {
        const body = { name, preset, expiresInDays: days ? Number(days) : null };
        const { secret, ...token } = await this.create(body, this.making.keyFor(body));
        this.fresh.show(t('tokenList.copyTheTokenNameNow', { name }), secret);
        this.list.replace([token, ...this.list.items]);
        closeAround(target);
      },
      content: html`${field('name', t('common.name'), { id: 'token-name', required: true, of: 'createMyToken', hint: t('tokenList.whatWillUseIt') })}
        <div class="pair">${choice('preset', t('tokenList.itMay'), this.presets.map((preset) => [preset, label(preset)]))}${choice('days', t('tokenList.itWorksFor'), LIFETIMES(), { value: '90' })}</div>`,
    });
  }

  async #revoke(token, act) {
    const done = await act.run(() => this.revoke(token.id));
    if (done) this.list.replace(this.list.items.map((each) => (each.id === token.id ? { ...each, status: 'revoked' } : each)));
  }
}
