
import { VALUES } from '../lib/openapi.js';
import { checks, html } from '../lib/ui.js';
import { access, position } from '../lib/words.js';
import { t } from '../lib/texts.js';

const { accessType: ACCESS, boardPositions: POSITIONS } = VALUES.createInvite;

export function accessChoice(value, mayNameManagers, legend = t('invites.theyMay')) {
  const offered = ACCESS.filter((each) => each !== 'manager' || mayNameManagers || value === 'manager');
  return html`
    <fieldset class="options"><legend>${legend}</legend>${offered.map((each) => html`
      <label><input type="radio" name="accessType" value=${each} required ?checked=${each === value}> <span><b>${access(each)}</b><small>${access(each, 'text')}</small></span></label>`)}
      <p class="field-error"></p></fieldset>`;
}

export function positionChoice(chosen) {
  const all = [...POSITIONS, ...chosen.filter((each) => !POSITIONS.includes(each))];
  const named = all.map((each) => [each, position(each)]).sort(([, one], [, other]) => one.localeCompare(other));
  return checks('boardPositions', t('common.positions'), named, chosen);
}
