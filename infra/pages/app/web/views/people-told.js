// Who else hears of a meeting that members are told of: people without an account, by mail.

import { html, nothing } from '../lib/ui.js';
import { t } from '../lib/texts.js';

export function peopleTold({ mailed: { reached, missed } }) {
  return html`
    ${reached.length ? html`<p>${t('people.getAMailToo', { number: reached.length })}</p>` : nothing}
    ${missed.length ? html`<p>${t('people.areNotReached', { names: missed.map(({ fullName }) => fullName).join(', ') })}</p>` : nothing}`;
}
