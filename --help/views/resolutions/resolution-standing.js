// Who has voted on a resolution, who is missing, and who does not count.

import { choiceWords } from '../../lib/resolution-words.js';
import { missingOf } from '../../lib/resolutions.js';
import { avatar, html, nothing } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';

/** Shows the voters in groups; of hidden ballots nobody knows before the end who has voted. */
export function standing(resolution, ballots, board) {
  const { voters, status } = resolution;
  const isKnown = resolution.ballots !== 'hidden' || status !== 'open';
  const recused = voters.filter((voter) => voter.recused);
  const counted = voters.filter((voter) => !voter.recused);
  if (!isKnown) return html`${group(t('resolution.voters'), counted, (voter) => proxyOf(voter, board), board)}${recusedGroup(recused, board)}`;
  const missing = missingOf(resolution, ballots);
  const voted = counted.filter((voter) => !missing.includes(voter));
  const ballotOf = (voter) => ballots.find(({ userId }) => userId === voter.userId);
  return html`
    ${group(t('resolution.haveVoted'), voted, (voter) => [said(ballotOf(voter)), by(ballotOf(voter), board)].filter(Boolean).join(' · '), board)}
    ${group(status === 'open' ? t('resolution.missing') : t('resolution.didNotVote'), missing, (voter) => proxyOf(voter, board), board)}
    ${recusedGroup(recused, board)}`;
}

function recusedGroup(recused, board) {
  return group(t('resolution.doNotTakePart'), recused, ({ recused: { reason, byUserId } }) => (byUserId ? reason : t('resolution.hasLeft')), board);
}

function said(ballot) {
  if (!ballot?.choice) return '';
  return [choiceWords(ballot.choice), ballot.weight > 1 ? t('resolution.weight', { weight: ballot.weight }) : '', ballot.comment ? `“${ballot.comment}”` : ''].filter(Boolean).join(' · ');
}

function by(ballot, board) {
  return ballot?.castByUserId && ballot.castByUserId !== ballot.userId ? t('resolution.castByName', { name: board.nameOf(ballot.castByUserId) }) : '';
}

function proxyOf({ proxyUserId }, board) {
  return proxyUserId ? t('resolution.proxyIsName', { name: board.nameOf(proxyUserId) }) : '';
}

function group(heading, voters, small, board) {
  if (!voters.length) return nothing;
  return html`
    <h3>${heading} <span class="soft">${voters.length}</span></h3>
    <ul class="people">${voters.map((voter) => html`
      <li class="person">${avatar(board.nameOf(voter.userId))}<span class="name">${board.nameOf(voter.userId)}${small(voter) ? html`<small>${small(voter)}</small>` : nothing}</span></li>`)}</ul>`;
}
