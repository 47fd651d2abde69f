import { html } from '../lib/ui.js';
import { t } from '../lib/texts.js';

export default () => ({
  title: t('absent.noSuchPage'),
  render: () => html`
    <div class="narrow card">
      <h1>${t('absent.thereIsNoSuchPage')}</h1>
      <p>${t('absent.theAddressMayBeMistypedOr')}</p>
      <p class="row"><a class="button primary" href="/boards">${t('common.yourBoards')}</a> <a class="button" href="/">${t('absent.aboutThisService')}</a></p>
    </div>`,
});
