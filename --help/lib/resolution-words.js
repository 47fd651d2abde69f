
import { date, dateTime, time, today, toWall, weekday } from './dates.js';
import { eligible, isWeighted, quorumOf } from './resolutions.js';
import { t } from './texts.js';

const DAY_MS = 86_400_000;
const NEAR_DAYS = 6;

export const majorityWords = (majority) => ({
  simple: t('resolution.moreThanHalf'), two_thirds: t('resolution.twoThirds'), three_quarters: t('resolution.threeQuarters'), unanimous: t('resolution.all'),
})[majority];

export const choiceWords = (choice) => ({ for: t('resolution.for'), against: t('resolution.against'), abstain: t('resolution.abstain') })[choice];

const CARRIED_IF = {
  simple: { cast: () => t('resolution.carriedIfHalfOfCast'), eligible: () => t('resolution.carriedIfHalfOfAll') },
  two_thirds: { cast: () => t('resolution.carriedIfTwoThirdsOfCast'), eligible: () => t('resolution.carriedIfTwoThirdsOfAll') },
  three_quarters: { cast: () => t('resolution.carriedIfThreeQuartersOfCast'), eligible: () => t('resolution.carriedIfThreeQuartersOfAll') },
  unanimous: { cast: () => t('resolution.carriedIfAllOfCast'), eligible: () => t('resolution.carriedIfAllOfAll') },
};

export function ruleSentence({ rule, voters, closesAt }, nameOf) {
  const all = eligible(voters);
  const quorum = { quorum: quorumOf(rule, all), all };
  const parts = [
    CARRIED_IF[rule.majority][rule.base](),
    isWeighted(voters) ? t('resolution.soManyVotesMustBeCast', quorum) : t('resolution.soManyMustVote', quorum),
    rule.castingVoteUserId ? t('resolution.atATieNameDecides', { name: nameOf(rule.castingVoteUserId) }) : '',
    closesAt === undefined ? '' : closesAt ? t('resolution.untilWhen', { when: deadline(closesAt) }) : t('resolution.untilItIsClosed'),
  ];
  return `${parts.filter(Boolean).join('; ')}.`;
}

export function deadline(instant, now = Date.now()) {
  const isNear = Date.parse(instant) - now < NEAR_DAYS * DAY_MS && Date.parse(instant) > now;
  const isToday = toWall(instant).slice(0, 10) === today();
  return isNear ? `${isToday ? t('resolution.today') : weekday(instant)} ${time(instant)}` : dateTime(instant);
}

export const secrecy = (ballots) => ({ named: t('resolution.everybodySeesHow'), hidden: t('resolution.seenOnceClosed'), secret: t('resolution.nobodyEverSees') })[ballots];

export function sums({ for: inFavour, against, abstain }) {
  return t('resolution.sums', { for: inFavour, against, abstain });
}

export function datedWords({ status, closedAt, closesAt, updatedAt }) {
  if (status === 'draft') return t('common.changedWhen', { when: date(updatedAt) });
  if (status !== 'open') return date(closedAt);
  return closesAt ? t('resolution.closesWhen', { when: deadline(closesAt) }) : t('resolution.closesInTheMeeting');
}
