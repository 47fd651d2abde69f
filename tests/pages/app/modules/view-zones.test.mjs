// Every view is shown in every zone and locale that a browser states, and times are in UTC where it states none that is known.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { BOARD, at, example, open, settled } from './screen.mjs';
import { WEB, load } from './load.mjs';

const { ROUTES } = await import(new URL('routes.js', WEB));
const { isOwnZoneKnown, ownZone, setAccountZone, zoneSentence } = await load('dates');
const { locale, setAccountLanguage } = await load('texts');

const STATED = [
  // [zone, locale, zone that times are in, locale of dates in English]
  ['Etc/Unknown', 'en-US', 'UTC', 'en-US'],
  [undefined, 'en-US-u-va-posix', 'UTC', 'en-US'],
  ['', 'en-US@posix', 'UTC', 'en'],
  ['No/Where', 'en-001', 'UTC', 'en-001'],
  ['+05:30', 'en-IN', 'UTC', 'en-IN'],
  ['localtime', undefined, 'UTC', 'en'],
  ['UTC', 'ar-EG-u-nu-arab', 'UTC', 'en'],
  ['Asia/Kathmandu', 'en-u-nu-arab-ca-islamic', 'Asia/Kathmandu', 'en'],
  ['Etc/GMT+12', 'th-TH-u-ca-buddhist', 'Etc/GMT+12', 'en'],
  ['Pacific/Kiritimati', 'de-CH', 'Pacific/Kiritimati', 'en'],
  ['America/Argentina/ComodRivadavia', 'en-GB-u-hc-h12', 'America/Argentina/ComodRivadavia', 'en-GB'],
  ['Antarctica/Troll', 'fa-IR', 'Antarctica/Troll', 'en'],
];
const ADDRESSES = ROUTES.filter(({ path }) => path !== '*').map(({ path }) => path.replace(':boardId', BOARD.id).replace(/:\w+/, '299600e93bb8716da00c3619'));
const { resolvedOptions } = Intl.DateTimeFormat.prototype;

/** Lets the browser state a zone and a locale while something is done. */
async function stating([timeZone, stated], done) {
  Intl.DateTimeFormat.prototype.resolvedOptions = function odd() { return { ...resolvedOptions.call(this), timeZone, locale: stated }; };
  try {
    await setAccountLanguage('de', () => {}); // a locale is chosen with the language
    await setAccountLanguage('en', () => {});
    return await done();
  } finally {
    Intl.DateTimeFormat.prototype.resolvedOptions = resolvedOptions;
  }
}

function isShown(screen, what) {
  assert.notEqual(screen.text(), '', what);
  assert.doesNotMatch(screen.text(), /Invalid|undefined|NaN/, what);
}

for (const address of ADDRESSES) {
  test(`every zone and locale that a browser states shows ${address.replace(BOARD.id, '…')}`, async () => {
    const screen = await stating(STATED[0], () => open(address));
    isShown(screen, address);
    for (const each of STATED) {
      await stating(each, async () => {
        assert.deepEqual([ownZone(), locale()], each.slice(2));
        screen.app.update();
        await settled();
        isShown(screen, `${address} ${each}`);
      });
    }
    screen.view.dispose?.();
  });
}

for (const [zone, , used] of STATED) {
  test(`times are in ${used} where a browser states the zone “${zone}”, and a guest is told`, () => stating([zone, 'en-GB'], async () => {
    const isKnown = zone === used;
    const says = isKnown ? `Times are in your zone, ${zone.replaceAll('_', ' ')}.` : 'Your time zone is not known here: times are in UTC.';
    assert.deepEqual([isOwnZoneKnown(), zoneSentence()], [isKnown, says]);
    const screen = await open('/guest/token');
    assert.ok(screen.text().includes(says));
    const vote = screen.one('input[type=radio], select, button');
    assert.ok(vote, 'a guest can vote');
  }));
}

test('a zone of the account that the browser does not know is UTC, which is said, and stays chosen in the account', async () => {
  setAccountZone('No/Where');
  try {
    assert.deepEqual([ownZone(), isOwnZoneKnown()], ['UTC', false]);
    const screen = await open('/app/account', { getMe: { ...example('getMe'), timezone: 'No/Where' } });
    await screen.until(() => screen.one('select[name=timezone]'));
    assert.equal(screen.one('select[name=timezone] option[selected]').value, 'No/Where');
  } finally {
    setAccountZone(null);
  }
});

test('a meeting of a zone that the browser does not know is shown once, and times are proposed in one’s own', async () => {
  const slots = example('listSlots').map((slot) => ({ ...slot, timezone: 'No/Where' }));
  const screen = await open(at('meetings/:id'), { listSlots: slots, getMeeting: { ...example('getMeeting'), startTime: null, endTime: null } });
  assert.doesNotMatch(screen.text(), /No\/Where/);
});
