// What somebody without an account opens from a mail.

export { default as guest } from '../views/meetings/guest.js';
export { default as invite } from '../views/invites/invite.js';
export { default as paperSlot } from '../views/paper_requests/paper-slot.js';
export { default as unsubscribe } from '../views/notifications/unsubscribe.js';
