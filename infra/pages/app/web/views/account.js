import { Act, List, Resource } from '../lib/state.js';
import { actProblem, card, choice, field, form, html, live, show } from '../lib/ui.js';
import { label } from '../lib/words.js';
import { zoneName, zones } from '../lib/dates.js';
import { Calendars } from './calendar-feeds.js';
import { Tokens } from './token-list.js';

const CATEGORIES = ['action_item', 'post_meeting', 'section_status', 'package_status', 'validation_flag', 'bet_reminder', 'section_overdue'];
const CHANNELS = ['email', 'in_app'];

export default (app) => new AccountView(app);

class AccountView {
  title = 'Your account';

  constructor(app) {
    this.app = app;
    this.me = new Resource(() => app.api.get('getMe'), app.update);
    this.preferences = new Resource(() => app.api.call('getPreferences'), app.update);
    this.saving = new Act(app.update);
    this.choosing = new Act(app.update);
    this.tokens = this.#tokens();
    this.calendars = new Calendars(app);
    this.actions = ['updateMe', 'getPreferences', 'putPreference', 'listMyTokens'].map((name) => [name]).concat(this.calendars.actions);
    this.resources = [this.me, this.preferences, this.tokens.list, ...this.calendars.resources];
  }

  #may(name) {
    return this.app.access.may(name);
  }

  render() {
    return html`
      <h1>Your account</h1>
      ${card('You', show(this.me, 'your profile', (me) => this.#profile(me)))}
      ${this.#may('getPreferences') ? card('What you are told about', show(this.preferences, 'your choices', ({ preferences }) => this.#choices(preferences))) : ''}
      ${this.calendars.isOffered ? card('Calendars', this.calendars.render()) : ''}
      ${this.#may('listMyTokens') ? card('Access tokens', this.tokens.render('With a personal token, a program does what you may do. Give it no more than it needs.')) : ''}`;
  }

  #profile(me) {
    if (!this.#may('updateMe')) return html`<p><b>${me.fullName || me.email}</b><br><span class="soft">${me.email}</span></p>`;
    return form({
      act: this.saving, button: 'Save', keep: true,
      submit: async (values) => {
        const body = Object.fromEntries(['firstName', 'lastName', 'timezone'].map((name) => [name, values[name] || null]));
        this.me.set(await this.app.api.get('updateMe', { body }));
        this.app.say('Saved.');
      },
      content: html`
        <p class="soft">${me.email}</p>
        <div class="pair">
          ${field('firstName', 'First name', { value: me.firstName, maxlength: 100, autocomplete: 'given-name' })}
          ${field('lastName', 'Last name', { value: me.lastName, maxlength: 100, autocomplete: 'family-name' })}
          ${choice('timezone', 'Time zone', [['', 'Not set'], ...zones().map((each) => [each, zoneName(each)])], { value: me.timezone ?? '' })}
        </div>`,
    });
  }

  #choices(preferences) {
    const mayWrite = this.#may('putPreference');
    const box = (category, channel) => {
      const chosen = preferences[category] ?? CHANNELS;
      return html`<td><input type="checkbox" aria-label="${label(category)}: ${label(channel)}" .checked=${live(chosen.includes(channel))} ?disabled=${!mayWrite || this.choosing.isBusy}
        @change=${(event) => this.#choose(category, event.target.checked ? [...chosen, channel] : chosen.filter((each) => each !== channel))}></td>`;
    };
    return html`
      <table class="choices">
        <thead><tr><th scope="col"><span class="hidden">About</span></th>${CHANNELS.map((channel) => html`<th scope="col">${label(channel)}</th>`)}</tr></thead>
        <tbody>${CATEGORIES.map((category) => html`<tr><th scope="row">${label(category)}</th>${CHANNELS.map((channel) => box(category, channel))}</tr>`)}</tbody>
      </table>
      <p class="soft">You are always told in the app about boards and members.</p>
      ${actProblem(this.choosing)}`;
  }

  #choose(eventCategory, channels) {
    return this.choosing.run(async () => {
      this.preferences.set(await this.app.api.call('putPreference', { body: { eventCategory, channels } }));
    });
  }

  #tokens() {
    return new Tokens(this.app, {
      list: new List((cursor) => this.app.api.page('listMyTokens', { query: { limit: 50 }, cursor }), this.app.update),
      presets: ['read_only', 'full_access'], mayCreate: () => true, mayRevoke: () => true,
      create: (body, key) => this.app.api.get('createMyToken', { body, key }),
      revoke: (tokenId) => this.app.api.call('revokeMyToken', { params: { tokenId } }),
    });
  }
}
