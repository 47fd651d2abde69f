// The way back from the provider: the code is taken out of the address before anything else happens.

import { Act } from '../../lib/state.js';
import { Problem } from '../../lib/problems.js';
import { returnAddress } from '../../lib/router.js';
import { handOver } from '../../lib/sign-in.js';
import { html, problem } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';

export default (app) => {
  const address = new URL(location.href);
  history.replaceState({}, '', '/app/callback');
  const act = new Act(app.update);
  act.run(async () => {
    const provider = await app.provider();
    if (!provider) throw new Problem({ status: 400, message: t('callback.thisInstallationHasNoSignIn') });
    const found = await provider.comeBack(address).catch((error) => {
      if (error instanceof TypeError) throw error;
      throw new Problem({ status: 400, message: t('callback.signingInDidNotWorkPlease') });
    });
    if (!found) return app.go('/app/sign-in', { replace: true });
    if (handOver(found.credential)) return;
    app.session.hold(found.credential, { stays: found.stays });
    app.go(returnAddress(), { replace: true });
  });
  return {
    title: t('callback.signingIn'),
    render: () => html`
      <div class="narrow card">
        <h1>${t('callback.signingIn')}</h1>
        ${act.problem ? html`${problem(act.problem)}<p class="row"><a class="button primary" href="/app/sign-in">${t('common.signIn')}</a></p>` : html`<p class="loading" role="status">${t('common.oneMoment')}</p>`}
      </div>`,
  };
};
