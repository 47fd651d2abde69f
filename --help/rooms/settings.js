// A person's account, and what runs a board: settings, tokens, webhooks, the history.

export { default as account } from '../views/account/account.js';
export { default as settings } from '../views/boards/settings.js';
export { default as tokens } from '../views/account/tokens.js';
export { default as webhooks } from '../views/webhooks/webhooks.js';
export { default as webhook } from '../views/webhooks/webhook.js';
export { default as history } from '../views/history/history.js';
