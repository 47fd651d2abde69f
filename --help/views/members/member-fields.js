// What a member may do and which positions they have: chosen in the same words for an invite and for a member.

import { VALUES } from '../../lib/openapi.js';
import { checks, html } from '../../lib/ui.js';
import { access, position } from '../../lib/words.js';
import { t } from '../../lib/texts.js';

const { accessType: ACCESS, boardPositions: POSITIONS } = VALUES.createInvite;

/** The choice of an access; only who may name managers is offered that. */
export function accessChoice(value, mayNameManagers, legend = t('invites.theyMay')) {
  const offered = ACCESS.filter((each) => each !== 'manager' || mayNameManagers || value === 'manager');
  return html`
    <fieldset class="options"><legend>${legend}</legend>${offered.map((each) => html`
      <label><input type="radio" name="accessType" value=${each} required ?checked=${each === value}> <span><b>${access(each)}</b><small>${access(each, 'text')}</small></span></label>`)}
      <p class="field-error"></p></fieldset>`;
}

/** The positions to choose from, and those that a member has beside them. */
export function positionChoice(chosen) {
  const all = [...POSITIONS, ...chosen.filter((each) => !POSITIONS.includes(each))];
  const named = all.map((each) => [each, position(each)]).sort(([, one], [, other]) => one.localeCompare(other));
  return checks('boardPositions', t('common.positions'), named, chosen);
}
