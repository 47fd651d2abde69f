import { returnAddress } from '../../lib/router.js';
import { SignIn, handOver } from '../../lib/sign-in.js';
import { html } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';

export default (app) => {
  const done = () => handOver({ token: app.session.token }) || app.go(returnAddress(), { replace: true });
  const ways = new SignIn(app, { done });
  ways.passOn();
  return {
    title: t('common.signIn'),
    render: () => html`<div class="narrow card"><h1>${t('common.signIn')}</h1>${ways.render()}</div>`,
  };
};
