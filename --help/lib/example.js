// The example of the root page: a board that looks for a time, with what the API would answer. Nothing of it leaves the page.

import { timeNow } from './clock.js';
import { Problem } from './problems.js';
import { withVote } from './ranking.js';
import { t } from './texts.js';

const DAY_MS = 86_400_000;
const PEOPLE = [['you', '', ''], ['ana', 'Ana', 'Silva'], ['ben', 'Ben', 'Okafor'], ['chen', 'Chen', 'Wei'], ['dana', 'Dana', 'Novak'], ['emil', 'Emil', 'Berg']];
// The votes of the others on each time: yes, if need be, no, or none yet.
const TIMES = [
  { in: 16, hour: 9, votes: 'yyn-m' },
  { in: 16, hour: 14, votes: 'yyymn' },
  { in: 18, hour: 10, votes: 'yyy-m' },
  { in: 21, hour: 16, votes: 'ynnym' },
];
const VOTES = { y: 'ok', m: 'challenging', n: 'cant', '-': 'didNotVote' };

/** Returns the members of the example board, the visitor first. */
export function exampleMembers() {
  return PEOPLE.map(([userId, firstName, lastName]) => ({ id: userId, userId, firstName: firstName || t('common.you'), lastName, adminRole: 'member', accessType: 'collaborator' }));
}

/** Returns the example meeting and its times; nobody's vote is the visitor's. */
export function exampleMeeting(now = timeNow()) {
  const meeting = { id: 'example', title: t('example.springBoardMeeting'), status: 'scheduled', startTime: null, endTime: null };
  const slots = TIMES.map(({ in: days, hour, votes }, index) => {
    const start = new Date(Math.ceil(now / DAY_MS) * DAY_MS + days * DAY_MS + hour * 3_600_000).toISOString();
    const feedbacks = PEOPLE.map(([userId], at) => ({ userId, email: null, isGuest: false, vote: at ? VOTES[votes[at - 1]] : 'didNotVote', comment: null }));
    return { id: `time-${index}`, startTime: start, durationInMinutes: 90, timezone: null, feedbacks };
  });
  return { meeting, slots };
}

/** What the grid asks of the API, answered by the page: votes and the booking. */
export class ExampleApi {
  constructor(slots, meeting) {
    Object.assign(this, { slots, meeting });
  }

  async get(name, { params, body } = {}) {
    if (name === 'voteOnSlot') return this.#vote(params.slotId, body);
    throw new Problem({ status: 404 });
  }

  async call(name, { params } = {}) {
    if (name !== 'confirmSlot') throw new Problem({ status: 404 });
    const { startTime, durationInMinutes } = this.#slot(params.slotId);
    const endTime = new Date(Date.parse(startTime) + durationInMinutes * 60_000).toISOString();
    this.meeting = { ...this.meeting, startTime, endTime };
    return { data: this.meeting };
  }

  #slot(slotId) {
    return this.slots.find(({ id }) => id === slotId);
  }

  #vote(slotId, { vote, comment = null }) {
    const changed = withVote(this.#slot(slotId), 'you', vote, comment);
    this.slots = this.slots.map((each) => (each.id === slotId ? changed : each));
    return changed;
  }
}
