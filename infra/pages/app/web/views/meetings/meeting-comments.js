// What members say beside their answers to the proposed times of a meeting.

import { Act } from '../../lib/state.js';
import { area, choice, closeAround, disclosure, form, html, nothing } from '../../lib/ui.js';
import { label } from '../../lib/words.js';
import { when } from './slot-words.js';
import { t } from '../../lib/texts.js';

export class SlotComments {
  /** @param {import('./meeting-grid.js').VotingGrid} grid */
  constructor(grid) {
    this.grid = grid;
    this.saving = new Act(grid.app.update);
  }

  render(slots) {
    const said = slots.flatMap((slot) => slot.feedbacks.filter(({ comment }) => comment).map((each) => ({ slot, ...each })));
    if (!said.length) return nothing;
    return html`<h3>${t('meetingComments.comments')}</h3><ul class="comments">${said.map((each) => html`<li><b>${this.grid.name(each)}</b> <span class="soft">${t('meetingComments.onWhen', { when: when(each.slot) })}</span><br>${each.comment}</li>`)}</ul>`;
  }

  /** A form for a comment on one of the caller's own answers. */
  form(slots) {
    const { grid } = this;
    const voted = slots.filter((slot) => grid.mayVoteOn(slot) && (grid.mine(slot)?.vote ?? 'didNotVote') !== 'didNotVote');
    if (!voted.length) return nothing;
    return disclosure(t('meetingComments.commentOnAnAnswer'), form({
      act: this.saving, button: t('common.saveTheComment'),
      submit: async ({ slotId, comment }, target) => {
        const { vote } = grid.mine(grid.slot(slotId));
        const body = comment.trim() ? { vote, comment: comment.trim() } : { vote };
        grid.put(await grid.app.api.get('voteOnSlot', { params: { ...grid.params, slotId }, body }));
        closeAround(target);
      },
      content: html`${choice('slotId', t('meetingComments.yourAnswerFor'), voted.map((slot) => [slot.id, `${when(slot)}: ${label(grid.mine(slot).vote)}`]))}
        ${area('comment', t('common.comment'), { of: 'voteOnSlot', hint: t('meetingComments.everybodyOnTheBoardCanRead') })}`,
    }));
  }
}
