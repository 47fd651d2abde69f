import { SignIn, handOver, returnAddress } from '../lib/sign-in.js';
import { html } from '../lib/ui.js';

export default (app) => {
  const done = () => handOver({ token: app.session.token }) || app.go(returnAddress(), { replace: true });
  const ways = new SignIn(app, { done });
  ways.passOn();
  return {
    title: 'Sign in',
    render: () => html`<div class="narrow card"><h1>Sign in</h1>${ways.render()}</div>`,
  };
};
