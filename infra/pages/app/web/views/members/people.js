// People without an account: added, edited, invited, archived, and found again among the members.

import { ANY } from '../../lib/access.js';
import { date } from '../../lib/dates.js';
import { likely } from '../../lib/people.js';
import { Act } from '../../lib/state.js';
import { actProblem, card, checks, choice, closeAround, confirmButton, disclosure, field, form, html, menu, nothing, person, pill, relativeTime, repeat, show } from '../../lib/ui.js';
import { access, personName, position } from '../../lib/words.js';
import { positionChoice } from './member-fields.js';
import { Opened } from '../opened.js';
import { t } from '../../lib/texts.js';

// What the invites page offers at first.
const INVITED_AS = /** @type {const} */ ('collaborator');
const POSITIONS = /** @type {['board member']} */ (['board member']);
const OF_ONE = ['updateUnregisteredUser', 'archiveUnregisteredUser', 'unarchiveUnregisteredUser', 'scrubUnregisteredUser', 'dismissUnregisteredUserBounceFlag', 'mergeUnregisteredUser'];

export class People {
  constructor(app, board) {
    Object.assign(this, { app, board, params: { boardId: board.id }, shown: 'active' });
    this.list = board.unregistered;
    this.acts = new Map();
    this.merges = new Map();
    this.said = new Map();
    this.archived = new Set(); // here, so they stay in sight and can be brought back
    this.adding = new Opened(app, async () => new (await import('./people-add.js')).AddPeople(app, board));
    this.actions = [['createUnregisteredUser', this.params], ['createInvite', this.params], ['sendInvite', { boardInviteId: ANY }], ...OF_ONE.map((name) => [name, { ...this.params, unregisteredUserId: ANY }])];
    this.follows = [{ on: ['unregistered_user'], read: this.list }];
  }

  #act(id, what) {
    const key = `${id} ${what}`;
    if (!this.acts.has(key)) this.acts.set(key, new Act(this.app.update));
    return this.acts.get(key);
  }

  #may(name) {
    return this.board.may(name, { unregisteredUserId: ANY });
  }

  render() {
    return card(t('people.withoutAnAccount'), html`
      <p class="soft">${t('people.theyAreInvitedByMail')}</p>
      ${show(this.list, t('people.thePeople'), ({ items }) => this.#list(items))}
      ${this.board.may('createUnregisteredUser') ? this.adding.render(t('people.addPeople')) : nothing}`, {
      id: 'people',
      aside: this.list.items.some(({ status }) => status !== 'active') ? choice('status', t('common.show'), [['active', t('people.current')], ['', t('common.all')]], { id: 'people-shown', value: this.shown, onChange: ({ target }) => this.#show(target.value) }) : nothing,
    });
  }

  #show(status) {
    this.shown = status;
    this.app.update();
  }

  #list(items) {
    const shown = items.filter(({ id, status }) => !this.shown || status === this.shown || this.archived.has(id));
    if (!shown.length) return html`<p class="empty">${items.length ? t('people.nobodyIsShown') : t('people.everybodyHasAnAccount')}</p>`;
    return html`<ul class="rows">${repeat(shown, ({ id }) => id, (each) => this.#row(each))}</ul>`;
  }

  #row(each) {
    const isActive = each.status === 'active';
    const member = isActive ? likely(each, this.board.members.items) : null;
    const tools = this.#tools(each);
    return html`
      <li id="person-${each.id}">
        <div class="row">
          <span class="grow">${person(each.fullName, this.#details(each))}</span>
          <span class="soft">${each.boardPositions.map(position).join(', ')}</span>
          ${isActive ? html`<span class="pill quiet">${t('people.noAccount')}</span>` : pill(each.status)}
          ${isActive && each.email && this.#mayInvite ? this.#invite(each) : nothing}
          ${tools.length ? menu(each.fullName, tools) : nothing}
        </div>
        ${each.mergedIntoMemberId ? html`<p class="soft">${t('people.isTheMember', { name: this.#memberName(each.mergedIntoMemberId) })}</p>` : nothing}
        ${each.bounce && isActive ? this.#bounce(each) : nothing}
        ${this.archived.has(each.id) ? html`<p class="notice row spread" role="status"><span class="grow">${t('people.isArchived')}</span>${this.#may('unarchiveUnregisteredUser') ? this.#unarchive(each) : nothing}</p>` : nothing}
        ${member && this.#may('mergeUnregisteredUser') ? this.#merging(each, member) : nothing}
        ${this.said.has(each.id) ? html`<p class="saved" role="status">${this.said.get(each.id)}</p>` : nothing}
        ${actProblem(this.#act(each.id, 'status'))}
      </li>`;
  }

  #details({ email, receivesMail, scrubbedAt }) {
    if (scrubbedAt) return t('people.dataRemovedOn', { date: date(scrubbedAt) });
    return [email, receivesMail ? '' : t('people.getsNoMails')].filter(Boolean).join(' · ');
  }

  #memberName(memberId) {
    const member = this.board.members.items.find(({ id }) => id === memberId);
    return member ? personName(member) : t('common.aFormerMember');
  }

  /** Mails to them stopped: why, and how they go on. */
  #bounce(each) {
    const act = this.#act(each.id, 'bounce');
    const words = each.bounce.kind === 'complaint' ? t('people.complainedWhen', { when: relativeTime(each.bounce.at) }) : t('people.cameBackWhen', { when: relativeTime(each.bounce.at) });
    return html`
      <div class="notice row spread"><span class="grow" title=${each.bounce.reason}><b>${words}</b> ${t('people.theyGetNoMails')}</span>
        ${this.#may('dismissUnregisteredUserBounceFlag') ? html`<button type="button" class="small" ?disabled=${act.isBusy} @click=${() => this.#run(each, act, 'dismissUnregisteredUserBounceFlag')}>${t('people.sendMailsAgain')}</button>` : nothing}</div>
      ${actProblem(act)}`;
  }

  /** Who looks like a member can be merged with them; who joins later is found so too. */
  #merging(each, member) {
    const key = `${each.id} ${member.id}`;
    if (!this.merges.has(key)) {
      this.merges.set(key, new Opened(this.app, async () => new (await import('./person-merge.js')).Merge(this.app, this.board, each, member, (merged) => this.#put(merged))));
    }
    return html`<div class="notice good"><p>${t('people.thisLooksLike', { name: personName(member) })}</p>${this.merges.get(key).render(t('people.mergeThem'))}</div>`;
  }

  #tools(each) {
    const isOver = each.status === 'merged' || each.scrubbedAt;
    if (isOver) return [];
    const act = this.#act(each.id, 'status');
    const tools = [];
    if (this.#may('updateUnregisteredUser')) tools.push(disclosure(t('common.edit'), this.#form(each)));
    if (each.status === 'archived' && this.#may('unarchiveUnregisteredUser')) tools.push(this.#unarchive(each));
    if (each.status === 'active' && this.#may('archiveUnregisteredUser')) tools.push(html`<button type="button" ?disabled=${act.isBusy} @click=${() => this.#archive(each)}>${t('people.archive')}</button>`);
    if (this.#may('scrubUnregisteredUser')) tools.push(this.#scrub(each));
    return tools;
  }

  async #archive(each) {
    if (await this.#run(each, this.#act(each.id, 'status'), 'archiveUnregisteredUser')) this.archived.add(each.id);
    this.app.update();
  }

  #unarchive(each) {
    const act = this.#act(each.id, 'status');
    return html`<button type="button" class="small" ?disabled=${act.isBusy} @click=${() => this.#bringBack(each, act)}>${t('people.unarchive')}</button>`;
  }

  async #bringBack(each, act) {
    if (!(await this.#run(each, act, 'unarchiveUnregisteredUser'))) return;
    this.archived.delete(each.id);
    this.app.say(t('people.isBack', { name: each.fullName }));
    this.app.update();
  }

  #form(each) {
    const id = (name) => `${each.id}-${name}`;
    return form({
      act: this.#act(each.id, 'edit'), button: t('common.save'), keep: true,
      submit: async ({ firstName, lastName, email, boardPositions, otherPosition, receivesMail }, target) => {
        const body = { firstName, lastName: lastName || null, email: email || null, boardPositions: [...new Set([...boardPositions, otherPosition].filter(Boolean))], receivesMail: receivesMail.length > 0 };
        this.#put(await this.app.api.get('updateUnregisteredUser', { params: this.#of(each), body }));
        closeAround(target);
      },
      content: html`
        <div class="pair">
          ${field('firstName', t('account.firstName'), { id: id('first'), value: each.firstName, required: true, of: 'updateUnregisteredUser' })}
          ${field('lastName', t('account.lastName'), { id: id('last'), value: each.lastName, of: 'updateUnregisteredUser' })}
          ${field('email', t('people.eMailAddress'), { id: id('email'), type: 'email', value: each.email, of: 'updateUnregisteredUser' })}
          ${field('otherPosition', t('members.anotherPosition'), { id: id('other') })}
        </div>
        ${positionChoice(each.boardPositions)}
        ${checks('receivesMail', t('people.mails'), [['yes', t('people.getsMails')]], each.receivesMail ? ['yes'] : [])}`,
    });
  }

  #scrub(each) {
    const act = this.#act(each.id, 'scrub');
    return confirmButton({
      act, text: t('people.removeTheirData'), yes: t('people.removeTheirData'), keep: t('common.keepThem'), question: t('people.theirDataIsRemoved', { name: each.fullName }),
      run: async () => {
        if (!(await this.#run(each, act, 'scrubUnregisteredUser'))) return;
        this.archived.delete(each.id);
        this.app.say(t('people.theirDataWasRemoved'));
        this.app.update();
      },
    });
  }

  get #mayInvite() {
    return this.board.may('createInvite') && this.app.access.may('sendInvite', { boardInviteId: ANY });
  }

  /** One click, and a question: who joins is merged then. */
  #invite(each) {
    const act = this.#act(each.id, 'invite');
    const boardPositions = each.boardPositions.length ? each.boardPositions : POSITIONS;
    return confirmButton({
      act, text: t('invites.invite'), yes: t('invites.invite'), of: t('people.inviteName', { name: each.fullName }), tone: '',
      question: html`<p>${t('people.getsAMailToJoin', { name: each.fullName, positions: boardPositions.map(position).join(', '), access: access(INVITED_AS) })}</p>${each.bounce ? html`<p><b>${t('people.aMailCameBackBefore')}</b></p>` : nothing}`,
      run: () => act.run(async () => {
        const body = { inviteeEmail: each.email, accessType: INVITED_AS, boardPositions };
        const { inviteId } = await this.app.api.call('createInvite', { params: this.params, body, key: act.keyFor(body) });
        const { throttled } = await this.app.api.call('sendInvite', { params: { boardInviteId: inviteId } });
        this.said.set(each.id, throttled ? t('people.isInvitedAlready', { name: each.fullName }) : t('people.isInvited', { name: each.fullName }));
      }),
    });
  }

  #of({ id }) {
    return { ...this.params, unregisteredUserId: id };
  }

  /** @param {'dismissUnregisteredUserBounceFlag' | 'archiveUnregisteredUser' | 'unarchiveUnregisteredUser' | 'scrubUnregisteredUser'} name */
  #run(each, act, name) {
    return act.run(async () => this.#put(await this.app.api.get(name, { params: this.#of(each) })));
  }

  #put(person) {
    this.list.replace(this.list.items.map((each) => (each.id === person.id ? person : each)));
  }
}
