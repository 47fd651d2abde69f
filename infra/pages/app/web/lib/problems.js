// What went wrong, in words for the person in front of the page.

/** A request that did not succeed: an answer of the API, or none at all (`status` 0). */
export class Problem extends Error {
  constructor({ status, code = '', message = '', details = null, requestId = null, wait = 0 }) {
    super(message || code || `Status ${status}`);
    Object.assign(this, { status, code, details, requestId, wait });
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

const HEADINGS = {
  OFFLINE: ['You are offline.', 'What you typed is still here. Try again when you are connected.'],
  NO_CONNECTION: ['The service could not be reached.', 'Check your connection, then try again.'],
  NO_ANSWER: ['The service did not answer in time.', 'Try again.'],
  ACCOUNT_SUSPENDED: ['Your account is suspended.', 'Ask the operator of this service to activate it.'],
  ACCOUNT_INACTIVE: ['Your account is inactive.', 'Ask the operator of this service to activate it.'],
  BILLING_RESTRICTED: ['This board cannot be changed at present.', 'Its subscription has ended. You can still read everything.'],
};

const BY_STATUS = {
  401: ['Your sign-in has ended.', 'Sign in again, then try again. What you typed is still here.'],
  403: ['You are not allowed to do this.', ''],
  404: ['This does not exist, or you may not see it.', ''],
  409: ['This cannot be done now.', ''],
  412: ['Somebody else changed this in the meantime.', 'Nothing was saved. Load their version, then save again; what you typed stays.'],
  429: ['Too many requests.', ''],
  503: ['The service is busy.', 'Nothing was changed. Try again in a moment.'],
};

const REASONS = {
  SLOT_VOTES_CLOSED: 'Voting on this time is closed.',
  SLOT_IS_PROMOTED: 'The meeting is booked for this time. Book another time first.',
  SLOT_START_IN_PAST: 'This time has passed.',
  MEETING_FINALIZED: 'The meeting is finalized and can no longer be changed.',
  MEETING_IS_DRAFT: 'Open the draft first: guests cannot see drafts.',
  REPORT_FINALIZED: 'The report is finalized and can no longer be changed.',
  INVALID_TRANSITION: 'The status cannot change to this one now.',
  LIMIT_REACHED: 'The limit is reached.',
  OWNER_ROLE: 'Only the owner can change this. Transfer the ownership first.',
  OWNER_CANNOT_LEAVE: 'The owner cannot leave. Transfer the ownership first.',
  COMMITTEE_IN_USE: 'The committee still has documents. Move or delete them first.',
};

/** Returns a heading and a sentence for a problem; the server's own words where it said any. */
export function inWords(problem) {
  const known = HEADINGS[problem.code] ?? BY_STATUS[problem.status];
  if (problem.status === 400) return { heading: problem.message || 'Please check what you entered.', text: '' };
  if (!known) return { heading: 'Something went wrong.', text: problem.message || 'Try again in a moment.' };
  const [heading, advice] = known;
  return { heading, text: detail(problem, advice) };
}

function detail(problem, advice) {
  if (problem.status === 429) return problem.wait ? `You can try again in ${seconds(problem.wait)}.` : 'Try again in a moment.';
  if (problem.status === 409) return REASONS[problem.details?.reason] ?? problem.message;
  if (problem.details?.requiredScope) return `Your access token lacks the scope ${problem.details.requiredScope}.`;
  return advice || (problem.status === 404 ? '' : problem.message);
}

function seconds(count) {
  if (count < 90) return count === 1 ? '1 second' : `${count} seconds`;
  return `${Math.ceil(count / 60)} minutes`;
}

/** Whether doing the same again may succeed. */
export function isRetryable(problem) {
  return [0, 401, 429].includes(problem.status) || problem.status >= 500;
}
