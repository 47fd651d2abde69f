// What stands around the views: the bar at the top, and a board's name and sections.

import { html, icon, nothing, problem, show, pill } from './lib/ui.js';
import { isOwnZoneKnown, zoneSentence } from './lib/dates.js';
import { HOME } from './lib/router.js';
import { t } from './lib/texts.js';

const NARROW = matchMedia('(max-width: 40rem)');
const MARK = html`<img class="mark" src=${new URL('./icon.svg', import.meta.url)} alt="" width="27" height="27">`;

export function topBar(app) {
  return html`
    <header class="site-head">
      <a class="brand" href=${homeOf(app)}>${MARK}<span>Board Governance</span></a>
      <nav aria-label=${t('common.account')}>
        ${app.session.token ? signedIn(app) : html`<a class="button" href="/app/sign-in">${t('common.signIn')}</a>`}
      </nav>
    </header>`;
}

/** Where the name leads: to what waits for a person, to the board of a token, or to the beginning. */
function homeOf(app) {
  if (!app.session.token) return '/';
  return app.whoami?.data?.authType === 'board_token' ? '/boards' : HOME;
}

function signedIn(app) {
  const isUser = app.whoami?.data?.authType !== 'board_token';
  const unread = app.news?.data?.filter((each) => !each.read).length ?? 0;
  const link = (path, picture, text, more = nothing) => html`<a href=${path} aria-current=${location.pathname === path ? 'page' : nothing}>${picture}<span>${text}</span>${more}</a>`;
  const badge = unread ? html` <span class="badge">${unread > 99 ? '99+' : unread}<span class="hidden"> ${t('frame.unread')}</span></span>` : nothing;
  const first = html`
    <button type="button" class="plain" aria-keyshortcuts="/ Control+K" @click=${() => app.openPalette()}>${icon('magnifying-glass')}<span>${t('frame.search')}</span> <kbd class="wide-only" aria-hidden="true">/</kbd></button>
    ${isUser ? link(HOME, icon('inbox'), t('common.forYou')) : nothing}`;
  const others = html`
    ${link('/boards', icon('building-library'), t('common.boards'))}
    ${isUser ? html`${link('/app/notifications', icon('bell'), t('common.notifications'), badge)}${link('/app/account', icon('user-circle'), t('common.account'))}` : nothing}
    <button type="button" class="plain" @click=${() => app.signOut()}>${icon('arrow-right-start-on-rectangle')}<span>${t('frame.signOut')}</span></button>`;
  if (!NARROW.matches) return html`${first}${others}`;
  return html`${first}<details class="menu site-menu"><summary>${icon('bars-3')}<span>${t('frame.menu')}</span>${badge}</summary><div class="menu-box" @click=${closeMenu}>${others}</div></details>`;
}

function closeMenu({ currentTarget }) {
  currentTarget.closest('details').open = false;
}

/** Who the caller is, or what they may do, could not be learned: the view then lacks its buttons. */
export function unknownCaller(app) {
  const failed = [app.whoami, app.access].filter((each) => each?.problem);
  if (!failed.length) return nothing;
  return html`<div class="no-print"><p>${t('frame.whatYouMayChangeHereIs')}</p>${problem(failed[0].problem, () => failed.forEach((each) => each.reload()))}</div>`;
}

/** Times are in UTC where neither the account nor the browser names a zone that is known. */
export function unknownZone() {
  return isOwnZoneKnown() ? nothing : html`<p class="notice no-print">${zoneSentence()}</p>`;
}

// A section is its pages, each with its words, its path and the operations of which the caller may do one.
const SECTIONS = () => [
  [[t('frame.overview'), '']], [[t('common.meetings'), 'meetings'], [t('year.year'), 'year'], [t('minuteBook.minuteBook'), 'minute-book']], [[t('resolutions.decisions'), 'resolutions']], [[t('common.actionItems'), 'action-items']], [[t('common.documents'), 'documents']], 
  [[t('common.reports'), 'reports'], [t('common.cycles'), 'cycles'], [t('common.bets'), 'bets']],
  [[t('common.members'), 'members'], [t('common.invites'), 'invites', 'listBoardInvites']],
  [[t('common.settings'), 'settings', 'updateBoard', 'deleteBoard'], [t('common.tokens'), 'tokens', 'listBoardTokens'], [t('common.webhooks'), 'webhooks', 'listWebhooks'], [t('common.history'), 'history', 'listAuditEntries']],
];

/** Returns the sections of a board that the caller may open, each with its pages. */
export function sectionsOf(board) {
  const isOffered = ([, , ...names]) => !names.length || names.some((name) => board.may(name));
  return SECTIONS().map((pages) => [pages[0][0], pages.filter(isOffered)]).filter(([, pages]) => pages.length);
}

export function boardFrame(app, board, content) {
  const [first] = location.pathname.replace(board.path(), '').replace(/^\//, '').split('/');
  const sections = sectionsOf(board);
  const [, within] = sections.find(([, pages]) => pages.some(([, path]) => path === first)) ?? ['', []];
  const failure = board.board.problem;
  if (failure && [403, 404].includes(failure.status)) return html`<h1>${t('common.board')}</h1>${show(board.board, t('common.theBoard'), () => nothing)}<p><a href="/boards">${t('frame.allBoards')}</a></p>`;
  return html`
    <div class="board-head">
      <p class="board-name"><a href=${board.path()}>${board.board.data?.name ?? t('common.board')}</a>
        ${board.isRestricted ? pill(board.board.data.billingState, 'warn') : nothing}</p>
      <nav class="sections" aria-label=${t('frame.sectionsOfTheBoard')}>
        ${sections.map(([text, pages]) => link(board, text, pages[0][1], pages === within ? (pages[0][1] === first ? 'page' : 'true') : nothing))}
      </nav>
      ${within.length > 1 ? html`<nav class="pages" aria-label=${t('frame.pagesOfThisSection')}>${within.map(([text, path]) => link(board, text, path, path === first ? 'page' : nothing))}</nav>` : nothing}
      ${failure ? show({ ...board.board, isReady: false, problem: failure, reload: () => board.board.reload() }, t('common.theBoard'), () => nothing) : nothing}
      ${board.isRestricted ? html`<p class="notice">${t('frame.theSubscriptionOfThisBoardHas')}</p>` : nothing}
    </div>
    ${content}`;
}

function link(board, text, path, current) {
  return html`<a href=${board.path(...(path ? [path] : []))} aria-current=${current}>${text}</a>`;
}
