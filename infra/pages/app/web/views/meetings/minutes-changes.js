// What differs between two versions of minutes, word by word.

import { html } from '../../lib/ui.js';
import { differences } from '../../lib/word-diff.js';
import { label } from '../../lib/words.js';
import { presence } from './minutes-text.js';
import { t } from '../../lib/texts.js';

export class Changes {
  /** `written` knows what minutes name. @param {import('./minutes-text.js').MinutesText} written */
  constructor(written, before, after) {
    Object.assign(this, { written, before, after });
  }

  render() {
    const changed = [this.#attendance, ...this.#items].filter(([, before, after]) => before !== after);
    if (!changed.length) return html`<p class="empty">${t('minutesChanges.noWordDiffers')}</p>`;
    return changed.map(([title, before, after]) => html`<section class="minute"><h3>${title}</h3><p class="said">${differences(before, after).map(marked)}</p></section>`);
  }

  get #attendance() {
    const lines = (version) => this.written.attended(version).map(({ name, present }) => `${name}: ${presence(present)}`).join('\n');
    return [t('meetingMinutes.whoIsThere'), lines(this.before), lines(this.after)];
  }

  /** Each item of either version, with its title and what it said before and after. */
  get #items() {
    const { titles } = this.written;
    const [before, after] = [this.before, this.after].map(({ items }) => new Map(items.map((item) => [item.id, item])));
    return [...new Map([...after, ...before])].map(([id, { agendaItemId }]) => [titles.get(agendaItemId) ?? t('meetingMinutes.otherBusiness'), textOf(before.get(id)), textOf(after.get(id))]);
  }
}

function textOf(item) {
  if (!item) return '';
  if (item.withheld) return t('inCamera.withheld');
  const { text, decision } = item;
  return [text, decision?.text ? `${label(decision.result)}: ${decision.text}` : ''].filter(Boolean).join('\n');
}

function marked([kind, text]) {
  if (kind === 'same') return text;
  return kind === 'added' ? html`<ins>${text}</ins>` : html`<del>${text}</del>`;
}
