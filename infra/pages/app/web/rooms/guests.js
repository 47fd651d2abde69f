// What somebody without an account opens from a mail.

export { default as guest } from '../views/guest.js';
export { default as invite } from '../views/invite.js';
export { default as unsubscribe } from '../views/unsubscribe.js';
