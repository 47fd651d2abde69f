// Who attends a meeting: your own answer, and those of all members.

import { Act, Resource } from '../lib/state.js';
import { actProblem, area, avatar, closeAround, disclosure, form, html, nothing, show } from '../lib/ui.js';

const ANSWERS = { accepted: 'I will attend', tentative: 'Maybe', declined: 'I will not attend' };
const GROUPS = { accepted: 'Attending', tentative: 'Maybe', declined: 'Not attending', noAnswer: 'No answer yet' };

export class Rsvps {
  constructor(app, board, params) {
    Object.assign(this, { app, board, params });
    this.list = new Resource(() => app.api.get('listRsvps', { params }), app.update);
    this.answering = new Act(app.update);
    this.commenting = new Act(app.update);
  }

  get #own() {
    return this.list.data?.find(({ userId }) => userId === this.board.userId);
  }

  render(meeting) {
    const mayAnswer = this.board.may('putRsvp', this.params) && meeting.status !== 'finalized';
    return show(this.list, 'the answers', (all) => html`
      ${mayAnswer && this.#own ? this.#buttons(this.#own) : nothing}
      ${Object.entries(GROUPS).map(([status, heading]) => this.#group(heading, all.filter((each) => each.status === status)))}`);
  }

  #buttons(own) {
    const hasAnswered = own.status !== 'noAnswer';
    return html`
      <div class="row" role="group" aria-label="Your answer">
        ${Object.entries(ANSWERS).map(([status, words]) => html`
          <button type="button" aria-pressed=${own.status === status} class="answer ${status}" ?disabled=${this.answering.isBusy} @click=${() => this.#answer(status)}>${words}</button>`)}
        ${hasAnswered ? html`<button type="button" class="plain" ?disabled=${this.answering.isBusy} @click=${() => this.#takeBack()}>Take back</button>` : nothing}
      </div>
      ${actProblem(this.answering)}
      ${hasAnswered ? disclosure(own.comment ? 'Change the comment' : 'Add a comment', this.#commentForm(own)) : nothing}`;
  }

  #commentForm(own) {
    return form({
      act: this.commenting, button: 'Save the comment', keep: true,
      submit: async ({ comment }, target) => {
        this.#put(await this.#send(own.status, comment.trim()));
        closeAround(target);
      },
      content: area('comment', 'Comment', { id: 'rsvp-comment', value: own.comment ?? '', maxlength: 500, rows: 2, hint: 'Everybody on the board can read it.' }),
    });
  }

  #group(heading, found) {
    if (!found.length) return nothing;
    return html`
      <h3>${heading} <span class="soft">${found.length}</span></h3>
      <ul class="people">${found.map(({ userId, comment }) => html`
        <li class="person">${avatar(this.board.nameOf(userId))}<span class="name">${userId === this.board.userId ? 'You' : this.board.nameOf(userId)}${comment ? html`<small>${comment}</small>` : nothing}</span></li>`)}</ul>`;
  }

  /** Shows the answer at once; one that is refused is put back. */
  async #answer(status) {
    const before = this.#own;
    this.#put({ ...before, status });
    const done = await this.answering.run(async () => this.#put(await this.#send(status, before.comment)));
    if (!done) this.#put(before);
  }

  #send(status, comment) {
    return this.app.api.get('putRsvp', { params: this.params, body: { status, comment: comment || null } });
  }

  #takeBack() {
    return this.answering.run(async () => {
      await this.app.api.call('deleteRsvp', { params: this.params });
      this.#put({ ...this.#own, status: 'noAnswer', comment: null, updatedAt: null });
    });
  }

  #put(entry) {
    this.list.set(this.list.data.map((each) => (each.userId === entry.userId ? entry : each)));
  }
}
