// Who is there, noted in the minutes: the members, and people without an account.

import { noteAll, noteOther, notePresence, presenceOf } from '../../lib/minutes-draft.js';
import { LIMITS } from '../../lib/openapi.js';
import { readPeople } from '../../lib/people.js';
import { Act } from '../../lib/state.js';
import { actProblem, html, live, nothing } from '../../lib/ui.js';
import { chairFirst } from '../../lib/seats.js';
import { personName } from '../../lib/words.js';
import { t } from '../../lib/texts.js';

export const PRESENT = () => [['', '–'], ['in_person', t('meetingMinutes.inPerson')], ['remote', t('meetingMinutes.remote')], ['absent', t('meetingMinutes.absent')]];

export class Attendance {
  /** `change` is called with a function that changes the draft. */
  constructor(app, board, change) {
    Object.assign(this, { app, board, change, typed: '' });
    this.adding = new Act(app.update);
    board.unregistered;
    this.actions = [['createUnregisteredUser', { boardId: board.id }]];
  }

  get #mayAdd() {
    return this.board.may('createUnregisteredUser');
  }

  render(draft) {
    const members = chairFirst(this.board.members.items);
    const isNoted = members.every(({ userId }) => presenceOf(draft, userId));
    return html`
      <details class="attendance" ?open=${!isNoted}><summary><b>${t('meetingMinutes.whoIsThere')}</b> <span class="soft">${t('meetingMinutes.notedOf', { noted: draft.attendance.filter(({ present }) => present !== 'absent').length, members: members.length })}</span></summary>
        ${isNoted ? nothing : html`<p><button type="button" class="small" @click=${() => this.change((now) => noteAll(now, members.map(({ userId }) => userId), 'in_person'))}>${t('meetingMinutes.allAreThere')}</button></p>`}
        <div class="attendance-list">${members.map((member) => presence(`present-${member.userId}`, personName(member), presenceOf(draft, member.userId), (value) => notePresence(draft, member.userId, value)))}
        ${this.#others(draft).map((each, index) => presence(`present-${each.unregisteredUserId ?? `name-${index}`}`, each.name, each.present, (value) => noteOther(draft, each, value)))}</div>
        <div class="row"><label for="present-new" class="grow">${this.#mayAdd ? t('meetingMinutes.addSomebodyWithoutAnAccount') : t('meetingMinutes.somebodyWithoutAnAccount')}</label>
          <input id="present-new" maxlength=${LIMITS.putMinutes['attendance.name']} .value=${live(this.typed)} @input=${(event) => this.#type(event)} @change=${(event) => event.stopPropagation()}>
          <button type="button" class="small" ?disabled=${this.adding.isBusy} @click=${() => this.#add()}>${t('common.add')}</button></div>
        ${actProblem(this.adding)}
      </details>`;
  }

  /** Those without an account who can attend or are noted, and those who are noted by their names alone. */
  #others(draft) {
    const noted = draft.attendance.filter(({ userId }) => !userId);
    const entryOf = (id) => noted.find(({ unregisteredUserId }) => unregisteredUserId === id);
    const listed = this.board.unregistered.items.filter(({ id, status }) => status === 'active' || entryOf(id));
    const people = listed.map(({ id, fullName }) => ({ unregisteredUserId: id, name: fullName, present: entryOf(id)?.present ?? '' }));
    return [...people, ...noted.filter(({ unregisteredUserId }) => !listed.some(({ id }) => id === unregisteredUserId))];
  }

  #type(event) {
    event.stopPropagation();
    this.typed = event.target.value;
  }

  /** Notes somebody new: added to the board's people where the writer may do that, otherwise by their name alone. */
  async #add() {
    const [person] = readPeople(this.typed);
    if (!person) return;
    const done = await this.adding.run(async () => {
      const other = this.#mayAdd ? { unregisteredUserId: (await this.#create(person)).id } : { name: this.typed.trim() };
      this.typed = '';
      this.change((now) => noteOther(now, other, 'in_person'));
    });
    if (done) document.getElementById('present-new')?.focus();
  }

  async #create({ firstName, lastName, email }) {
    const body = { firstName, ...(lastName ? { lastName } : {}), ...(email ? { email } : {}) };
    const made = await this.app.api.get('createUnregisteredUser', { params: { boardId: this.board.id }, body, key: this.adding.keyFor(body) });
    this.board.unregistered.replace([made, ...this.board.unregistered.items]);
    return made;
  }
}

function presence(id, name, present, note) {
  return html`
    <div class="row"><label for=${id}>${name}</label>
      <select id=${id} @change=${(event) => note(event.target.value)}>
        ${PRESENT().map(([value, words]) => html`<option value=${value} ?selected=${value === present}>${words}</option>`)}</select></div>`;
}
