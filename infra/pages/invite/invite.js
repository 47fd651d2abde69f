// The invite page: asks whether the invite is pending and, only if it is, for the names of inviter and board.
// The token is sent to our own API only and never shown.

const STATES = ['loading', 'open', 'joined', 'closed', 'failed'];
const SESSION = 'board-governance.session'; // written by the app's sign-in, for this tab
const RETURN = 'board-governance.return';
const code = location.pathname.split('/')[2] ?? '';
const query = new URLSearchParams({ i: new URLSearchParams(location.search).get('i') ?? '' });

const part = (id) => document.getElementById(id);

function show(state) {
  for (const name of STATES) part(name).hidden = name !== state;
  const heading = part(state).querySelector('h1');
  document.title = `${heading.textContent.trim()} · Board Governance`;
}

async function get(resource) {
  const answer = await fetch(`/api/v1/invite/${resource}/${encodeURIComponent(code)}?${query}`, { cache: 'no-store' });
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

async function load() {
  show('loading');
  try {
    const status = await get('status');
    const preview = status?.pending ? await get('preview') : null;
    if (preview === null) return show('closed');
    showInvitation(preview.data);
  } catch {
    show('failed');
  }
}

function showInvitation({ boardName, inviterName }) {
  part('inviter').textContent = inviterName ?? 'A member';
  part('board').textContent = boardName;
  part('code').textContent = code;
  part('request').textContent =
    `curl -X PUT -H "Authorization: Bearer $SESSION" ${location.origin}/api/invite/join/${code}`;
  part('accept').hidden = !token();
  part('sign-in').hidden = Boolean(token());
  show('open');
}

/** Returns the credential of this tab, or null. */
function token() {
  try {
    return JSON.parse(sessionStorage.getItem(SESSION))?.token ?? null;
  } catch {
    return null;
  }
}

const REFUSALS = {
  401: 'Your sign-in does not allow this: sign in as a person, not with an access token, then try again.',
  403: 'You are signed in with another e-mail address than the one that was invited, or the board takes no changes now.',
  404: 'The board takes no invite codes now. Accept in your notifications instead.',
  409: 'The board is full.',
  429: 'Too many requests. Please try again in a moment.',
};

async function accept() {
  part('accept').disabled = true;
  part('refused').hidden = true;
  try {
    const headers = { Authorization: `Bearer ${token()}` };
    const answer = await fetch(`/api/invite/join/${encodeURIComponent(code)}`, { method: 'PUT', headers });
    if (!answer.ok) return refuse(REFUSALS[answer.status] ?? 'The service is busy. Please try again in a moment.', answer.status);
    const { boardId, boardName } = await answer.json();
    part('joined-board').textContent = boardName;
    part('to-board').href = `/boards/${boardId}`;
    show('joined');
  } catch {
    refuse('The service could not be reached. Check your connection, then try again.');
  } finally {
    part('accept').disabled = false;
  }
}

function refuse(text, status = 0) {
  part('refused').textContent = text;
  part('refused').hidden = false;
  if (status === 401 || status === 403) part('sign-in').hidden = false;
}

/** Signs in elsewhere and comes back: the address stays in this tab's storage, for its query grants access. */
function signIn() {
  sessionStorage.setItem(RETURN, location.pathname + location.search);
  location.assign('/app/sign-in');
}

async function copy() {
  try {
    await navigator.clipboard.writeText(code);
    part('copy').textContent = 'Copied';
  } catch {
    getSelection().selectAllChildren(part('code'));
  }
}

part('accept').addEventListener('click', accept);
part('sign-in').addEventListener('click', signIn);
part('copy').addEventListener('click', copy);
part('again').addEventListener('click', load);
load();
