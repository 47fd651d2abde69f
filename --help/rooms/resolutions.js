// Resolutions, and the votes on them in a meeting.

export { default as resolutions } from '../views/resolutions/resolutions.js';
export { default as resolutionNew } from '../views/resolutions/resolution-new.js';
export { default as resolution } from '../views/resolutions/resolution.js';
export { MeetingVote } from '../views/resolutions/meeting-vote.js';
