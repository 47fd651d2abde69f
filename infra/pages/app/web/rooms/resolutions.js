// Resolutions, the votes on them in a meeting, and the minute book.

export { default as resolutions } from '../views/resolutions/resolutions.js';
export { default as resolutionNew } from '../views/resolutions/resolution-new.js';
export { default as resolution } from '../views/resolutions/resolution.js';
export { default as minuteBook } from '../views/meetings/minute-book.js';
export { MeetingVote } from '../views/resolutions/meeting-vote.js';
