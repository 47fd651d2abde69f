// Who votes for whom, and who does not take part: a menu each.

import { holdsProxy, proxiesFor, takesVotes } from '../../lib/resolutions.js';
import { Act } from '../../lib/state.js';
import { actProblem, area, choice, form, html, nothing, wordMenu } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';

export class Seats {
  /** `changed` takes the resolution as it is afterwards. */
  constructor(app, board, params, changed) {
    Object.assign(this, { app, board, params, changed });
    for (const name of ['giving', 'taking', 'recusing', 'returning']) this[name] = new Act(app.update);
    this.actions = ['putResolutionProxy', 'closeResolution'].map((name) => [name, params]);
  }

  render(resolution) {
    if (!takesVotes(resolution) || !this.board.may('putResolutionProxy', this.params)) return nothing;
    const own = resolution.voters.find(({ userId }) => userId === this.board.userId);
    return html`${own && !own.recused && resolution.rule.proxies ? this.#proxy(resolution, own) : nothing}${own || this.#mayForOthers ? this.#recusal(resolution, own) : nothing}`;
  }

  /** Managers say of others that they do not take part: those who may close the vote. */
  get #mayForOthers() {
    return this.board.may('closeResolution', this.params);
  }

  /** @param {'deleteResolutionProxy' | 'deleteResolutionRecusal'} name @param {any} params */
  #run(act, name, params) {
    return act.run(async () => this.changed(await this.app.api.get(name, { params: { ...this.params, ...params } })));
  }

  #proxy(resolution, { proxyUserId }) {
    if (proxyUserId) {
      return html`<span>${t('resolution.nameVotesForYou', { name: this.board.nameOf(proxyUserId) })}</span>
        <button type="button" ?disabled=${this.taking.isBusy} @click=${() => this.#run(this.taking, 'deleteResolutionProxy', {})}>${t('resolution.takeTheProxyBack')}</button>${actProblem(this.taking)}`;
    }
    if (holdsProxy(resolution, this.board.userId)) return wordMenu(t('resolution.proxy'), html`<p>${t('resolution.youHoldAProxy')}</p>`);
    const people = proxiesFor(resolution, this.board.userId).map(({ userId }) => [userId, this.board.nameOf(userId)]);
    return wordMenu(t('resolution.proxy'), form({
      act: this.giving, button: t('resolution.giveTheProxy'), keep: true,
      submit: async ({ proxyFor }, target) => {
        this.changed(await this.app.api.get('putResolutionProxy', { params: this.params, body: { userId: proxyFor } }));
        target.closest('details').open = false;
      },
      content: html`<p>${t('resolution.somebodyVotesForYou')}</p>${choice('proxyFor', t('resolution.whoVotesForYou'), [['', t('resolution.chooseWho')], ...people], { id: 'proxy-for', required: true })}`,
    }));
  }

  #recusal(resolution, own) {
    const mine = own?.recused ? [] : own ? [own] : [];
    const others = this.#mayForOthers ? resolution.voters.filter((voter) => !voter.recused && voter !== own) : [];
    const people = [...mine, ...others].map(({ userId }) => [userId, userId === this.board.userId ? t('resolution.myself') : this.board.nameOf(userId)]);
    const undone = resolution.voters.filter(({ recused }) => recused && (recused.byUserId === this.board.userId || (recused.byUserId && this.#mayForOthers)));
    return wordMenu(t('resolution.recusal'), html`
      ${people.length ? form({
        act: this.recusing, button: t('resolution.recuse'),
        submit: async ({ recused, reason }, target) => {
          this.changed(await this.app.api.get('putResolutionRecusal', { params: { ...this.params, userId: recused }, body: { reason } }));
          target.closest('details').open = false;
        },
        content: html`<p>${t('resolution.whoIsRecusedDoesNotCount')}</p>
          ${others.length ? choice('recused', t('common.who'), [['', t('resolution.chooseWho')], ...people], { id: 'recused', required: true }) : html`<input type="hidden" name="recused" value=${people[0][0]}><p><b>${people[0][1]}</b></p>`}
          ${area('reason', t('resolution.reason'), { id: 'recusal-reason', of: 'putResolutionRecusal', isRequired: true, rows: 2 })}`,
      }) : nothing}
      ${undone.map(({ userId }) => html`<button type="button" ?disabled=${this.returning.isBusy} @click=${() => this.#run(this.returning, 'deleteResolutionRecusal', { userId })}>${t('resolution.nameTakesPartAgain', { name: this.board.nameOf(userId) })}</button>`)}
      ${actProblem(this.returning)}`);
  }
}
