// A resolution in words: what will be counted, until when, and what came of it.

import { timeNow } from './clock.js';
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

/**
 * Returns "Carried if more than half of the votes cast are for; 5 of 9 must vote; until Friday 18:00." The end is left out where it
 * is not known yet: `closesAt` undefined; null is an end in the meeting.
 */
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

/** Returns the end of a vote: the weekday and the time where it is near. */
export function deadline(instant, now = timeNow()) {
  const isNear = Date.parse(instant) - now < NEAR_DAYS * DAY_MS && Date.parse(instant) > now;
  const isToday = toWall(instant).slice(0, 10) === today(now);
  return isNear ? `${isToday ? t('resolution.today') : weekday(instant)} ${time(instant)}` : dateTime(instant);
}

/** Who sees what of the ballots. */
export const secrecy = (ballots) => ({ named: t('resolution.everybodySeesHow'), hidden: t('resolution.seenOnceClosed'), secret: t('resolution.nobodyEverSees') })[ballots];

/** Returns "5 for, 3 against, 1 abstained"; of too few secret ballots, that they are not shown. */
export function sums({ for: inFavour, against, abstain }) {
  if (inFavour === null) return t('resolution.sumsHidden');
  return t('resolution.sums', { for: inFavour, against, abstain });
}

/** Returns when a resolution was decided, closes, or was drafted. */
export function datedWords({ status, closedAt, closesAt, updatedAt }) {
  if (status === 'draft') return t('common.changedWhen', { when: date(updatedAt) });
  if (status !== 'open') return date(closedAt);
  return closesAt ? t('resolution.closesWhen', { when: deadline(closesAt) }) : t('resolution.closesInTheMeeting');
}
