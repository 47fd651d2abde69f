// Opening, closing and withdrawing a vote, and deleting a draft.

import { timeNow } from '../../lib/clock.js';
import { deadline } from '../../lib/resolution-words.js';
import { missingOf, takesVotes } from '../../lib/resolutions.js';
import { addDays } from '../../lib/times.js';
import { fromWall, ownZone, toWall, today, zoneName } from '../../lib/dates.js';
import { Problem } from '../../lib/problems.js';
import { Act } from '../../lib/state.js';
import { area, closeAround, confirmButton, disclosure, field, form, html, menu, nameList, nothing } from '../../lib/ui.js';
import { instantOf } from '../meetings/meeting-form.js';
import { t } from '../../lib/texts.js';

const USUAL_DAYS = 7;
const USUAL_TIME = 'T18:00';

export class ResolutionActs {
  /** `changed` takes the resolution as it is after an act; `deleted` is called once a draft is gone; `asked` as in `BallotBox`. */
  constructor(app, board, params, { changed, deleted = () => {}, asked = params }) {
    Object.assign(this, { app, board, params, changed, deleted, asked });
    this.end = null;
    for (const name of ['opening', 'closing', 'withdrawing', 'deleting']) this[name] = new Act(app.update);
    this.actions = ['openResolution', 'closeResolution', 'withdrawResolution', 'updateResolution', 'deleteResolution'].map((name) => [name, asked]);
  }

  may(name) {
    return this.board.may(name, this.asked);
  }

  /** @param {'updateResolution' | 'openResolution' | 'closeResolution' | 'withdrawResolution'} name @param {any} [body] */
  #post(name, body) {
    return this.app.api.get(name, { params: this.params, body });
  }

  /** Opens the vote by a form that says what will be counted until then: `sentence(closesAt)`. It asks for the end. */
  open(draft, sentence) {
    if (!this.may('openResolution')) return nothing;
    const closesAt = draft.closesAt && Date.parse(draft.closesAt) > timeNow() ? draft.closesAt : fromWall(`${addDays(today(), USUAL_DAYS)}${USUAL_TIME}`);
    const typed = ({ target }) => { this.end = fromWall(target.value); this.app.update(); };
    return disclosure(t('resolution.openTheVote'), form({
      act: this.opening, button: t('resolution.openTheVote'), keep: true,
      submit: async (values) => {
        const wanted = instantOf(values.closesAt, closesAt);
        if (!wanted) throw new Problem({ status: 400, message: t('resolution.sayUntilWhen') });
        if (wanted !== draft.closesAt) await this.#post('updateResolution', { closesAt: wanted });
        this.changed(await this.#post('openResolution'));
        this.app.say(t('resolution.theVoteIsOpen'));
      },
      content: html`
        ${sentence(this.end ?? closesAt)}
        <div @input=${typed}>${field('closesAt', t('resolution.voteUntil'), { id: 'resolution-closes', type: 'datetime-local', value: toWall(closesAt), required: true, hint: zoneName(ownZone()) })}</div>
        <p class="soft">${t('resolution.theTextIsFixed')} ${t('resolution.votersAreTold')}</p>`,
    }), { id: 'open-vote' });
  }

  /** Opens the vote in a meeting that is running: at once, until it is closed. `isNext`: it is what comes next. */
  openNow(draft, sentence, isNext) {
    if (!this.may('openResolution')) return nothing;
    return confirmButton({
      act: this.opening, text: t('resolution.voteNow'), yes: t('resolution.voteNow'), tone: isNext ? 'primary' : '', of: t('resolution.voteNowOnTitle', { title: draft.title }),
      question: html`${sentence}<p>${t('resolution.theTextIsFixed')}</p>`,
      run: () => this.opening.run(async () => {
        if (draft.closesAt) await this.#post('updateResolution', { closesAt: null });
        this.changed(await this.#post('openResolution'));
      }),
    });
  }

  /** Closes the vote; `ballots` are those that are known. `of` names the button where there are several. */
  close(resolution, ballots, of = nothing) {
    if (!takesVotes(resolution) || !this.may('closeResolution')) return nothing;
    const absent = resolution.ballots === 'hidden' ? [] : missingOf(resolution, ballots);
    const missing = absent.length;
    const isEarly = Date.parse(resolution.closesAt) > timeNow();
    return confirmButton({
      act: this.closing, text: t('resolution.closeTheVote'), yes: t('resolution.closeTheVote'), tone: missing ? '' : 'primary', of,
      keep: t('resolution.leaveItOpen'),
      question: html`${isEarly ? html`<p><b>${t('resolution.itWasAnnouncedUntil', { when: deadline(resolution.closesAt) })}</b></p>` : nothing}
        <p>${missing ? html`${t('resolution.soManyHaveNotVoted', { number: missing })} ${nameList(absent.map(({ userId }) => this.board.nameOf(userId)))}` : t('resolution.allHaveVotedOrMay')}</p><p>${t('resolution.theOutcomeIsFinal')}</p>`,
      run: () => this.closing.run(async () => this.changed(await this.#post('closeResolution'))),
    });
  }

  more(resolution) {
    const isDraft = resolution.status === 'draft';
    if (isDraft ? !this.may('deleteResolution') : !takesVotes(resolution) || !this.may('withdrawResolution')) return nothing;
    return menu(resolution.title, isDraft ? this.#delete() : this.#withdraw());
  }

  #withdraw() {
    return disclosure(t('resolution.withdraw'), form({
      act: this.withdrawing, button: t('resolution.withdraw'),
      submit: async ({ reason }, target) => {
        this.changed(await this.#post('withdrawResolution', { reason }));
        closeAround(target);
      },
      content: html`<p>${t('resolution.nothingIsCountedThen')}</p>${area('reason', t('resolution.reason'), { id: 'withdrawal-reason', of: 'withdrawResolution', isRequired: true, rows: 2 })}`,
    }));
  }

  #delete() {
    return confirmButton({
      act: this.deleting, text: t('common.delete'), yes: t('resolution.deleteTheDraft'), question: t('resolution.theDraftIsDeleted'),
      run: () => this.deleting.run(async () => {
        await this.app.api.call('deleteResolution', { params: this.params });
        this.deleted();
      }),
    });
  }
}
