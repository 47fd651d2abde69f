
import { isVoter } from './ranking.js';

export const MAJORITIES = ['simple', 'two_thirds', 'three_quarters', 'unanimous'];
export const CHOICES = ['for', 'against', 'abstain'];
export const DECIDED = ['carried', 'rejected', 'lapsed'];
export const USUAL_RULE = { majority: 'simple', base: 'cast', quorumPercent: 50, castingVoteUserId: null, proxies: false };
const SHARES = { simple: 1 / 2, two_thirds: 2 / 3, three_quarters: 3 / 4, unanimous: 1 };

export function usualVoters(members, committee = null) {
  const isOf = ({ id }) => !committee || committee.memberIds.includes(id);
  return members.filter((member) => isVoter(member) && !member.isInternalMgmt && isOf(member)).map(({ userId }) => ({ userId, weight: 1, recused: null, proxyUserId: null }));
}

const isCounted = ({ recused }) => !recused;

export function eligible(voters) {
  return voters.filter(isCounted).reduce((sum, { weight = 1 }) => sum + weight, 0);
}

export function isWeighted(voters) {
  return voters.some(({ weight = 1 }) => weight !== 1);
}

export function quorumOf({ quorumPercent }, weight) {
  return Math.max(1, Math.ceil((quorumPercent * weight) / 100));
}

export function baseOf({ base }, tally) {
  return base === 'cast' ? tally.for + tally.against : tally.eligible;
}

export function neededOf({ majority }, base) {
  const least = majority === 'simple' ? Math.floor(base / 2) + 1 : Math.ceil(base * SHARES[majority]);
  return Math.max(1, least);
}

export function shareOf({ majority }) {
  return SHARES[majority];
}

export function isTie({ majority, base, castingVoteUserId }, tally) {
  return Boolean(castingVoteUserId) && majority === 'simple' && base === 'cast' && tally.for === tally.against && tally.voted > 0;
}

export function targetsOf({ voters }, userId) {
  const own = voters.filter((voter) => voter.userId === userId && isCounted(voter));
  const holds = own.length ? voters.filter((voter) => voter.proxyUserId === userId && isCounted(voter)) : [];
  return [...own, ...holds];
}

export function missingOf({ voters }, ballots) {
  const voted = new Set(ballots.map(({ userId }) => userId));
  return voters.filter((voter) => isCounted(voter) && !voted.has(voter.userId));
}

export function proxiesFor({ voters }, userId) {
  return voters.filter((voter) => voter.userId !== userId && isCounted(voter) && !voter.proxyUserId);
}

export function holdsProxy({ voters }, userId) {
  return voters.some(({ proxyUserId }) => proxyUserId === userId);
}

export function registered(resolutions) {
  const of = (...statuses) => resolutions.filter(({ status }) => statuses.includes(status));
  const by = (name, sign) => (one, other) => sign * String(one[name] ?? '').localeCompare(String(other[name] ?? ''));
  return { open: of('open').sort(by('closesAt', 1)), drafts: of('draft').sort(by('updatedAt', -1)), decided: of(...DECIDED, 'withdrawn').sort(by('closedAt', -1)) };
}
