
import { List, Resource } from './state.js';
import { isTyped } from './drafts.js';
import { personName } from './words.js';
import { t } from './texts.js';

const RESTRICTED = ['TRIAL_EXPIRED', 'PAST_DUE_RESTRICTED', 'CANCELLED'];
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

  get follows() {
    const access = this.app.access;
    const mine = { on: ['member', 'board'], ids: { userId: this.userId }, read: access };
    const ids = { boardId: this.id };
    return [{ on: ['board', 'member'], ids, read: this.board, isHeld: isTyped }, { on: ['member', 'invite', 'board', 'user'], ids, read: this.members }, mine];
  }

  get unregistered() {
    const page = (cursor) => this.app.api.page('listUnregisteredUsers', { params: { boardId: this.id }, query: { limit: 100 }, cursor });
    this.people ??= new List(page, this.app.update, { isWhole: true });
    return this.people;
  }

  get current() {
    return this.unregistered.items.filter(({ status }) => status === 'active');
  }

  get actions() {
    return ACTIONS.map((name) => [name, { boardId: this.id }]);
  }

  get userId() {
    return this.app.caller.data?.userId ?? null;
  }

  get others() {
    return this.members.items.filter(({ userId }) => userId !== this.userId).length;
  }

  get mailed() {
    const all = this.current.filter(({ email, receivesMail }) => email && receivesMail);
    return { reached: all.filter(({ bounce }) => !bounce), missed: all.filter(({ bounce }) => bounce) };
  }

  get member() {
    return this.userId ? this.members.items.find((member) => member.userId === this.userId) : undefined;
  }

  get isRestricted() {
    return RESTRICTED.includes(this.board.data?.billingState);
  }

  may(name, params = {}) {
    return this.app.access.may(name, { boardId: this.id, ...params });
  }

  nameOf(userId) {
    const member = this.members.items.find((each) => each.userId === userId);
    if (member) return personName(member);
    return this.members.isReady && !this.members.hasMore ? t('common.aFormerMember') : '…';
  }

  path(...parts) {
    return ['/boards', this.id, ...parts].join('/');
  }
}
