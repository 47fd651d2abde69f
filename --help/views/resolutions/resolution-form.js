// The fields of a resolution: for a new draft, and for one that is changed.

import { NUMBERS, VALUES } from '../../lib/openapi.js';
import { MAJORITIES, USUAL_RULE, isWeighted, seatedVoters, usualVoters } from '../../lib/resolutions.js';
import { majorityWords, ruleSentence, secrecy } from '../../lib/resolution-words.js';
import { area, choice, field, form, html, nothing } from '../../lib/ui.js';
import { personName } from '../../lib/words.js';
import { t } from '../../lib/texts.js';

const { ballots: BALLOTS } = VALUES.createResolution;
const { minimum: LEAST_WEIGHT, maximum: MOST_WEIGHT } = NUMBERS.createResolution['voters.weight'];
const { minimum: LEAST_QUORUM, maximum: MOST_QUORUM } = NUMBERS.createResolution['rule.quorumPercent'];
const BALLOT_WORDS = () => ({ named: t('resolutionForm.named'), hidden: t('resolutionForm.hidden'), secret: t('resolutionForm.secret') });

/** `people` are the members of the board; `committees`, `meetings` and `others` what a resolution may belong to. */
export function resolutionForm({ act, button, submit, draft = {}, members, committees, meetings, superseded, aside }) {
  const rule = draft.rule ?? USUAL_RULE;
  return form({
    act, button, submit, keep: true,
    content: html`<div class="meeting"><div>
      ${field('title', t('common.title'), { id: 'resolution-title', value: draft.title, required: true, of: 'createResolution' })}
      ${area('text', t('resolutionForm.textThatIsDecided'), { id: 'resolution-text', value: draft.text, of: 'createResolution', rows: 8, isRequired: true })}
      ${ruleFields(rule, draft, members)}
      </div><div>${aside}
      <div class="card">
      ${choice('meetingId', t('common.meeting'), [['', t('resolutionForm.noMeeting')], ...meetings.map(({ id, title }) => [id, title])], { id: 'resolution-meeting', value: draft.meetingId ?? '' })}
      ${choice('committeeId', t('resolutionForm.whoDecides'), [['', t('common.theWholeBoard')], ...committees.map(({ id, name }) => [id, name])], { id: 'resolution-committee', value: draft.committeeId ?? '' })}
      ${superseded.length ? choice('supersedesId', t('resolutionForm.replaces'), [['', '–'], ...superseded.map(({ id, number, title }) => [id, `${number} ${title}`])], { id: 'resolution-supersedes', value: draft.supersedesId ?? '' }) : nothing}
      </div></div></div>`,
  });
}

function ruleFields(rule, draft, members) {
  const named = new Map((draft.voters ?? []).map(({ userId, weight }) => [userId, weight]));
  const usual = (draft.id ? usualVoters : seatedVoters)(members).map(({ userId }) => userId);
  const isVoting = (userId) => (named.size ? named.has(userId) : usual.includes(userId));
  const people = members.map((member) => [member.userId, personName(member)]);
  return html`
    <details class="disclosure" ?open=${Boolean(draft.id)}><summary class="button">${t('resolutionForm.howItIsDecided')}</summary><div class="disclosure-box">
      <div class="pair">
        ${choice('majority', t('resolutionForm.majority'), MAJORITIES.map((each) => [each, majorityWords(each)]), { id: 'rule-majority', value: rule.majority })}
        ${choice('base', t('resolutionForm.of'), [['cast', t('resolutionForm.ofTheVotesCast')], ['eligible', t('resolutionForm.ofAllVotes')]], { id: 'rule-base', value: rule.base })}
        ${field('quorumPercent', t('resolutionForm.quorum'), { id: 'rule-quorum', type: 'number', min: LEAST_QUORUM, max: MOST_QUORUM, value: String(rule.quorumPercent), required: true })}
        ${choice('castingVoteUserId', t('resolutionForm.castingVote'), [['', t('resolutionForm.nobody')], ...people], { id: 'rule-casting', value: rule.castingVoteUserId ?? '' })}
        ${choice('ballots', t('resolutionForm.ballots'), BALLOTS.map((each) => [each, BALLOT_WORDS()[each]]), { id: 'rule-ballots', value: draft.ballots ?? BALLOTS[0] })}
      </div>
      <p><label class="inline"><input type="checkbox" name="proxies" ?checked=${rule.proxies}> <span>${t('resolutionForm.proxiesAreAllowed')}</span></label></p>
    </div></details>
      <fieldset class="checks voters"><legend>${t('resolutionForm.votersAndWeights')}</legend>
        ${people.map(([userId, name]) => html`<div class="row"><label><input type="checkbox" name="voters" value=${userId} data-list ?checked=${isVoting(userId)}> <span>${name}</span></label>
          <input type="number" name=${`weight-${userId}`} aria-label=${t('resolutionForm.weightOfName', { name })} min=${LEAST_WEIGHT} max=${MOST_WEIGHT} required .defaultValue=${String(named.get(userId) ?? 1)}></div>`)}
        <p class="field-error"></p>
      </fieldset>`;
}

/** Returns the body of a request. Voters who are the usual ones are not named: who votes is fixed when the vote opens. */
export function resolutionBody(values, members, committees) {
  const { title, text, majority, base, ballots, quorumPercent, castingVoteUserId, proxies, meetingId, committeeId, supersedesId, documentIds = [] } = values;
  const voters = (values.voters ?? []).map((userId) => ({ userId, weight: Number(values[`weight-${userId}`]) }));
  const usual = usualVoters(members, committees.find(({ id }) => id === committeeId)).map(({ userId }) => userId);
  const isUsual = !isWeighted(voters) && [...usual].sort().join() === voters.map(({ userId }) => userId).sort().join();
  return {
    title, text, ballots, documentIds, meetingId: meetingId || null, committeeId: committeeId || null, supersedesId: supersedesId || null,
    rule: { majority, base, quorumPercent: Number(quorumPercent), castingVoteUserId: castingVoteUserId || null, proxies: Boolean(proxies) },
    voters: isUsual ? null : voters,
  };
}

/** Says what will be counted of a draft; `closesAt` as in `ruleSentence`. */
export function sentenceOf(draft, board, committees, closesAt = draft.closesAt ?? undefined) {
  const committee = committees.find(({ id }) => id === draft.committeeId);
  const voters = draft.voters.length ? draft.voters : usualVoters(board.members.items, committee);
  return html`<p class="rule-sentence"><b>${ruleSentence({ ...draft, voters, closesAt }, (userId) => board.nameOf(userId))}</b> <span class="soft">${secrecy(draft.ballots)}</span></p>
    <p class="soft voter-names"><b>${t('resolutionForm.theseVote', { number: voters.length })}</b> ${voters.map(({ userId }) => board.nameOf(userId)).join(', ')}</p>`;
}
