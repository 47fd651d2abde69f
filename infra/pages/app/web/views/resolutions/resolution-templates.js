// Templates of resolutions: adopt a document, appoint a person, approve a sum. They fill the title and the text.

import { longDate } from '../../lib/dates.js';
import { Act } from '../../lib/state.js';
import { choice, closeAround, field, form, html } from '../../lib/ui.js';
import { personName } from '../../lib/words.js';
import { locale, t } from '../../lib/texts.js';

export class Templates {
  constructor(app, board, documents) {
    Object.assign(this, { app, board, documents });
    for (const name of ['adopting', 'appointing', 'approving']) this[name] = new Act(app.update);
  }

  render() {
    return html`<div class="row templates" role="group" aria-label=${t('templates.templates')}><span class="soft">${t('templates.beginWith')}</span>${this.#adopt()}${this.#appoint()}${this.#approve()}</div>`;
  }

  #one(act, text, content, fill) {
    return html`<details class="disclosure" name="template"><summary class="button">${text}</summary><div class="disclosure-box">${form({
      act, button: t('templates.fillIn'), content,
      submit: (values, target) => {
        const { title, body, documentId } = fill(values);
        write(title, body, documentId);
        closeAround(target);
        document.getElementById('resolution-title').focus();
      },
    })}</div></details>`;
  }

  #adopt() {
    const titles = this.documents().map(({ id, title }) => [id, title]);
    return this.#one(this.adopting, t('templates.adoptADocument'), choice('documentId', t('templates.document'), titles, { id: 'adopt-document', required: true, value: titles[0]?.[0] }), ({ documentId }) => {
      const document = titles.find(([id]) => id === documentId)?.[1] ?? '';
      return { title: t('templates.adoptTitle', { document }), body: t('templates.adoptText', { document }), documentId };
    });
  }

  #appoint() {
    return this.#one(this.appointing, t('templates.appointAPerson'), html`
      <datalist id="appoint-people">${this.board.members.items.map((member) => html`<option value=${personName(member)}></option>`)}</datalist>
      <div class="pair">
        <div class="field"><label for="appoint-person">${t('templates.person')}</label><input id="appoint-person" name="person" list="appoint-people" required></div>
        ${field('office', t('templates.office'), { id: 'appoint-office', required: true })}
        ${field('from', t('templates.from'), { id: 'appoint-from', type: 'date', required: true })}
      </div>`, ({ person, office, from }) => {
      const values = { person, office, from: longDate(from) };
      return { title: t('templates.appointTitle', values), body: t('templates.appointText', values) };
    });
  }

  #approve() {
    return this.#one(this.approving, t('templates.approveASum'), html`<div class="pair">
        ${field('amount', t('templates.amount'), { id: 'approve-amount', required: true, placeholder: `${new Intl.NumberFormat(locale()).format(250_000)} EUR` })}
        ${field('purpose', t('templates.purpose'), { id: 'approve-purpose', required: true })}
      </div>`, (values) => ({ title: t('templates.approveTitle', values), body: t('templates.approveText', values) }));
  }
}

/** Writes into the form of the draft, as if it was typed. */
function write(title, text, documentId = null) {
  const [titleField, textField] = ['resolution-title', 'resolution-text'].map((id) => document.getElementById(id));
  Object.assign(titleField, { value: title });
  Object.assign(textField, { value: text });
  const paper = documentId && titleField.form.querySelector(`[name="documentIds"][value="${documentId}"]`);
  if (paper) paper.checked = true;
  textField.dispatchEvent(new Event('input', { bubbles: true }));
}
