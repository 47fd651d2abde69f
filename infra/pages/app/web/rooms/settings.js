// A person's account, and what runs a board: settings, tokens, webhooks, the audit log.

export { default as account } from '../views/account/account.js';
export { default as settings } from '../views/boards/settings.js';
export { default as tokens } from '../views/account/tokens.js';
export { default as webhooks } from '../views/webhooks/webhooks.js';
export { default as webhook } from '../views/webhooks/webhook.js';
export { default as audit } from '../views/history/audit.js';
