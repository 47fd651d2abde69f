// The ways to sign in: the installation's provider, an access token, on a developer's machine a demo user.

import { Act } from './state.js';
import { Problem } from './problems.js';
import { MemoryStorage, storage } from './storage.js';
import { actProblem, form, html, nothing, show } from './ui.js';
import { t } from './texts.js';
import { access, label } from './words.js';

const HANDOVER = 'board-governance.handover';
const ANEW = 'board-governance.anew';

export class SignIn {
  /** `isAnew`: the provider asks who it is, even where it still knows the person. */
  constructor(app, { done, isInPlace = false, isAnew = false }) {
    Object.assign(this, { app, done, isInPlace, isAnew });
    this.act = new Act(app.update);
    this.demo = new Act(app.update);
    this.provider = new Act(app.update);
    this.stays = true;
  }

  /** Holds a token once the API has taken it. */
  async #use(token) {
    const given = token.trim();
    if (!/^[\x21-\x7e]+$/.test(given)) throw new Problem({ status: 400, message: t('signIn.pasteTheWholeTokenLettersDigits') });
    const { session } = this.app;
    const response = await fetch('/api/v1/whoami', { headers: { Authorization: `Bearer ${given}` }, cache: 'no-store' });
    if (response.status === 401) throw new Problem({ status: 400, message: t('signIn.thisTokenIsNotValidIt') });
    session.hold({ token: given }, { stays: this.stays });
    this.done();
  }

  /** By the provider: this tab goes there, or a window of its own where the page must stay. */
  async #byProvider() {
    if (storage instanceof MemoryStorage) throw new Problem({ status: 400, message: t('signIn.yourBrowserDoesNotLetThis') });
    if (!this.isInPlace) {
      const provider = await this.app.provider();
      return provider.leave({ stays: this.stays, isAnew: this.isAnew });
    }
    const name = crypto.randomUUID();
    const channel = new BroadcastChannel(name);
    channel.onmessage = ({ data }) => {
      channel.close();
      this.app.session.hold(data, { stays: this.stays });
      this.done();
    };
    storage.setItem(HANDOVER, name);
    if (this.isAnew) storage.setItem(ANEW, name);
    const popup = open('/app/sign-in', '_blank', 'popup,width=480,height=680');
    storage.removeItem(HANDOVER);
    storage.removeItem(ANEW);
    if (popup) return;
    channel.close();
    throw new Problem({ status: 400, message: t('signIn.theBrowserDidNotOpenA') });
  }

  /** In a window that was opened to sign in for another: goes on to the provider at once. */
  passOn() {
    this.isAnew = Boolean(storage.getItem(ANEW));
    storage.removeItem(ANEW);
    if (storage.getItem(HANDOVER)) this.provider.run(() => this.#byProvider());
  }

  render() {
    return show(this.app.config, t('signIn.theWaysToSignIn'), ({ oidc, demo }) => html`
      ${oidc ? html`
        <p><button type="button" class="primary wide" ?disabled=${this.provider.isBusy} @click=${() => this.provider.run(() => this.#byProvider())}>${t('common.signIn')}</button></p>
        ${actProblem(this.provider)}` : nothing}
      ${demo.length ? this.#demoUsers(demo) : nothing}
      ${oidc || demo.length ? html`<details class="disclosure"><summary>${t('signIn.useAnAccessToken')}</summary><div class="disclosure-box">${this.#withToken()}</div></details>` : this.#withToken()}
      <p><label><input type="checkbox" ?checked=${this.stays} @change=${({ target }) => { this.stays = target.checked; }}> <span>${t('signIn.stayOnThisDevice')}</span></label></p>`);
  }

  #demoUsers(users) {
    return html`
      <h2 class="label">${t('signIn.demoUsersOfThisMachine')}</h2>
      <ul class="people-buttons">
        ${users.map((user) => html`<li><button type="button" ?disabled=${this.demo.isBusy} @click=${() => this.demo.run(() => this.#use(user.session))}><b>${user.name}</b> <small>${demoRole(user.role)}</small></button></li>`)}
      </ul>
      ${actProblem(this.demo)}`;
  }

  #withToken() {
    return form({
      act: this.act, button: t('signIn.signInWithThisToken'), keep: true,
      submit: ({ token }) => this.#use(token),
      content: html`
        <div class="field">
          <label for="token">${t('signIn.accessToken')}</label>
          <input id="token" name="token" type="password" required autocomplete="off" spellcheck="false" aria-describedby="token-hint">
          <p class="hint" id="token-hint">${t('signIn.aPersonalTokenABoardsToken')}</p>
        </div>`,
    });
  }
}

/** Where a window was opened to sign in for another: hands the credential over and closes; returns whether it did. */
export function handOver(credential) {
  const name = storage.getItem(HANDOVER);
  if (!name) return false;
  storage.removeItem(HANDOVER);
  new BroadcastChannel(name).postMessage(credential);
  close();
  return true;
}

/** Returns what a demo user is on the board, in words: owner, admin, or a member's access. */
function demoRole(role) {
  return ['owner', 'admin'].includes(role) ? label(role) : access(role);
}
