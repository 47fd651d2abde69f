// Meetings, and the action items of their boards.

export { default as meetings } from '../views/meetings/meetings.js';
export { default as meeting } from '../views/meetings/meeting.js';
export { default as items } from '../views/action_items/items.js';
