// What waits for a person on all boards, and the boards.

export { default as forYou } from '../views/boards/for-you.js';
export { default as notifications } from '../views/notifications/notifications.js';
export { default as myItems } from '../views/action_items/my-items.js';
export { default as boards } from '../views/boards/boards.js';
export { default as overview } from '../views/boards/overview.js';
