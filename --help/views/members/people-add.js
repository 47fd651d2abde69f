// Adding people without an account, loaded when it is opened: what is pasted is shown as people before anything changes.

import { csv, save } from '../../lib/csv.js';
import { fieldSentence } from '../../lib/field-errors.js';
import { isGarbled, readPeople, textOf, textOfFile } from '../../lib/people.js';
import { Problem, inWords } from '../../lib/problems.js';
import { Act, asProblem } from '../../lib/state.js';
import { area, form, html, nothing } from '../../lib/ui.js';
import { position } from '../../lib/words.js';
import { t } from '../../lib/texts.js';

export class AddPeople {
  constructor(app, board) {
    Object.assign(this, { app, board, text: '', results: [] });
    this.adding = new Act(app.update);
  }

  render() {
    const people = readPeople(this.text);
    return html`${form({
      act: this.adding, button: people.length ? t('people.add', { number: people.length }) : t('common.add'), keep: true,
      submit: ({ people: text }, target) => this.#add(readPeople(text), target),
      content: html`
        <div @input=${({ target }) => this.#typed(target.value)}>${area('people', t('people.namesAndAddresses'), { rows: 4, isRequired: true, hint: t('people.aPersonALine') })}</div>
        <div class="drop" @dragover=${(event) => event.preventDefault()} @drop=${(event) => this.#dropped(event)}><label class="button" for="people-file">${t('people.chooseASpreadsheet')}</label>
          <input id="people-file" class="out-of-sight" type="file" accept=".csv,.tsv,.txt,text/csv" @change=${(event) => this.#chosen(event.currentTarget)}>
          <button type="button" class="plain small" @click=${() => this.#template()}>${t('dashboardSheet.downloadATemplate')}</button></div>
        ${people.length ? this.#preview(people) : nothing}`,
    })}
    ${this.results.length ? html`<div role="status"><ul class="results">${this.results.map(([name, text, isRefused]) => html`<li class=${isRefused ? 'refused' : ''}><b>${name}</b> ${text}</li>`)}</ul></div>` : nothing}`;
  }

  #typed(text) {
    this.text = text;
    this.app.update();
  }

  /** What the lines are read as; a wrong one is seen before it is added. */
  #preview(people) {
    return html`
      <div class="table-scroll" role="region" aria-label=${t('people.readAs')} tabindex="0"><table class="data unbroken">
        <caption class="hidden">${t('people.readAs')}</caption>
        <thead><tr><th scope="col">${t('account.firstName')}</th><th scope="col">${t('account.lastName')}</th><th scope="col">${t('people.eMailAddress')}</th><th scope="col">${t('common.positions')}</th></tr></thead>
        <tbody>${people.map(({ firstName, lastName, email, boardPositions }) => html`<tr><th scope="row">${firstName}</th><td>${lastName ?? ''}</td><td>${email ?? t('people.noAddress')}</td><td>${boardPositions.map(position).join(', ')}</td></tr>`)}</tbody>
      </table></div>`;
  }

  #chosen(input) {
    this.#read(input.files[0]);
    input.value = '';
  }

  #dropped(event) {
    event.preventDefault();
    this.#read(event.dataTransfer.files[0]);
  }

  async #read(file) {
    if (!file) return;
    const text = textOfFile(await file.arrayBuffer());
    const target = document.getElementById('f-people');
    target.value = text.replace(/^\uFEFF/, '');
    target.dispatchEvent(new Event('input', { bubbles: true }));
  }

  #template() {
    save(t('people.fileName'), csv([[t('account.firstName'), t('account.lastName'), t('people.eMailAddress'), t('people.position')]]));
  }

  /** Adds one after the other; each has its own result, and those that were refused stay in the form. */
  async #add(people, target) {
    if (!people.length) throw new Problem({ status: 400, message: t('people.enterANameOrAnAddress') });
    if (isGarbled(textOf(people))) throw new Problem({ status: 400, message: t('people.lettersCannotBeRead') });
    this.results = [];
    const refused = [];
    for (const person of people) {
      const isRefused = await this.#addOne(person);
      if (isRefused) refused.push(person);
      this.app.update();
    }
    target.elements.people.value = textOf(refused);
    this.#typed(textOf(refused));
    if (!refused.length) target.reset();
  }

  async #addOne({ firstName, lastName, email, boardPositions }) {
    const name = [firstName, lastName, email && `(${email})`].filter(Boolean).join(' ');
    const body = { firstName, ...(lastName ? { lastName } : {}), ...(email ? { email } : {}), ...(boardPositions.length ? { boardPositions } : {}) };
    try {
      const made = await this.app.api.get('createUnregisteredUser', { params: { boardId: this.board.id }, body, key: this.adding.keyFor(body) });
      const { unregistered } = this.board;
      unregistered.replace([made, ...unregistered.items.filter(({ id }) => id !== made.id)]);
      this.results.push([name, t('people.isAdded'), false]);
      return false;
    } catch (error) {
      const { status, fields } = asProblem(error);
      if ([0, 401].includes(status)) throw error;
      const [rule] = Object.values(fields);
      const { heading, text } = inWords(error);
      this.results.push([name, rule ? fieldSentence(rule) : text || heading, true]);
      return true;
    }
  }
}
