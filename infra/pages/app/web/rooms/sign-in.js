// Signing in: on a page of its own, on the way back from a provider, and in a dialog.

export { default as signIn } from '../views/sign-in.js';
export { default as callback } from '../views/callback.js';
export { SignInDialog } from '../sign-in-dialog.js';
