// Documents, and the papers of a meeting.

export { default as documents } from '../views/documents.js';
export { default as document } from '../views/document.js';
export { default as papers } from '../views/papers.js';
