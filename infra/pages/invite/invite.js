// The invite page: asks whether the invite is pending and, only if it is, for the names of inviter and board.
// The token is sent to our own API only and never shown.

const STATES = ['loading', 'open', 'closed', 'failed'];
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
  show('open');
}

async function copy() {
  try {
    await navigator.clipboard.writeText(code);
    part('copy').textContent = 'Copied';
  } catch {
    getSelection().selectAllChildren(part('code'));
  }
}

part('copy').addEventListener('click', copy);
part('again').addEventListener('click', load);
load();
