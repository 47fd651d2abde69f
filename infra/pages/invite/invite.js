// The invite page: asks whether the invite is pending and, only if it is, for the names of inviter and board.
// The token is sent to our own API only and never shown.

const ANSWERS = ['accept', 'decline'];
const STATES = ['loading', 'open', 'joined', 'declined', 'closed', 'failed'];
const SESSION = 'board-governance.session'; // written by the app's sign-in, for this tab
const RETURN = 'board-governance.return';
const code = location.pathname.split('/')[2] ?? '';
const query = new URLSearchParams({ i: new URLSearchParams(location.search).get('i') ?? '' });

let inviteId = ''; // known once the preview is there

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

function showInvitation(invite) {
  const { boardId, boardName, inviterName } = invite;
  inviteId = invite.inviteId;
  part('inviter').textContent = inviterName ?? 'A member';
  part('board').textContent = boardName;
  part('code').textContent = code;
  part('request').textContent =
    `curl -X PUT -H "Authorization: Bearer $SESSION" ${location.origin}/api/invite/join/${code}`;
  part('joined-board').textContent = boardName;
  part('to-board').href = `/boards/${boardId}`;
  for (const name of ANSWERS) part(name).hidden = !token();
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
  401: 'Your sign-in has ended. Sign in again, then try again.',
  403: 'The invitation went to another e-mail address than yours, your access token may not answer invites, or the board takes no members now.',
  409: 'The board is full, or you are on as many boards as one person can be.',
  429: 'Too many requests. Please try again in a moment.',
};

/** Sends the invitee's answer, and shows the section `state` once it was taken. */
async function answer(verb, state) {
  setBusy(true);
  part('refused').hidden = true;
  try {
    const headers = { Authorization: `Bearer ${token()}` };
    const { ok, status } = await fetch(`/api/invite/${verb}/${inviteId}`, { method: 'PUT', headers });
    if (ok) show(state);
    else if (status === 404) show('closed');
    else refuse(REFUSALS[status] ?? 'The service is busy. Please try again in a moment.', status);
  } catch {
    refuse('The service could not be reached. Check your connection, then try again.');
  } finally {
    setBusy(false);
  }
}

function setBusy(isBusy) {
  for (const name of ANSWERS) part(name).disabled = isBusy;
}

function refuse(text, status = 0) {
  part('refused').textContent = text;
  part('refused').hidden = false;
  if (status === 401 || status === 403) part('sign-in').hidden = false;
}

/** Signs in elsewhere and comes back: the address stays in this tab's storage, for its query grants access. */
function signIn() {
  try {
    sessionStorage.setItem(RETURN, location.pathname + location.search);
  } catch {
    // Where the browser stores nothing, the link in the mail leads back.
  }
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

part('accept').addEventListener('click', () => answer('accept', 'joined'));
part('decline').addEventListener('click', () => answer('decline', 'declined'));
part('sign-in').addEventListener('click', signIn);
part('copy').addEventListener('click', copy);
part('again').addEventListener('click', load);
load();
