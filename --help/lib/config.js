// What the installation says about itself: its OpenID Connect client, and on a developer's machine the demo users.

const NONE = { oidc: null, demo: [] };

export async function fetchConfig() {
  try {
    const response = await fetch('/app/config.json', { cache: 'no-cache', credentials: 'omit' });
    return response.ok ? { ...NONE, ...(await response.json()) } : NONE;
  } catch {
    return NONE;
  }
}
