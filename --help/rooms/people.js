// Who is on a board: members, people without an account, invites.

export { default as members } from '../views/members/members.js';
export { default as invites } from '../views/invites/invites.js';
