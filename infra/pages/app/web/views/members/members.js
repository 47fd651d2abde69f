import { ANY } from '../../lib/access.js';
import { find } from '../../lib/search.js';
import { Act, Resource } from '../../lib/state.js';
import { card, checks, choice, closeAround, confirmButton, disclosure, field, form, html, menu, nothing, person, repeat, show } from '../../lib/ui.js';
import { access, label, personName, position } from '../../lib/words.js';
import { accessChoice, positionChoice } from './member-fields.js';
import { Committees } from '../committees/committees.js';
import { MinutesSigners } from './minutes-signers.js';
import { People } from './people.js';
import { t } from '../../lib/texts.js';

/** From so many members on, a list is searched. */
const SEARCHED = 10;
const ORDERS = { joined: (items) => [...items].reverse(), name: (items) => [...items].sort((one, other) => personName(one).localeCompare(personName(other))) };

export default (app) => new MembersView(app, app.board);

class MembersView {
  title = () => t('common.members');

  constructor(app, board) {
    Object.assign(this, { app, board, text: '', order: 'joined' });
    this.params = { boardId: board.id };
    this.acts = new Map();
    this.removals = new Map();
    this.committees = new Committees(app, board);
    this.people = new People(app, board);
    this.signers = new MinutesSigners(app, board);
    const ofMembers = ['updateMember', 'removeMember'].map((name) => [name, { ...this.params, memberId: ANY }]);
    this.actions = [...ofMembers, ...this.committees.actions, ...this.people.actions, ...this.signers.actions];
    this.follows = [...this.people.follows, ...this.signers.follows, { on: ['committee'], read: this.committees.list }];
    this.resources = [this.committees.list, this.signers.resource];
  }

  #act(id, what) {
    const key = `${id} ${what}`;
    if (!this.acts.has(key)) this.acts.set(key, new Act(this.app.update));
    return this.acts.get(key);
  }

  render() {
    const { members } = this.board;
    return html`
      <div class="row spread"><h1>${t('common.members')}</h1>${this.board.may('listBoardInvites') ? html`<a class="button primary" href=${this.board.path('invites')}>${t('common.inviteSomebody')}</a>` : ''}</div>
      ${card(t('members.people'), show(members, t('common.theMembers'), ({ items }) => this.#list(items)))}
      ${this.people.render()}
      ${card(t('common.committees'), this.committees.render())}
      ${card(t('minutesSigners.signersOfMinutes'), this.signers.render(), { id: 'signers' })}`;
  }

  /** Whether somebody may leave depends on who they are: asked once the members are known. */
  drawn() {
    const { member } = this.board;
    if (!member || this.isLeavingAsked) return;
    this.isLeavingAsked = true;
    this.app.access.ask([['removeMember', { ...this.params, memberId: member.id }]]);
  }

  #list(items) {
    const found = this.#found(items);
    return html`
      ${items.length >= SEARCHED ? html`<div class="row">
        <div class="field"><label for="members-text">${t('frame.search')}</label><input id="members-text" type="search" .value=${this.text} @input=${({ target }) => this.#show({ text: target.value })}></div>
        ${choice('order', t('common.order'), [['joined', t('members.byJoining')], ['name', t('members.byName')]], { id: 'members-order', value: this.order, onChange: ({ target }) => this.#show({ order: target.value }) })}
      </div>
      <p role="status" class="soft">${this.text.trim() ? t('members.found', { number: found.length }) : nothing}</p>` : nothing}
      <ul class="rows">${repeat(found, ({ id }) => id, (member) => this.#row(member))}</ul>`;
  }

  #show(values) {
    Object.assign(this, values);
    this.app.update();
  }

  /** The members in the chosen order; of a text those that it finds by name, address, position or access. */
  #found(items) {
    const ordered = ORDERS[this.order](items);
    if (!this.text.trim()) return ordered;
    const about = (member) => [member.email, ...member.boardPositions.map(position), member.adminRole === 'member' ? access(member.accessType) : label(member.adminRole)].join(' ');
    return find(ordered.map((member) => ({ name: personName(member), about: about(member), member })), this.text, ordered.length).map(({ member }) => member);
  }

  #row(member) {
    const isSelf = member.userId === this.board.userId;
    const isOwner = member.adminRole === 'owner';
    const mayEdit = !isOwner && this.board.may('updateMember', { memberId: ANY });
    const mayRemove = !isOwner && (!isSelf || this.isLeavingAsked) && this.board.may('removeMember', { memberId: isSelf ? member.id : ANY });
    return html`
      <li>
        <div class="row">
          <span class="grow">${person(personName(member), [isSelf ? t('common.you') : '', member.email].filter(Boolean).join(' · '))}</span>
          <span class="soft">${member.boardPositions.map(position).join(', ')}</span>
          <span class="pill quiet">${member.adminRole === 'member' ? access(member.accessType) : label(member.adminRole)}</span>
          ${mayEdit || mayRemove ? menu(personName(member), html`${mayEdit ? disclosure(t('common.edit'), this.#form(member)) : ''}${mayRemove ? this.#remove(member, isSelf) : ''}`, () => mayRemove && this.#readRemoval(member)) : ''}
        </div>
      </li>`;
  }

  #form(member) {
    const id = (name) => `${member.id}-${name}`;
    return form({
      act: this.#act(member.id, 'edit'), button: t('common.save'), keep: true,
      submit: async (values, target) => {
        const body = {
          adminRole: values.adminRole, accessType: values.accessType, isInternalMgmt: Boolean(values.isInternalMgmt?.length),
          boardPositions: [...new Set([...values.boardPositions, values.otherPosition].filter(Boolean))],
        };
        const changed = await this.app.api.get('updateMember', { params: { ...this.params, memberId: member.id }, body });
        this.board.members.replace(this.board.members.items.map((each) => (each.id === member.id ? changed : each)));
        if (member.userId === this.board.userId) this.board.board.reload();
        closeAround(target);
      },
      content: html`
        <div class="pair">
          ${choice('adminRole', t('members.role'), ['member', 'admin'].map((each) => [each, label(each)]), { id: id('role'), value: member.adminRole })}
          ${field('otherPosition', t('members.anotherPosition'), { id: id('other') })}
        </div>
        ${accessChoice(member.accessType, true)}
        ${positionChoice(member.boardPositions)}
        ${checks('isInternalMgmt', t('members.staff'), [['yes', t('members.belongsToTheInternalManagement')]], member.isInternalMgmt ? ['yes'] : [])}`,
    });
  }

  /** Reads what ends with a membership, for the question before a removal: anew each time that the menu is opened. */
  #readRemoval({ id }) {
    this.removals.set(id, new Resource(() => this.app.api.get('previewRemoval', { params: { ...this.params, memberId: id } }), this.app.update));
  }

  #question(member, isSelf, name) {
    const removal = this.removals.get(member.id);
    return html`<p>${isSelf ? t('members.youLoseAccessToTheBoard') : t('members.nameLosesAccessAtOnceTheir', { name })}</p>
      ${removal ? show(removal, t('members.guestLinks'), ({ guestLinks }) => (guestLinks ? html`<p><b>${t(isSelf ? 'members.guestLinksOfYoursEnd' : 'members.guestLinksOfTheirsEnd', { number: guestLinks })}</b></p>` : nothing)) : nothing}`;
  }

  #remove(member, isSelf) {
    const act = this.#act(member.id, 'remove');
    const name = personName(member);
    return confirmButton({
      act, text: isSelf ? t('members.leave') : t('common.remove'), yes: isSelf ? t('members.leaveTheBoard') : t('members.removeName', { name }), keep: isSelf ? t('members.stay') : t('common.keepThem'),
      question: this.#question(member, isSelf, name),
      run: async () => {
        const done = await act.run(() => this.app.api.call('removeMember', { params: { ...this.params, memberId: member.id } }));
        if (!done) return;
        if (isSelf) this.app.go('/boards', { replace: true });
        else this.board.members.replace(this.board.members.items.filter(({ id }) => id !== member.id));
      },
    });
  }
}
