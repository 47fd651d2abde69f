// An OpenID Connect provider for the tests: `node provider.mjs <port> <origin of the pages> <lifetime of a session>`.
// The address that is typed is the user who signs in; any password will do.

import Provider from 'oidc-provider';

const [port, origin, seconds] = process.argv.slice(2);
const issuer = `http://127.0.0.1:${port}`;

const provider = new Provider(issuer, {
  clients: [{
    client_id: 'pages', token_endpoint_auth_method: 'none', redirect_uris: [`${origin}/app/callback`],
    post_logout_redirect_uris: [`${origin}/`], grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'],
  }],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
  clientBasedCORS: (_, asking) => asking === origin,
  conformIdTokenClaims: false,
  features: { revocation: { enabled: true } },
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({ sub: id, email: id, email_verified: true, given_name: 'Petra', family_name: 'Provided' }),
  }),
  issueRefreshToken: () => true,
  pkce: { required: () => true },
  rotateRefreshToken: true,
  scopes: ['openid', 'offline_access'],
  ttl: { IdToken: Number(seconds), AccessToken: 60, AuthorizationCode: 60, Grant: 600, Interaction: 600, RefreshToken: 600, Session: 600 },
});

// What the pages asked for, one line each, for the tests to read.
provider.use(async (context, next) => {
  await next();
  console.log(JSON.stringify({ method: context.method, url: context.url, status: context.status }));
});
provider.listen(Number(port), '127.0.0.1', () => console.log('ready'));
