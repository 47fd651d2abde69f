// What all views of one board share: the board, its members, and what the caller may do there.

import { List, Resource } from './state.js';
import { isTyped } from './drafts.js';
import { personName } from './words.js';
import { t } from './texts.js';

const RESTRICTED = ['TRIAL_EXPIRED', 'PAST_DUE_RESTRICTED', 'CANCELLED'];
// What leads to the sections that not everybody has.
const ACTIONS = ['listBoardInvites', 'listBoardTokens', 'listWebhooks', 'listAuditEntries', 'updateBoard', 'deleteBoard', 'createMeeting', 'createInvite', 'createDocument', 'createResolution'];

export class BoardContext {
  constructor(app, id) {
    this.app = app;
    this.id = id;
    const params = { boardId: id };
    this.board = new Resource(() => app.api.get('getBoard', { params }), app.update);
    const page = (cursor) => app.api.page('listMembers', { params, query: { limit: 100 }, cursor });
    this.members = new List(page, app.update, { isWhole: true });
  }

  get resources() {
    return [this.board, this.members, ...(this.people ? [this.people] : [])];
  }

  /** What follows rings of the board; whose own membership changes may do other things than before. */
  get follows() {
    const access = this.app.access;
    const mine = { on: ['member', 'board'], ids: { userId: this.userId }, read: access };
    const ids = { boardId: this.id };
    return [{ on: ['board', 'member'], ids, read: this.board, isHeld: isTyped }, { on: ['member', 'invite', 'board', 'user'], ids, read: this.members }, mine];
  }

  /** The people of the board without an account, asked once they are wanted. */
  get unregistered() {
    const page = (cursor) => this.app.api.page('listUnregisteredUsers', { params: { boardId: this.id }, query: { limit: 100 }, cursor });
    this.people ??= new List(page, this.app.update, { isWhole: true });
    return this.people;
  }

  /** Those of them who can be named anew. */
  get current() {
    return this.unregistered.items.filter(({ status }) => status === 'active');
  }

  get actions() {
    return ACTIONS.map((name) => [name, { boardId: this.id }]);
  }

  /** The caller's user id, once it is known; a board's token has none. */
  get userId() {
    return this.app.caller.data?.userId ?? null;
  }

  /** Somebody without an account, who may be archived; undefined as long as they are not known. */
  withoutAccount(id) {
    return this.unregistered.items.find((person) => person.id === id);
  }

  /** Why somebody without an account gets no mails, in words; null where they do, or as far as the caller may know. */
  whyNoMails({ status, email, receivesMail, bounce }) {
    if (status === 'archived') return t('people.noMailsArchived');
    if (!receivesMail) return t('people.noMailsTurnedOff');
    if (bounce) return bounce.kind === 'complaint' ? t('people.noMailsComplained') : t('people.noMailsComeBack');
    return !email && this.isManager ? t('people.noMailsWithoutAddress') : null;
  }

  /** How many other members there are, who are told of what the caller does. */
  get others() {
    return this.members.items.filter(({ userId }) => userId !== this.userId).length;
  }

  /** Those without an account whom mails of a meeting reach, and those to whom they come back; nobody where addresses are not shown. */
  get mailed() {
    const all = this.current.filter(({ email, receivesMail }) => email && receivesMail);
    return { reached: all.filter(({ bounce }) => !bounce), missed: all.filter(({ bounce }) => bounce) };
  }

  /** The caller's own membership, once it is known. */
  get member() {
    return this.userId ? this.members.items.find((member) => member.userId === this.userId) : undefined;
  }

  /** Whether the caller counts as a manager of the board. */
  get isManager() {
    return Boolean(this.member) && (this.member.adminRole !== 'member' || this.member.accessType === 'manager');
  }

  get isRestricted() {
    return RESTRICTED.includes(this.board.data?.billingState);
  }

  may(name, params = {}) {
    return this.app.access.may(name, { boardId: this.id, ...params });
  }

  /** The name of a member; of somebody who has left it is not known. */
  nameOf(userId) {
    const member = this.members.items.find((each) => each.userId === userId);
    if (member) return personName(member);
    return this.members.isReady && !this.members.hasMore ? t('common.aFormerMember') : '…';
  }

  path(...parts) {
    return ['/boards', this.id, ...parts].join('/');
  }
}
