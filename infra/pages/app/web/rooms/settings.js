// A person's account, and what runs a board: settings, tokens, webhooks, the audit log.

export { default as account } from '../views/account.js';
export { default as settings } from '../views/settings.js';
export { default as tokens } from '../views/tokens.js';
export { default as webhooks } from '../views/webhooks.js';
export { default as webhook } from '../views/webhook.js';
export { default as audit } from '../views/audit.js';
