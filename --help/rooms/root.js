// The root page, and the page that says that there is none.

export { default as root } from '../views/boards/root.js';
export { default as absent } from '../views/absent.js';
