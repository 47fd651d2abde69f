// Meetings, and the action items of their boards.

export { default as meetings } from '../views/meetings.js';
export { default as meeting } from '../views/meeting.js';
export { default as items } from '../views/items.js';
