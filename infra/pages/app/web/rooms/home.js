// What waits for a person on all boards, and the boards.

export { default as forYou } from '../views/for-you.js';
export { default as notifications } from '../views/notifications.js';
export { default as myItems } from '../views/my-items.js';
export { default as boards } from '../views/boards.js';
export { default as overview } from '../views/overview.js';
