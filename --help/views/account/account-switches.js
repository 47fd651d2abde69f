// What somebody is told about: by mail, and in the app.

import { CATEGORIES, MAIL_SWITCHES, topicInWords } from '../../lib/mail-topics.js';
import { Act, Resource } from '../../lib/state.js';
import { actProblem, html, live, nothing, show } from '../../lib/ui.js';
import { label } from '../../lib/words.js';
import { t } from '../../lib/texts.js';

const CHANNELS = ['email', 'in_app'];
const IDS = { invitations: 'calendar-invitations', voteRequests: 'calendar-vote-requests' };

export class Switches {
  actions = ['getNotificationPreferences', 'putNotificationPreference', 'getCalendarSettings', 'putCalendarSettings'].map((name) => [name]);

  constructor(app) {
    this.app = app;
    this.preferences = new Resource(() => app.api.call('getNotificationPreferences'), app.update);
    this.settings = new Resource(() => app.api.get('getCalendarSettings'), app.update);
    this.choosing = new Act(app.update);
    this.resources = [this.preferences, this.settings];
  }

  #may(name) {
    return this.app.access.may(name);
  }

  /** Whether there is anything to show: an access token may be for something else. */
  get isOffered() {
    return this.#may('getNotificationPreferences') || this.#may('getCalendarSettings');
  }

  render() {
    return html`
      <table class="choices">
        <thead><tr><th scope="col"><span class="hidden">${t('accountSwitches.about')}</span></th>${CHANNELS.map((channel) => html`<th scope="col">${label(channel)}</th>`)}</tr></thead>
        <tbody>
          ${this.#may('getCalendarSettings') ? this.#rows(this.settings, MAIL_SWITCHES, (topic) => this.#mailOnly(topic)) : nothing}
          ${this.#may('getNotificationPreferences') ? this.#rows(this.preferences, CATEGORIES, (topic) => this.#both(topic)) : nothing}
        </tbody>
      </table>
      <p class="soft">${t('accountSwitches.youAreAlwaysToldInThe')}</p>
      ${actProblem(this.choosing)}`;
  }

  #rows(resource, topics, cells) {
    if (!resource.isReady) return html`<tr><td colspan="3">${show(resource, t('accountSwitches.yourChoices'), () => nothing)}</td></tr>`;
    return topics.map((topic) => {
      const { heading, text } = topicInWords(topic);
      return html`<tr><th scope="row">${heading}<small id="about-${topic}">${text}</small></th>${cells(topic)}</tr>`;
    });
  }

  #mailOnly(topic) {
    const isOn = this.settings.data[topic];
    return html`<td>${this.#box(topic, 'email', isOn, 'putCalendarSettings', () => this.#switch(topic, !isOn))}</td><td class="soft">${t('accountSwitches.always')}</td>`;
  }

  #both(category) {
    const chosen = this.preferences.data.preferences[category] ?? CHANNELS;
    const changed = (channel) => (chosen.includes(channel) ? chosen.filter((each) => each !== channel) : [...chosen, channel]);
    return CHANNELS.map((channel) => html`<td>${this.#box(category, channel, chosen.includes(channel), 'putNotificationPreference', () => this.#choose(category, changed(channel)))}</td>`);
  }

  #box(topic, channel, isOn, operation, change) {
    return html`<input type="checkbox" id=${IDS[topic] ?? nothing} aria-label="${topicInWords(topic).heading}: ${label(channel)}" aria-describedby="about-${topic}"
      .checked=${live(isOn)} ?disabled=${!this.#may(operation) || this.choosing.isBusy} @change=${change}>`;
  }

  #switch(topic, isOn) {
    return this.choosing.run(async () => {
      this.settings.set(await this.app.api.get('putCalendarSettings', { body: { [topic]: isOn } }));
    });
  }

  #choose(eventCategory, channels) {
    return this.choosing.run(async () => {
      this.preferences.set(await this.app.api.call('putNotificationPreference', { body: { eventCategory, channels } }));
    });
  }
}
