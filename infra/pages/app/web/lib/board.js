// What all views of one board share: the board, its members, and what the caller may do there.

import { may, viewer } from './permissions.js';
import { List, Resource } from './state.js';
import { personName } from './words.js';

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
    return [this.board, this.members];
  }

  /** The caller's own membership, once it is known. */
  get member() {
    const { userId } = this.app.caller.data ?? {};
    return userId ? this.members.items.find((member) => member.userId === userId) : undefined;
  }

  get viewer() {
    return viewer(this.app.caller.data, this.board.data, this.member);
  }

  may(action, creatorId = null) {
    return may(this.viewer, action, creatorId);
  }

  /** The name of a member; of somebody who has left it is not known. */
  nameOf(userId) {
    const member = this.members.items.find((each) => each.userId === userId);
    if (member) return personName(member);
    return this.members.isReady && !this.members.hasMore ? 'A former member' : '…';
  }

  path(...parts) {
    return ['/boards', this.id, ...parts].join('/');
  }
}
