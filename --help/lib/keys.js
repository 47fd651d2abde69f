// The keys of these pages: single ones, outside of fields only, and a list of them.

import { render } from '../vendor/lit-html/lit-html.js';
import { device } from './storage.js';
import { html } from './ui.js';
import { t } from './texts.js';

const OFF = 'board-governance.single-keys-off';

/** Whether single keys act: somebody who speaks to the machine may have switched them off. */
export const areKeysOn = () => device.getItem(OFF) === null;

export function switchKeys(isOn) {
  if (isOn) device.removeItem(OFF);
  else device.setItem(OFF, OFF);
}

const KEYS = () => [['/', t('keys.search')], [t('keys.controlK'), t('keys.search')], ['?', t('keys.thisList')], [t('keys.arrows'), t('keys.answersAndPapers')], [t('keys.altArrows'), t('keys.moveEntries')], ['Esc', t('keys.close')]];

/** Shows the list. */
export function showKeys(dialog) {
  render(html`
    <h2 id="keys-heading">${t('keys.keys')}</h2>
    <dl class="keys">${KEYS().map(([key, words]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${words}</dd></div>`)}</dl>
    <p class="soft">${t('keys.switchedOffInTheAccount')}</p>
    <p class="row"><button type="button" @click=${() => dialog.close()}>${t('documentFiles.close')}</button></p>`, dialog);
  dialog.showModal();
}
