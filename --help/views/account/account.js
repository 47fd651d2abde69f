import { Act, List } from '../../lib/state.js';
import { card, html, show } from '../../lib/ui.js';
import { areKeysOn, switchKeys } from '../../lib/keys.js';
import { Switches } from './account-switches.js';
import { Calendars } from '../calendars/calendar-feeds.js';
import { ownExports } from '../exports/exports.js';
import { InvitesOfMine } from '../invites/invites-of-mine.js';
import { profileForm } from './profile.js';
import { Tokens } from './token-list.js';
import { t } from '../../lib/texts.js';

export default (app) => new AccountView(app);

class AccountView {
  title = () => t('common.yourAccount');

  constructor(app) {
    this.app = app;
    this.me = app.account;
    this.switches = new Switches(app);
    this.saving = new Act(app.update);
    this.tokens = this.#tokens();
    this.calendars = new Calendars(app);
    this.exports = ownExports(app);
    this.invites = new InvitesOfMine(app);
    this.actions = [['updateMe'], ['listMyTokens'], ...this.switches.actions, ...this.calendars.actions, ...this.exports.actions, ...this.invites.actions];
    this.resources = [this.me, ...this.switches.resources, this.tokens.list, ...this.calendars.resources, ...this.exports.resources, ...this.invites.resources];
  }

  #may(name) {
    return this.app.access.may(name);
  }

  render() {
    return html`
      <h1>${t('common.yourAccount')}</h1>
      ${card(t('common.you'), show(this.me, t('account.yourProfile'), (me) => this.#profile(me)))}
      ${this.switches.isOffered ? card(t('account.whatYouAreToldAbout'), this.switches.render()) : ''}
      ${card(t('keys.singleKeys'), html`<label class="inline"><input type="checkbox" ?checked=${areKeysOn()} @change=${({ target }) => switchKeys(target.checked)}> <span>${t('keys.act')}</span></label>`)}
      ${this.calendars.isOffered ? card(t('account.calendars'), this.calendars.render()) : ''}
      ${this.#may('listMySentInvites') ? card(t('invites.yourInvites'), this.invites.render()) : ''}
      ${this.exports.isOffered ? card(t('exports.export'), this.exports.render(t('exports.ofWhatIsYours'))) : ''}
      ${this.#may('listMyTokens') ? card(t('account.accessTokens'), this.tokens.render(t('account.withAPersonalTokenAProgram'))) : ''}`;
  }

  #profile(me) {
    if (!this.#may('updateMe')) return html`<p><b>${me.fullName || me.email}</b><br><span class="soft">${me.email}</span></p>`;
    return profileForm(this.app, { act: this.saving, start: me });
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
