// How the votes on a resolution stand, as one picture: bars against what is needed.

import { baseOf, isTie, neededOf, quorumOf, shareOf } from '../../lib/resolutions.js';
import { choiceWords, sums } from '../../lib/resolution-words.js';
import { html } from '../../lib/ui.js';
import { label } from '../../lib/words.js';
import { t } from '../../lib/texts.js';

const HEIGHT = 28;

/** Draws the tally of a resolution, and says the same in words. */
export function outcome(resolution, nameOf) {
  const { rule, tally, status } = resolution;
  if (tally.for === null) return html`<p>${sums(tally)}.</p>`;
  const base = baseOf(rule, tally);
  const needed = neededOf(rule, base);
  const quorum = quorumOf(rule, tally.eligible);
  const compared = base && (status !== 'open' || rule.base === 'eligible') ? t('resolution.neededOfBase', { needed, base }) : '';
  const says = [
    status === 'open' ? '' : `${label(status)}.`, `${sums(tally)}.`,
    compared,
    t('resolution.votedOfQuorum', { voted: tally.voted, eligible: tally.eligible, quorum }),
    isTie(rule, tally) ? t('resolution.atATieNameDecides', { name: nameOf(rule.castingVoteUserId) }) : '',
  ].filter(Boolean);
  return html`
    <figure class="tally" role="img" aria-label=${says.join(' ')}>
      ${bar([['for', tally.for, base], ['against', tally.against, base], ...(rule.base === 'eligible' ? [['abstain', tally.abstain, base]] : [])], shareOf(rule))}
      <figcaption class="row spread" aria-hidden="true">
        <span>${['for', 'against', 'abstain'].map((choice) => html`<span class="tally-key"><span class="swatch tally-${choice}"></span>${choiceWords(choice)} <b>${tally[choice]}</b></span>`)}</span>
        <span class="soft">${compared}</span>
      </figcaption>
      ${bar([['voted', tally.voted, tally.eligible]], tally.eligible ? quorum / tally.eligible : 1, 10)}
      <figcaption class="soft" aria-hidden="true">${t('resolution.votedOfQuorum', { voted: tally.voted, eligible: tally.eligible, quorum })}</figcaption>
    </figure>`;
}

/** A bar of parts, `[kind, number, of how many]`, with a line at a share of it. */
function bar(parts, share, height = HEIGHT) {
  let at = 0;
  const drawn = parts.map(([kind, number, whole]) => {
    const width = whole ? (100 * number) / whole : 0;
    const part = { kind, x: at, width };
    at += width;
    return part;
  });
  const [one, two, three] = [0, 1, 2].map((index) => drawn[index] ?? { kind: 'none', x: 0, width: 0 });
  const line = Math.min(share * 100, 99.6);
  return html`
    <svg class="tally-bar" width="100%" height=${height + 8} aria-hidden="true">
      <rect class="tally-ground" y="4" width="100%" height=${height} rx="4"></rect>
      <rect class="tally-${one.kind}" x="${one.x}%" y="4" width="${one.width}%" height=${height} rx="4"></rect>
      <rect class="tally-${two.kind}" x="${two.x}%" y="4" width="${two.width}%" height=${height} rx="4"></rect>
      <rect class="tally-${three.kind}" x="${three.x}%" y="4" width="${three.width}%" height=${height} rx="4"></rect>
      <line class="tally-line" x1="${line}%" x2="${line}%" y1="0" y2=${height + 8}></line>
    </svg>`;
}
