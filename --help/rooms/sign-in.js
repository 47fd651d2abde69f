// Signing in: on a page of its own, on the way back from a provider, and in a dialog.

export { default as signIn } from '../views/account/sign-in.js';
export { default as callback } from '../views/account/callback.js';
export { SignInDialog } from '../sign-in-dialog.js';
