// What went wrong, in words for the person in front of the page.

import { t } from './texts.js';

/** A request that did not succeed: an answer of the API, or none at all (`status` 0). */
export class Problem extends Error {
  constructor({ status, code = '', message = '', details = null, requestId = null, wait = 0 }) {
    super(message || code || `Status ${status}`);
    Object.assign(this, { status, code, details, requestId, wait, placed: [] });
  }

  /** What is wrong with each member of the body, by its path. */
  get fields() {
    return this.details?.fields ?? {};
  }
}

/** Returns the problem that an error response states; `body` is its parsed JSON, or null. */
export function fromResponse(status, body, retryAfter) {
  const error = body?.error ?? body ?? {};
  const seconds = Number.parseInt(retryAfter ?? '', 10);
  return new Problem({
    status,
    code: error.code ?? '',
    message: typeof error.message === 'string' ? error.message : '',
    details: error.details ?? null,
    requestId: error.requestId ?? null,
    wait: Number.isFinite(seconds) && seconds > 0 ? seconds : 0,
  });
}

/** Returns the problem of a request that got no answer. */
export function noAnswer(error, isOnline) {
  if (error?.name === 'TimeoutError') return new Problem({ status: 0, code: 'NO_ANSWER' });
  return new Problem({ status: 0, code: isOnline ? 'NO_CONNECTION' : 'OFFLINE' });
}

const HEADINGS = () => ({
  OFFLINE: [t('problems.youAreOffline'), t('problems.whatYouTypedIsStillHere')],
  NO_CONNECTION: [t('problems.theServiceCouldNotBeReached'), t('problems.checkYourConnectionThenTryAgain')],
  NO_ANSWER: [t('problems.theServiceDidNotAnswerIn'), t('problems.tryAgain')],
  ACCOUNT_SUSPENDED: [t('problems.yourAccountIsSuspended'), t('problems.askTheOperatorOfThisService')],
  ACCOUNT_INACTIVE: [t('problems.yourAccountIsInactive'), t('problems.askTheOperatorOfThisService')],
  FRESH_SESSION_REQUIRED: [t('problems.signInAgain'), t('problems.thenRepeatThis')],
  NOT_OUR_FILE: [t('problems.thisIsNotTheSealedFile'), t('problems.signTheSealedFileAsItIs')],
  BILLING_RESTRICTED: [t('problems.thisBoardCannotBeChangedAt'), t('problems.itsSubscriptionHasEndedYouCan')],
});

const BY_STATUS = () => ({
  401: [t('problems.yourSignInHasEnded'), t('problems.signInAgainThenTryAgain')],
  403: [t('problems.youAreNotAllowedToDo'), ''],
  404: [t('problems.thisDoesNotExistOrYou'), ''],
  409: [t('problems.thisCannotBeDoneNow'), ''],
  412: [t('problems.somebodyElseChangedThisInThe'), t('problems.nothingWasSavedLoadTheirVersion')],
  429: [t('problems.tooManyRequests'), ''],
  503: [t('problems.theServiceIsBusy'), t('problems.nothingWasChangedTryAgainIn')],
});

const REASONS = () => ({
  SLOT_VOTES_CLOSED: t('problems.votingOnThisTimeIsClosed'),
  SLOT_IS_PROMOTED: t('problems.theMeetingIsBookedForThis'),
  SLOT_START_IN_PAST: t('problems.thisTimeHasPassed'),
  MEETING_FINALIZED: t('problems.theMeetingIsFinalizedAndCan'),
  MEETING_IS_DRAFT: t('problems.openTheDraftFirstGuestsCannot'),
  REPORT_FINALIZED: t('problems.theReportIsFinalizedAndCan'),
  INVALID_TRANSITION: t('problems.theStatusCannotChangeToThis'),
  LIMIT_REACHED: t('problems.theLimitIsReached'),
  OWNER_ROLE: t('problems.onlyTheOwnerCanChangeThis'),
  OWNER_CANNOT_LEAVE: t('problems.theOwnerCannotLeaveTransferThe'),
  NOT_NEEDED: t('problems.theMemberHasTheRightAlready'),
  FILE_IS_SCANNED: t('problems.theFileIsBeingScanned'),
  FILE_REJECTED: t('problems.theScanHasNotLetTheFilePass'),
  MIXED_READERS: t('problems.thePapersBelongToTwoCommittees'),
  UPLOAD_INCOMPLETE: t('problems.theFileHasNotArrivedAs'),
  ADDRESS_IN_USE: t('problems.somebodyHasThisAddress'),
  SCRUBBED: t('problems.theirDataWasRemoved'),
  MERGED: t('problems.theyAreAMemberNow'),
  DECIDED: t('problems.thePaperIsDecidedOn'),
  IN_MINUTES: t('problems.theItemIsInTheMinutes'),
  IN_USE: t('problems.aDecisionOnItIsOpen'),
  NOT_CIRCULATED: t('problems.theMinutesWereNeverCirculated'),
  REMARKS_CLOSED: t('problems.remarksAreNoLongerWelcome'),
  REMARK_DISPOSED: t('problems.itWasDecidedAboutTheRemark'),
  REMARKS_OPEN: t('problems.remarksWaitForADecision'),
  MINUTES_CHANGED: t('problems.theMinutesHaveChanged'),
  NOT_APPROVED: t('problems.theMinutesAreNotApproved'),
  IN_CAMERA: t('problems.anItemInCameraTakesNoPapers'),
  ALREADY_SIGNED: t('problems.youHaveSignedAlready'),
  MINUTES_APPROVED: t('problems.theMinutesAreApproved'),
  NO_SERIES: t('problems.noMeetingOfTheSeriesIsLeft'),
  OCCURRENCE_OPENED: t('problems.itIsAMeetingByNow'),
  OCCURRENCE_CANCELLED: t('problems.itDoesNotTakePlace'),
  COMMITTEE_IN_USE: t('problems.theCommitteeStillHasDocumentsMove'),
});

/** Returns a heading and a sentence for a problem; the server's own words where it said any. */
export function inWords(problem) {
  const known = HEADINGS()[problem.code] ?? BY_STATUS()[problem.status];
  if (problem.status === 400) return { heading: incorrect(problem), text: '' };
  if (!known) return { heading: t('problems.somethingWentWrong'), text: problem.message || t('problems.tryAgainInAMoment') };
  const [heading, advice] = known;
  return { heading, text: detail(problem, advice) };
}

/** What the pages themselves found wrong has no code; what the API did says which fields to correct. */
function incorrect(problem) {
  if (!problem.code && problem.message) return problem.message;
  const others = Object.keys(problem.fields).length - (problem.placed?.length ?? 0);
  return problem.placed?.length && others === 0 ? t('problems.nothingWasSavedCorrectWhatIs') : t('problems.nothingWasSavedPleaseCheckWhat');
}

function detail(problem, advice) {
  if (problem.status === 429) return problem.wait ? t('problems.youCanTryAgainInWaitinwords', { waitInWords: waitInWords(problem.wait) }) : t('problems.tryAgainInAMoment');
  if (problem.status === 409) return REASONS()[problem.details?.reason] ?? problem.message;
  if (problem.details?.requiredScope) return t('problems.yourAccessTokenLacksTheScope', { requiredScope: problem.details.requiredScope });
  return advice || (problem.status === 404 ? '' : problem.message);
}

/** Returns how long to wait: "45 seconds", "12 minutes", "5 hours". */
export function waitInWords(seconds) {
  if (seconds < 90) return t('time.seconds', { number: seconds });
  return seconds < 5400 ? t('time.minutes', { number: Math.ceil(seconds / 60) }) : t('time.hours', { number: Math.ceil(seconds / 3600) });
}

/** Whether doing the same again may succeed. */
export function isRetryable(problem) {
  return [0, 401, 429].includes(problem.status) || problem.status >= 500;
}
