// Resolutions, and the votes on them in a meeting.

export { default as resolutions } from '../views/resolutions.js';
export { default as resolutionNew } from '../views/resolution-new.js';
export { default as resolution } from '../views/resolution.js';
export { MeetingVote } from '../views/meeting-vote.js';
