// What is counted of a resolution, as the API counts it: for sentences and pictures before the API has decided. The API's
// count is in domain/resolutions/count.py, and infra/verify/certificate.py counts too.

import { toWall } from './dates.js';
import { timeNow } from './clock.js';
import { isVoter } from './ranking.js';

export const MAJORITIES = ['simple', 'two_thirds', 'three_quarters', 'unanimous'];
export const CHOICES = ['for', 'against', 'abstain'];
export const DECIDED = ['carried', 'rejected', 'noted', 'lapsed'];
export const USUAL_RULE = { majority: 'simple', base: 'cast', quorumPercent: 50, castingVoteUserId: null, proxies: false };
const SHARES = { simple: 1 / 2, two_thirds: 2 / 3, three_quarters: 3 / 4, unanimous: 1 };

/** Returns the white space behind a request, so that its length does not tell what was chosen. */
export function padding(choice) {
  return ' '.repeat(Math.max(...CHOICES.map(({ length }) => length)) - choice.length);
}

/** Returns the members who vote where a draft names nobody. */
export function usualVoters(members, committee = null) {
  const isOf = ({ id }) => !committee || committee.memberIds.includes(id);
  return members.filter((member) => isVoter(member) && !member.isInternalMgmt && isOf(member)).map(({ userId }) => ({ userId, weight: 1, recused: null, proxyUserId: null }));
}

const SEATED = /^board (chair|member)$/i;

/** Returns those of them whom a new draft names at first: the chair and the members, on a board that says who they are. */
export function seatedVoters(members) {
  const usual = usualVoters(members);
  const positions = new Map(members.map(({ userId, boardPositions = [] }) => [userId, boardPositions]));
  const seated = usual.filter(({ userId }) => positions.get(userId).some((position) => SEATED.test(position)));
  return seated.length ? seated : usual;
}

/** How long the API shows a vote as open after its end, because of ballots that are being counted. */
export const SETTLES_MS = 5000;

/** Whether votes are still taken: from `closesAt` on they are refused, though the outcome is not shown yet. */
export function takesVotes({ status, closesAt }) {
  return status === 'open' && !(closesAt && Date.parse(closesAt) <= timeNow());
}

const isCounted = ({ recused }) => !recused;

/** Returns the sum of the weights of the voters who count. */
export function eligible(voters) {
  return voters.filter(isCounted).reduce((sum, { weight = 1 }) => sum + weight, 0);
}

/** Whether voters have different weights. */
export function isWeighted(voters) {
  return voters.some(({ weight = 1 }) => weight !== 1);
}

/** Returns the weight that has to vote, at least. */
export function quorumOf({ quorumPercent }, weight) {
  return Math.max(1, Math.ceil((quorumPercent * weight) / 100));
}

/** Returns what `for` is compared with: the votes for and against, or all. */
export function baseOf({ base }, tally) {
  return base === 'cast' ? tally.for + tally.against : tally.eligible;
}

/** Returns the least weight of votes for that carries. */
export function neededOf({ majority }, base) {
  const least = majority === 'simple' ? Math.floor(base / 2) + 1 : Math.ceil(base * SHARES[majority]);
  return Math.max(1, least);
}

/** Returns which share of the base the votes for have to reach; of a simple majority, to pass. */
export function shareOf({ majority }) {
  return SHARES[majority];
}

/** Whether votes for and against are equal where one person's vote then decides. */
export function isTie({ majority, base, castingVoteUserId }, tally) {
  return Boolean(castingVoteUserId) && majority === 'simple' && base === 'cast' && tally.for === tally.against && tally.voted > 0;
}

/** Returns the people whom somebody votes for: oneself, then those who gave them their proxy; nobody who is recused. */
export function targetsOf({ voters }, userId) {
  const own = voters.filter((voter) => voter.userId === userId && isCounted(voter));
  const holds = own.length ? voters.filter((voter) => voter.proxyUserId === userId && isCounted(voter)) : [];
  return [...own, ...holds];
}

/** Returns the voters who count and have no ballot. */
export function missingOf({ voters }, ballots) {
  const voted = new Set(ballots.map(({ userId }) => userId));
  return voters.filter((voter) => isCounted(voter) && !voted.has(voter.userId));
}

/** Returns the voters to whom one may give the proxy: not recused, not holders through others. */
export function proxiesFor({ voters }, userId) {
  return voters.filter((voter) => voter.userId !== userId && isCounted(voter) && !voter.proxyUserId);
}

/** Whether somebody holds a proxy. */
export function holdsProxy({ voters }, userId) {
  return voters.some(({ proxyUserId }) => proxyUserId === userId);
}

/** Returns the decisions of a meeting's final minutes as entries of a register: `meeting` and `item` are where they come from. */
export function minuted({ meetingId, title, startTime, decisions }) {
  const meeting = { id: meetingId, title };
  return decisions.map(({ text, result, agendaItemTitle }, index) => ({ id: `${meetingId} ${index}`, title: text, text: '', status: result, closedAt: startTime, meeting, item: agendaItemTitle }));
}

/** Returns the entries of a register in its order: open ones by their end, drafts, then by year what is decided, newest first; '' is no year. */
export function registered(entries) {
  const of = (...statuses) => entries.filter(({ status }) => statuses.includes(status));
  const by = (name, sign) => (one, other) => sign * String(one[name] ?? '').localeCompare(String(other[name] ?? ''));
  const decided = of(...DECIDED, 'withdrawn').sort(by('closedAt', -1));
  const years = new Map(decided.map((entry) => [yearOf(entry), []]));
  for (const entry of decided) years.get(yearOf(entry)).push(entry);
  return { open: of('open').sort(by('closesAt', 1)), drafts: of('draft').sort(by('updatedAt', -1)), years: [...years] };
}

const yearOf = ({ closedAt }) => (closedAt ? toWall(closedAt).slice(0, 4) : '');
