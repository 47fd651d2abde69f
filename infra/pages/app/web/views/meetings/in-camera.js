// What is in camera: which members an item is for, and what others read in its place.

import { html, nothing, pill } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';

/** Says that an item is in camera, and for whom; `item` has an audience if the reader is in it. */
export function inCameraNote(board, { audience }) {
  if (!audience) return nothing;
  return html`<p>${pill(t('inCamera.inCamera'), 'warn')} <span class="soft">${t('inCamera.forThese', { names: audience.userIds.map((id) => board.nameOf(id)).join(', ') })}</span></p>`;
}

/**
 * The choice of managers whom an item is for: with nobody chosen, for all. `change` takes the audience, null for none.
 * @param {any} audience
 * @param {(audience: any) => void} change
 */
export function audienceChoice(board, audience, id, change) {
  if (!board.isManager) return nothing;
  const chosen = new Set(audience?.userIds);
  const choose = (userId) => ({ target }) => {
    const others = [...chosen].filter((each) => each !== userId && each !== board.userId);
    const ids = target.checked ? [...others, userId] : others;
    const isOpened = userId === board.userId ? !target.checked : !ids.length;
    change(isOpened ? null : { userIds: [board.userId, ...ids.filter((each) => each !== board.userId)] });
  };
  return html`<fieldset class="checks" id="${id}-audience"><legend>${t('inCamera.inCameraFor')}</legend>
    <p class="soft">${t('inCamera.othersSeeThePlace')}</p>
    ${board.members.items.map(({ userId }) => html`
      <label><input type="checkbox" ?checked=${chosen.has(userId)} .checked=${chosen.has(userId)} @change=${choose(userId)}> <span>${board.nameOf(userId)}</span></label>`)}</fieldset>`;
}
