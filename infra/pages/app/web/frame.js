// What stands around the views: the bar at the top, and a board's name and sections.

import { html, nothing, problem, show, pill } from './lib/ui.js';

export function topBar(app) {
  const isSignedIn = Boolean(app.session.token);
  return html`
    <header class="top">
      <a class="brand" href=${isSignedIn ? '/boards' : '/'}>Board Governance</a>
      <nav aria-label="Account">
        ${isSignedIn ? signedIn(app) : html`<a class="button" href="/app/sign-in">Sign in</a>`}
      </nav>
    </header>`;
}

function signedIn(app) {
  const isUser = app.whoami?.data?.authType !== 'board_token';
  const unread = app.news?.data?.filter((each) => !each.read).length ?? 0;
  const current = (path) => (location.pathname === path ? 'page' : nothing);
  return html`
    ${isUser ? html`
      <a href="/app/action-items" aria-current=${current('/app/action-items')}>My items</a>
      <a href="/app/notifications" aria-current=${current('/app/notifications')}>Notifications${unread ? html` <span class="badge">${unread > 99 ? '99+' : unread}<span class="hidden"> unread</span></span>` : nothing}</a>
      <a href="/app/account" aria-current=${current('/app/account')}>Account</a>` : nothing}
    <button type="button" class="plain" @click=${() => app.signOut()}>Sign out</button>`;
}

/** Who the caller is, or what they may do, could not be learned: the view then lacks its buttons. */
export function unknownCaller(app) {
  const failed = [app.whoami, app.access].filter((each) => each?.problem);
  if (!failed.length) return nothing;
  return html`<div class="no-print"><p>What you may change here is not known.</p>${problem(failed[0].problem, () => failed.forEach((each) => each.reload()))}</div>`;
}

const SECTIONS = [
  ['Overview', ''], ['Meetings', 'meetings'], ['Action items', 'action-items'], ['Documents', 'documents'],
  ['Reports', 'reports'], ['Members', 'members'], ['Invites', 'invites', 'listBoardInvites'],
  ['Tokens', 'tokens', 'listBoardTokens'], ['Webhooks', 'webhooks', 'listWebhooks'], ['Audit log', 'audit', 'listAuditEntries'], ['Settings', 'settings', 'updateBoard', 'deleteBoard'],
];

export function boardFrame(app, board, content) {
  const [first] = location.pathname.replace(board.path(), '').replace(/^\//, '').split('/');
  const offered = SECTIONS.filter(([, , ...names]) => !names.length || names.some((name) => board.may(name)));
  const failure = board.board.problem;
  if (failure && [403, 404].includes(failure.status)) return html`<h1>Board</h1>${show(board.board, 'the board', () => nothing)}<p><a href="/boards">All boards</a></p>`;
  return html`
    <div class="board-head">
      <p class="board-name"><a href=${board.path()}>${board.board.data?.name ?? 'Board'}</a>
        ${board.isRestricted ? pill(board.board.data.billingState, 'warn') : nothing}</p>
      <nav class="sections" aria-label="Sections of the board">
        ${offered.map(([text, path]) => html`<a href=${board.path(...(path ? [path] : []))} aria-current=${path === first ? 'page' : nothing}>${text}</a>`)}
      </nav>
      ${failure ? show({ ...board.board, isReady: false, problem: failure, reload: () => board.board.reload() }, 'the board', () => nothing) : nothing}
      ${board.isRestricted ? html`<p class="notice">The subscription of this board has ended. You can read everything; changes are not possible.</p>` : nothing}
    </div>
    ${content}`;
}
