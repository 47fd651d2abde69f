// Documents, and the papers of a meeting.

export { default as documents } from '../views/documents/documents.js';
export { default as document } from '../views/documents/document.js';
export { default as papers } from '../views/documents/papers.js';
