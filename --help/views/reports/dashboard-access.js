// Who owns a dashboard and who may edit it: loaded when it is opened.

import { Act, Resource } from '../../lib/state.js';
import { choice, confirmButton, disclosure, form, html, menu, nothing, relativeTime, repeat, show } from '../../lib/ui.js';
import { personName } from '../../lib/words.js';
import { t } from '../../lib/texts.js';

export class DashboardAccess {
  constructor(app, board, params) {
    Object.assign(this, { app, board, params });
    this.granting = new Act(app.update);
    this.handing = new Act(app.update);
    this.revoking = new Map();
    this.resource = new Resource(() => app.api.get('getDashboardAccess', { params }), app.update);
  }

  /** `mayDecide` is whether the caller says who may edit: managers and the owner do. */
  render(mayDecide) {
    return html`<div class="access">${show(this.resource, t('dashboardAccess.thePeople'), (access) => this.#content(access, mayDecide))}</div>`;
  }

  #content({ ownerUserId, editors }, mayDecide) {
    const { items } = this.board.members;
    const isEditor = (userId) => editors.some((editor) => editor.userId === userId);
    const runs = (member) => member.adminRole !== 'member' || member.accessType === 'manager';
    const others = items.filter((member) => member.userId !== ownerUserId);
    const invited = others.filter((member) => !isEditor(member.userId) && !runs(member));
    return html`
      <p>${ownerUserId ? t('dashboardAccess.ownedByName', { name: this.board.nameOf(ownerUserId) }) : t('dashboardAccess.nobodyOwnsIt')}</p>
      ${editors.length ? html`<ul class="rows">${repeat(editors, ({ userId }) => userId, (editor) => this.#row(editor, mayDecide))}</ul>` : html`<p class="empty">${t('dashboardAccess.onlyManagersAndTheOwnerEdit')}</p>`}
      ${mayDecide && invited.length ? disclosure(t('dashboardAccess.letSomebodyEdit'), this.#choose('grantee', this.granting, t('dashboardAccess.letThemEdit'), invited, (userId) => this.#grant(userId))) : nothing}
      ${mayDecide && others.length ? disclosure(t('dashboardAccess.handOver'), this.#choose('owner', this.handing, t('dashboardAccess.handOver'), others, (userId) => this.#handOver(userId))) : nothing}`;
  }

  #row({ userId, grantedByUserId, grantedAt }, mayDecide) {
    const name = this.board.nameOf(userId);
    return html`
      <li class="row spread"><span class="grow"><b>${name}</b> <span class="soft">${t('dashboardAccess.byName', { name: this.board.nameOf(grantedByUserId) })}, ${relativeTime(grantedAt)}</span></span>
        ${mayDecide ? menu(name, this.#revoke(userId, name)) : nothing}</li>`;
  }

  #choose(what, act, button, members, submit) {
    const people = members.map((member) => [member.userId, personName(member)]);
    return form({
      act, button, submit: ({ userId }) => submit(userId),
      content: choice('userId', t('common.who'), people, { id: `${what}-${this.params.dashboardId}` }),
    });
  }

  async #grant(userId) {
    this.resource.set(await this.app.api.get('grantDashboardAccess', { params: { ...this.params, userId } }));
  }

  async #handOver(userId) {
    const body = { userId };
    this.resource.set(await this.app.api.get('transferDashboardOwnership', { params: this.params, body, key: this.handing.keyFor(body) }));
    this.app.access.reload();
  }

  #revoke(userId, name) {
    if (!this.revoking.has(userId)) this.revoking.set(userId, new Act(this.app.update));
    const act = this.revoking.get(userId);
    return confirmButton({
      act, text: t('dashboardAccess.endTheRight'), yes: t('dashboardAccess.endTheRight'), question: t('dashboardAccess.nameEditsNoMore', { name }),
      run: () => act.run(async () => {
        await this.app.api.call('revokeDashboardAccess', { params: { ...this.params, userId } });
        const { data } = this.resource;
        this.resource.set({ ...data, editors: data.editors.filter((editor) => editor.userId !== userId) });
      }),
    });
  }
}
