// The remarks on circulated minutes: what members have said to a version, and what was decided about each.

import { ANY } from '../../lib/access.js';
import { Act, List } from '../../lib/state.js';
import { actProblem, area, choice, closeAround, confirmButton, disclosure, form, html, nothing, pill, relativeTime, repeat, showList } from '../../lib/ui.js';
import { shortened } from '../../lib/words.js';
import { t } from '../../lib/texts.js';

export class Remarks {
  /** `version` is the version of the minutes that takes remarks. */
  constructor(app, board, params, version) {
    Object.assign(this, { app, board, params, version });
    this.list = new List((cursor) => app.api.page('listMinutesRemarks', { params, query: { limit: 50 }, cursor }), app.update);
    this.follows = [{ on: ['minutes'], ids: { meetingId: params.meetingId }, read: this.list }];
    this.adding = new Act(app.update);
    this.acts = new Map();
    this.actions = [['createMinutesRemark', params], ...['disposeMinutesRemark', 'deleteMinutesRemark'].map((name) => [name, { ...params, remarkId: ANY }])];
  }

  #may(name) {
    return this.board.may(name, { ...this.params, remarkId: ANY });
  }

  #act(id, what) {
    const key = `${id} ${what}`;
    if (!this.acts.has(key)) this.acts.set(key, new Act(this.app.update));
    return this.acts.get(key);
  }

  /** `isOpen` says whether remarks are welcome. */
  render(isOpen) {
    return html`
      ${showList(this.list, t('minutesRemarks.theRemarks'), t('minutesRemarks.nobodyHasMadeOne'), (items) => html`
        <ul class="rows talk">${repeat(items, ({ id }) => id, (each) => this.#row(each))}</ul>`)}
      ${isOpen && this.board.may('createMinutesRemark', this.params) ? this.#form() : nothing}`;
  }

  #row(remark) {
    const isOwn = remark.authorUserId !== null && remark.authorUserId === this.board.userId;
    const place = remark.itemIndex === null ? t('minutesRemarks.onVersion', { version: remark.version }) : t('minutesRemarks.onItem', { version: remark.version, number: remark.itemIndex + 1 });
    return html`
      <li id="remark-${remark.id}">
        <div class="row spread">
          <span class="grow"><b>${remark.authorUserId ? this.board.nameOf(remark.authorUserId) : t('minutesRemarks.somebody')}</b> <span class="soft">${relativeTime(remark.createdAt)} · ${place}</span></span>
          ${remark.disposition ? pill(dispositions()[remark.disposition] ?? remark.disposition, remark.disposition === 'accepted' ? 'good' : '') : nothing}
        </div>
        ${remark.quote ? html`<blockquote class="said">${remark.quote}</blockquote>` : nothing}
        <p class="said">${remark.text}</p>
        ${remark.reply ? html`<p class="said soft">${remark.reply}</p>` : nothing}
        <div class="row no-print">
          ${this.#may('disposeMinutesRemark') ? this.#decision(remark) : nothing}
          ${isOwn && !remark.disposition && this.#may('deleteMinutesRemark') ? this.#delete(remark) : nothing}
        </div>
      </li>`;
  }

  #form() {
    const items = this.version.items.map(({ text, decision, withheld }, index) => [String(index), `${index + 1}. ${shortened(text || decision?.text || '')}`, withheld]).filter(([, , isWithheld]) => !isWithheld);
    return form({
      act: this.adding, button: t('minutesRemarks.send'),
      submit: ({ text, itemIndex }) => this.#add({ version: this.version.version, text, ...(itemIndex ? { itemIndex: Number(itemIndex) } : {}) }),
      content: html`
        ${items.length ? choice('itemIndex', t('minutesRemarks.about'), [['', t('minutesRemarks.theWhole')], ...items], { id: 'remark-item' }) : nothing}
        ${area('text', t('minutesRemarks.remark'), { id: 'remark-text', of: 'createMinutesRemark', isRequired: true })}`,
    });
  }

  async #add(body) {
    const made = await this.app.api.get('createMinutesRemark', { params: this.params, body, key: this.adding.keyFor(body) });
    await this.list.loadAll();
    if (!this.list.items.some(({ id }) => id === made.id)) this.list.replace([...this.list.items, made]);
  }

  #decision(remark) {
    const act = this.#act(remark.id, 'disposition');
    return disclosure(remark.disposition ? t('minutesRemarks.decideAgain') : t('minutesRemarks.decide'), form({
      act, button: t('common.save'), keep: true,
      submit: async ({ disposition, reply }, target) => {
        const body = { disposition, ...(reply ? { reply } : {}) };
        this.#put(await this.app.api.get('disposeMinutesRemark', { params: this.#of(remark), body }));
        closeAround(target);
      },
      content: html`
        ${choice('disposition', t('minutesRemarks.outcome'), Object.entries(dispositions()), { id: `remark-${remark.id}-disposition`, value: remark.disposition ?? 'accepted' })}
        ${area('reply', t('minutesRemarks.reply'), { id: `remark-${remark.id}-reply`, of: 'disposeMinutesRemark', value: remark.reply ?? '' })}`,
    }));
  }

  #delete(remark) {
    const act = this.#act(remark.id, 'delete');
    return html`${confirmButton({
      act, text: t('common.delete'), yes: t('minutesRemarks.deleteTheRemark'), question: t('minutesRemarks.theRemarkIsDeleted'),
      run: () => act.run(async () => {
        await this.app.api.call('deleteMinutesRemark', { params: this.#of(remark) });
        this.list.replace(this.list.items.filter(({ id }) => id !== remark.id));
      }),
    })}${actProblem(act)}`;
  }

  #of(remark) {
    return { ...this.params, remarkId: remark.id };
  }

  #put(remark) {
    this.list.replace(this.list.items.map((each) => (each.id === remark.id ? remark : each)));
  }
}

function dispositions() {
  return { accepted: t('minutesRemarks.accepted'), declined: t('minutesRemarks.declined'), noted: t('minutesRemarks.noted') };
}
