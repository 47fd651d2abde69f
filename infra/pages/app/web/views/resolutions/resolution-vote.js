// One's own ballot on a resolution, and those that one casts for others: a choice, and one press to cast it.

import { LIMITS } from '../../lib/openapi.js';
import { CHOICES, padding, takesVotes, targetsOf } from '../../lib/resolutions.js';
import { choiceWords } from '../../lib/resolution-words.js';
import { Act } from '../../lib/state.js';
import { actProblem, html, nothing } from '../../lib/ui.js';
import { titled } from '../../lib/words.js';
import { t } from '../../lib/texts.js';

export class BallotBox {
  /**
   * `ballots` returns those that are known; `cast` is called once one was taken or taken back. `asked` are the parameters by
   * which the view has asked what the caller may do.
   */
  constructor(app, board, params, { ballots, cast, asked = params }) {
    Object.assign(this, { app, board, params, ballots, changed: cast, asked });
    this.casting = new Act(app.update);
    this.picked = null;
    this.own = new Map();
    this.actions = [['putBallot', asked]];
  }

  /** What is known of the ballot for somebody: one's own answers say the choice of a secret one; null: it was taken back. */
  #ballotOf(userId) {
    return this.own.has(userId) ? this.own.get(userId) : this.ballots().find((ballot) => ballot.userId === userId);
  }

  /** The people whom one can still vote for. */
  waiting(resolution) {
    if (!takesVotes(resolution) || !this.board.may('putBallot', this.asked)) return [];
    return targetsOf(resolution, this.board.userId).filter(({ userId }) => !this.#ballotOf(userId));
  }

  /** Shows what there is to vote for, one after the other; the first of them stays in view on a phone. */
  render(resolution, { isBar = true } = {}) {
    if (!takesVotes(resolution) || !this.board.may('putBallot', this.asked)) return nothing;
    const all = targetsOf(resolution, this.board.userId);
    if (!all.length) return nothing;
    const [next] = this.picked ? all.filter(({ userId }) => userId === this.picked.userId) : this.waiting(resolution);
    return html`
      ${next ? html`<div class="ballot ${isBar ? 'bar' : ''}">${this.#ask(resolution, next, all.length > 1)}</div>` : nothing}
      ${all.filter((each) => each !== next && this.#ballotOf(each.userId)).map((each) => this.#done(resolution, each))}
      ${next ? nothing : actProblem(this.casting)}`;
  }

  #nameOf(userId) {
    return userId === this.board.userId ? t('resolution.yourself') : this.board.nameOf(userId);
  }

  #ask(resolution, { userId }, isOneOfMany) {
    const choice = this.picked?.choice;
    const heading = isOneOfMany || userId !== this.board.userId ? t('resolution.yourVoteForName', { name: this.#nameOf(userId) }) : t('resolution.yourVote');
    return html`
      <p class="ballot-on ${isOneOfMany ? '' : 'once'}"><b>${heading}</b> <span class="soft">${titled(resolution)}</span></p>
      <div class="choices-row" role="group" aria-label=${heading}>
        ${CHOICES.map((each) => html`<button type="button" class="choice ${each}" aria-pressed=${choice === each} @click=${() => this.#pick(userId, each)}>${choiceWords(each)}</button>`)}
      </div>
      ${choice ? this.#confirm(resolution, userId, choice) : nothing}
      ${actProblem(this.casting)}`;
  }

  #confirm({ ballots }, userId, choice) {
    return html`
      <p class="soft small">${ballots === 'secret' ? t('resolution.aSecretBallotStands') : t('resolution.itCanBeChangedUntil')}</p>
      <div class="row">
        <button type="button" class="primary" id="ballot-cast" ?disabled=${this.casting.isBusy} @click=${() => this.#cast(userId, choice, ballots === 'named')}>${t('resolution.castChoice', { choice: choiceWords(choice) })}</button>
        <button type="button" class="plain" @click=${() => this.#set({ picked: null })}>${this.#ballotOf(userId) ? t('resolution.keepTheVote') : t('ui.notNow')}</button>
      </div>
      ${ballots === 'secret' ? nothing : html`<details class="ballot-comment" ?open=${Boolean(this.picked.comment)}><summary>${t('common.addAComment')}</summary>
        <textarea rows="2" aria-label=${t('common.comment')} maxlength=${LIMITS.putBallot.comment} .value=${this.picked.comment ?? ''} @input=${({ target }) => { this.picked.comment = target.value; }}></textarea></details>`}`;
  }

  #set(values) {
    Object.assign(this, values);
    this.app.update();
  }

  #pick(userId, choice) {
    const comment = this.picked?.comment ?? this.#ballotOf(userId)?.comment ?? '';
    this.#set({ picked: { userId, choice, comment } });
  }

  #forWhom(userId) {
    return userId === this.board.userId ? {} : { forUserId: userId };
  }

  #cast(userId, choice, isListed) {
    return this.casting.run(async () => {
      const comment = this.picked.comment?.trim();
      const body = { choice, ...this.#forWhom(userId), ...(comment ? { comment } : {}) };
      this.own.set(userId, await this.app.api.get('putBallot', { params: this.params, body, padding: padding(choice) }));
      this.picked = null;
      this.app.say(t('resolution.yourVoteIsCast'));
      this.#follow(userId, isListed);
    });
  }

  /** Reads what is so now; until then, and for good where the list does not say it, one's own answer is shown. */
  async #follow(userId, isListed) {
    const known = this.own.get(userId);
    await this.changed();
    if (isListed && this.own.get(userId) === known) this.own.delete(userId);
    this.app.update();
  }

  #takeBack(userId) {
    return this.casting.run(async () => {
      await this.app.api.call('deleteBallot', { params: this.params, query: this.#forWhom(userId) });
      this.own.set(userId, null);
      this.#follow(userId, true);
    });
  }

  #done({ ballots }, { userId }) {
    const { choice, castByUserId } = this.#ballotOf(userId);
    const isTheirs = userId !== this.board.userId && castByUserId === userId;
    const by = castByUserId && castByUserId !== this.board.userId && castByUserId !== userId ? this.board.nameOf(castByUserId) : '';
    const who = userId === this.board.userId ? '' : this.board.nameOf(userId);
    const said = choice ? t('resolution.voteIsChoice', { choice: html`<b>${choiceWords(choice)}</b>` }) : t('resolution.voteIsCast');
    return html`
      <div class="row ballot-done"><span>${who ? html`${who}: ` : nothing}${said}${by ? html` <span class="soft">${t('resolution.castByName', { name: by })}</span>` : nothing}</span>
        ${ballots === 'secret' || isTheirs ? nothing : html`
          <button type="button" class="small" ?disabled=${this.casting.isBusy} @click=${() => this.#set({ picked: { userId, choice, comment: this.#ballotOf(userId).comment ?? '' } })}>${t('resolution.change')}</button>
          <button type="button" class="small plain" ?disabled=${this.casting.isBusy} @click=${() => this.#takeBack(userId)}>${t('common.takeBack')}</button>`}</div>`;
  }
}
