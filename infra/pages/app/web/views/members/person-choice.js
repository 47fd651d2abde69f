// Choosing a person: a member, or somebody of the board without an account. Whoever is named otherwise stays as they are called.

import { html, longest, nothing } from '../../lib/ui.js';
import { personName } from '../../lib/words.js';
import { t } from '../../lib/texts.js';

/** Stands for somebody who is on no list of the board: their name is typed. */
export const ELSE = 'else';

/** Returns the value of a choice for a person: `{userId}`, `{unregisteredUserId}`, `{name}`, or nobody. */
export function valueOf({ userId = null, unregisteredUserId = null, name = null }) {
  if (userId) return `member ${userId}`;
  if (unregisteredUserId) return `person ${unregisteredUserId}`;
  return name ? `name ${name}` : '';
}

/** Returns the person of a value: `{userId, unregisteredUserId, name}`, of which at most one is not null. */
export function personOf(value) {
  const [kind, rest] = [value.split(' ', 1)[0], value.slice(value.indexOf(' ') + 1)];
  return { userId: kind === 'member' ? rest : null, unregisteredUserId: kind === 'person' ? rest : null, name: kind === 'name' ? rest : null };
}

/**
 * The options of a choice: nobody, the members, the board's people without an account, whoever is chosen
 * already, and somebody else where a name can be typed (`isElse` says whether one is). `nobody` are the words for nobody.
 */
export function personOptions(board, chosen, { isElse = null, nobody = t('meetingItems.nobody') } = {}) {
  const value = isElse ? ELSE : valueOf(chosen);
  const option = (each, words) => html`<option value=${each} ?selected=${each === value}>${words}</option>`;
  const members = board.members.items.map((member) => [valueOf(member), personName(member)]);
  const people = board.current.map((each) => [valueOf({ unregisteredUserId: each.id }), each.bounce ? t('personChoice.mailComesBack', { name: each.fullName }) : each.fullName]);
  const isOther = value && !isElse && ![...members, ...people].some(([each]) => each === value);
  const group = (words, options) => (options.length ? html`<optgroup label=${words}>${options.map(([each, name]) => option(each, name))}</optgroup>` : nothing);
  return html`
    ${option('', nobody)}${isOther ? option(value, chosen.userId ? board.nameOf(chosen.userId) : (chosen.name ?? t('common.aFormerMember'))) : nothing}
    ${group(t('common.members'), members)}${group(t('people.withoutAnAccount'), people)}${isElse === null ? nothing : option(ELSE, t('personChoice.somebodyElse'))}`;
}

/**
 * A labelled choice of a person, under `name` in a form; of somebody else the name is typed, under `typed`. `of` limits its length
 * (see `longest`). `onChange` is called with the value, and `onInput` with a typed name.
 */
export function personChoice(board, words, chosen, { id, name = nothing, typed, of, isElse = false, onChange = nothing, onInput = nothing }) {
  const label = `${id}-name`;
  return html`
    <div class="person-choice">
      <div class="field"><label for=${id}>${words}</label>
        <select id=${id} name=${name} @change=${onChange === nothing ? nothing : ({ target }) => onChange(target.value)}>${personOptions(board, chosen, { isElse })}</select></div>
      <div class="field else"><label for=${label}>${t('personChoice.theirName')}</label>
        <input id=${label} name=${name === nothing ? nothing : typed} maxlength=${longest(of, typed)} .defaultValue=${isElse ? chosen.name ?? '' : ''} @input=${onInput === nothing ? nothing : ({ target }) => onInput(target.value)}></div>
    </div>`;
}
