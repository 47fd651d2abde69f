// What waits for the caller on one board: votes, answers, and its next meeting with what it needs.

import { timeNow } from '../../lib/clock.js';
import { awaitsAnswers, waitsForVote } from '../../lib/ranking.js';
import { missingOf, takesVotes, targetsOf } from '../../lib/resolutions.js';
import { Resource } from '../../lib/state.js';

const MOST = 5; // meetings of each kind that are looked into
const HALF_DAY_MS = 43_200_000;

export class BoardForYou {
  constructor(app, board) {
    Object.assign(this, { app, board });
    this.resource = new Resource(() => this.#read(), app.update);
  }

  get #userId() {
    return this.app.caller.data?.userId;
  }

  /** @param {'listMeetings' | 'listResolutions' | 'listDocuments' | 'listSlots' | 'listRsvps'} name @returns {Promise<any>} */
  #page(name, meeting, query = { limit: 100 }) {
    const params = { boardId: this.board.id, ...(meeting ? { meetingId: meeting.id } : {}) };
    return this.app.api.page(name, { params, query }).then(({ items }) => items);
  }

  async #read() {
    const [undated, soon, resolutions] = await Promise.all([
      this.#page('listMeetings', null, { status: 'scheduled', cancelled: 'false', sort: 'startTime', order: 'asc', limit: 20 }),
      this.#page('listMeetings', null, { startAfter: new Date(timeNow() - HALF_DAY_MS).toISOString(), cancelled: 'false', sort: 'startTime', order: 'asc', limit: 20 }),
      this.#page('listResolutions', null, { status: 'open', limit: 20 }),
    ]);
    const open = undated.filter(({ startTime }) => !startTime).slice(0, MOST);
    const ahead = soon.filter(isAhead).slice(0, MOST);
    const [votes, answers, papers, ballots] = await Promise.all([
      Promise.all(open.map((meeting) => this.#vote(meeting))),
      Promise.all(ahead.filter((meeting) => awaitsAnswers(meeting)).map((meeting) => this.#answer(meeting))),
      ahead.length ? this.#page('listDocuments', null, { meetingId: ahead[0].id, limit: 100 }) : [],
      Promise.all(resolutions.filter((each) => takesVotes(each) && targetsOf(each, this.#userId).length).map((resolution) => this.#ballot(resolution))),
    ]);
    return { ballots: ballots.filter(Boolean), votes: votes.filter(Boolean), answers: answers.filter(Boolean), next: ahead[0] ? { meeting: ahead[0], papers: papers.length } : null };
  }

  /** The meeting with its deadline, where the caller has not voted and still can. */
  async #vote(meeting) {
    const slots = await this.#page('listSlots', meeting, {});
    if (!waitsForVote(slots, this.#userId)) return null;
    const params = { boardId: this.board.id, meetingId: meeting.id };
    const poll = await this.app.api.get('getMeetingPoll', { params, isShared: true }).catch(() => null);
    return poll?.status === 'closed' ? null : { meeting, closesAt: poll?.closesAt ?? null, times: slots.length };
  }

  /** The resolution, where a vote is missing that the caller may cast: their own, or that of somebody who gave them their proxy. */
  async #ballot(resolution) {
    const params = { boardId: this.board.id, resolutionId: resolution.id };
    const { items } = await this.app.api.page('listBallots', { params, query: { limit: 100 } });
    const missing = missingOf(resolution, items);
    return targetsOf(resolution, this.#userId).some((each) => missing.includes(each)) ? { resolution } : null;
  }

  /** The meeting, where the caller has not said whether they will come. */
  async #answer(meeting) {
    const rsvps = await this.#page('listRsvps', meeting);
    return rsvps.find(({ userId }) => userId === this.#userId)?.status === 'noAnswer' ? { meeting } : null;
  }
}

function isAhead({ status, startTime, endTime }) {
  return ['scheduled', 'in_progress'].includes(status) && Date.parse(endTime ?? startTime) > timeNow();
}
