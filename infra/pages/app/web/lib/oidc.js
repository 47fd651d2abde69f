// Signing in with OpenID Connect: authorization code with PKCE, state and nonce. The ID token is the session.

import * as oauth from '../vendor/oauth4webapi.js';
import { Problem } from './problems.js';
import { MemoryStorage, storage } from './storage.js';
import { t } from './texts.js';

const PENDING = 'board-governance.sign-in';
const SCOPE = 'openid email profile offline_access';
const TRIED = 'board-governance.silent';
const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])$/;

/** The provider that the installation names. */
export class Provider {
  #server = null;

  constructor({ issuer, clientId }) {
    this.issuer = new URL(issuer);
    this.client = { client_id: clientId };
    const isLocal = this.issuer.protocol === 'http:' && LOOPBACK.test(this.issuer.hostname);
    this.options = isLocal ? { [oauth.allowInsecureRequests]: true } : {};
  }

  get redirectUri() {
    return `${location.origin}/app/callback`;
  }

  async server() {
    this.#server ??= await oauth
      .discoveryRequest(this.issuer, { algorithm: 'oidc', ...this.options })
      .then((response) => oauth.processDiscoveryResponse(this.issuer, response));
    return this.#server;
  }

  /**
   * Leaves for the provider; `isSilent`: to come back at once, signed in where the provider still knows the person; `isAnew`: to
   * sign in even then.
   */
  async leave({ stays = true, isSilent = false, isAnew = false } = {}) {
    const server = await this.server();
    const pending = {
      verifier: oauth.generateRandomCodeVerifier(), state: oauth.generateRandomState(), nonce: oauth.generateRandomNonce(), stays, isSilent,
    };
    storage.setItem(PENDING, JSON.stringify(pending));
    const address = new URL(server.authorization_endpoint);
    const query = {
      client_id: this.client.client_id, redirect_uri: this.redirectUri, response_type: 'code', scope: this.#scope(server),
      state: pending.state, nonce: pending.nonce, code_challenge_method: 'S256',
      code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
    };
    if (isSilent || isAnew) query.prompt = isSilent ? 'none' : 'login';
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    location.assign(address);
  }

  #scope(server) {
    const known = server.scopes_supported;
    return SCOPE.split(' ').filter((scope) => !known || known.includes(scope)).join(' ');
  }

  /** Leaves to sign in silently, once a tab; returns whether the page is being left. */
  async leaveSilently() {
    if (storage instanceof MemoryStorage || storage.getItem(TRIED)) return false;
    storage.setItem(TRIED, TRIED);
    await this.leave({ isSilent: true });
    return true;
  }

  /**
   * Returns the credential that a way back brings, and whether it is for all tabs; null where a silent sign-in found nobody.
   * Each way back works once.
   */
  async comeBack(address) {
    const pending = storage.getItem(PENDING);
    storage.removeItem(PENDING);
    if (!pending) throw new Problem({ status: 400, message: t('oidc.thisSignInWasNotBegun') });
    const { verifier, state, nonce, stays, isSilent } = JSON.parse(pending);
    const server = await this.server();
    if (isSilent && address.searchParams.has('error')) return null;
    const parameters = oauth.validateAuthResponse(server, this.client, address, state);
    const response = await oauth.authorizationCodeGrantRequest(
      server, this.client, oauth.None(), parameters, this.redirectUri, verifier, this.options,
    );
    const expected = { expectedNonce: nonce, requireIdToken: true };
    const result = await oauth.processAuthorizationCodeResponse(server, this.client, response, expected);
    return { credential: credential(result), stays };
  }

  /** Returns a new credential for a refresh token, or null where the provider gives no session with it. */
  async renew(refreshToken) {
    const server = await this.server();
    const response = await oauth.refreshTokenGrantRequest(server, this.client, oauth.None(), refreshToken, this.options);
    const result = await oauth.processRefreshTokenResponse(server, this.client, response);
    return result.id_token ? credential({ refresh_token: refreshToken, ...result }) : null;
  }

  /** Ends the provider's session too, where it can be asked to; returns whether the page is being left. */
  async signOut(refreshToken) {
    storage.setItem(TRIED, TRIED);
    const server = await this.server();
    if (refreshToken && server.revocation_endpoint) {
      await oauth.revocationRequest(server, this.client, oauth.None(), refreshToken, this.options).catch(() => {});
    }
    if (!server.end_session_endpoint) return false;
    const address = new URL(server.end_session_endpoint);
    address.searchParams.set('client_id', this.client.client_id);
    for (const name of ['post_logout_redirect_uri', 'logout_uri']) address.searchParams.set(name, `${location.origin}/`); // Cognito's word is the second
    location.assign(address);
    return true;
  }
}

function credential(result) {
  return { token: result.id_token, refreshToken: result.refresh_token ?? null, isByProvider: true };
}
