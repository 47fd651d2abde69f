// The page behind an invite's link: asks whether the invite is pending, and only then who invites to what board.
// The token stays in this page: it goes to our own API alone, and is never shown.

const STATES = ['loading', 'open', 'closed', 'failed'];
const code = location.pathname.split('/')[2] ?? '';
const query = new URLSearchParams({ i: new URLSearchParams(location.search).get('i') ?? '' });

const part = (id) => document.getElementById(id);

function show(state) {
  for (const name of STATES) part(name).hidden = name !== state;
  const heading = part(state).querySelector('h1');
  document.title = `${heading.textContent.trim()} · Board Governance`;
}

async function ask(what) {
  const answer = await fetch(`/api/v1/invite/${what}/${encodeURIComponent(code)}?${query}`, { cache: 'no-store' });
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

async function look() {
  show('loading');
  try {
    const status = await ask('status');
    const preview = status?.pending ? await ask('preview') : null;
    if (preview === null) return show('closed');
    tell(preview.data);
  } catch {
    show('failed');
  }
}

function tell({ boardName, inviterName }) {
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
part('again').addEventListener('click', look);
look();
