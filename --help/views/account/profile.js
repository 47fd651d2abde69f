// Who somebody is to others, and how they are written to: on the account's page, and asked for where a name is missing.

import { isOwnZoneKnown, ownZone, zoneName, zones } from '../../lib/dates.js';
import { Act } from '../../lib/state.js';
import { card, choice, field, form, html, nothing } from '../../lib/ui.js';
import { LANGUAGES, locale, t } from '../../lib/texts.js';

const FIELDS = ['firstName', 'lastName', 'language', 'timezone'];

/** The form of a profile; `start` is what its fields show at first. */
export function profileForm(app, { act, start, isNameRequired = false, saved }) {
  return form({
    act, button: t('common.save'), keep: true,
    submit: async (values) => {
      const body = Object.fromEntries(FIELDS.map((name) => [name, values[name] || null]));
      app.account.set(await app.api.get('updateMe', { body }));
      app.say(t('common.saved'));
      saved?.();
    },
    content: html`
      <p class="soft">${start.email}</p>
      <div class="pair">
        ${field('firstName', t('account.firstName'), { value: start.firstName, of: 'updateMe', required: isNameRequired, autocomplete: 'given-name' })}
        ${field('lastName', t('account.lastName'), { value: start.lastName, of: 'updateMe', autocomplete: 'family-name' })}
        ${choice('language', t('account.language'), [['', t('account.languageOfBrowser')], ...languageNames(start.language)], { value: start.language ?? '' })}
        ${choice('timezone', t('common.timeZone'), [['', t('account.notSet')], ...zones(start.timezone).map((each) => [each, zoneName(each)])], { value: start.timezone ?? '' })}
      </div>`,
  });
}

/** Asks for the name of somebody who has none, with the language and the time zone of their browser for their mails. */
export class MissingName {
  actions = [['updateMe']];

  constructor(app) {
    this.app = app;
    this.saving = new Act(app.update);
    this.account = app.account;
  }

  render() {
    const me = this.account.data;
    if (!me || me.firstName || !this.app.access.may('updateMe')) return nothing;
    const start = { ...me, language: me.language ?? locale().split('-')[0], timezone: me.timezone ?? (isOwnZoneKnown() ? ownZone() : null) };
    return card(t('profile.whatIsYourName'), html`
      <p>${t('profile.othersSeeYourAddress')}</p>
      ${profileForm(this.app, { act: this.saving, start, isNameRequired: true, saved: () => this.app.board?.members.reload() })}`, { id: 'own-name' });
  }
}

/** Returns the languages to choose from, each by its own name; one that there are no texts in stays, for programs may use it. */
function languageNames(chosen) {
  const codes = !chosen || LANGUAGES.includes(chosen) ? LANGUAGES : [...LANGUAGES, chosen];
  return codes.map((code) => [code, new Intl.DisplayNames(code, { type: 'language' }).of(code)]);
}
