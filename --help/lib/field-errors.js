// What is wrong with a field, said to a person, at the field. The API's own words are for programs.

import { t } from './texts.js';

const SENTENCES = () => [
  [/^must have at most (\d+) characters/, (most) => t('fieldErrors.useAtMostMostCharacters', { most })],
  [/^(must have at least 1 character|must not be only white space|is required)/, t('fieldErrors.fillThisIn')],
  [/^must have at least 1 item/, t('fieldErrors.chooseAtLeastOne')],
  [/^must be after `startTime`/, t('fieldErrors.theEndMustComeAfterThe')],
  [/^must be an RFC 3339 date-time/, t('fieldErrors.enterADateAndATime')],
  [/^must (not be in the past|be in the future)/, t('fieldErrors.chooseATimeThatIsStill')],
  [/^must be an e-mail address/, t('fieldErrors.thisIsNoEMailAddress')],
  [/^must not be the address of a member/, t('fieldErrors.thisPersonIsOnTheBoard')],
  [/^must have the scheme https, http, tel/, t('fieldErrors.thisAddressCannotBeOpenedIt')],
  [/^must (be an https URL|be an absolute https URL|name a public host)/, t('fieldErrors.giveAnAddressThatEverybodyCan')],
  [/^must be a URL/, t('fieldErrors.thisIsNoCompleteAddressIt')],
  [/^must not contain (control|NUL)/, t('fieldErrors.itHasSignsThatCannotBe')],
  [/^`(.*)` is not the id of a KPI/, (id) => t('fieldErrors.idIsNoKpiOfTheCatalog', { id })],
  [/^`(.*)` is neither the id nor a name of a KPI of the released catalog; similar ones: (.*)/, (name, near) => t('fieldErrors.nameIsNoKpiButNear', { name, near: near.replaceAll('`', '') })],
  [/^`(.*)` is neither the id nor a name of a KPI/, (name) => t('fieldErrors.nameIsNoKpi', { name })],
  [/^`(.*)` is the name of several KPIs; write the id of one: (.*)/, (name, near) => t('fieldErrors.nameIsOfSeveralKpis', { name, near: near.replaceAll('`', '') })],
  [/^must tell thousands from decimals/, t('fieldErrors.sayWhatDecimalsFollow')],
  [/^must tell the day from the month/, t('fieldErrors.sayTheOrderOfDates')],
  [/^must have the decimal .* that line (\d+) has/, (line) => t('fieldErrors.writeDecimalsAsLine', { line })],
  [/^must have the decimal/, t('fieldErrors.writeDecimalsAsSaid')],
  [/^must not have a `%`/, t('fieldErrors.noPercent')],
  [/^must not have a currency/, t('fieldErrors.noAmount')],
  [/^must be in the currency of the dashboard's figures: (.*)/, (currency) => t('fieldErrors.anotherCurrency', { currency })],
  [/^must have quotes around whole cells/, t('fieldErrors.quotesAroundCells')],
  [/^must not give the dashboard more than (\d+)/, (most) => t('fieldErrors.tooManyFigures', { most })],
  [/^must not be repeated: line (\d+)/, (line) => t('fieldErrors.lineStatesItToo', { line })],
  [/^must be a number such as/, t('fieldErrors.enterANumberWithAPoint')],
  [/^must be an existing date/, t('fieldErrors.enterADateThatExists')],
  [/^must be the date of line (\d+)/, (line) => t('fieldErrors.theDateIsNotThatOfLine', { line })],
  [/^must have (\d+) cells/, (number) => t('fieldErrors.aLineHasNumberCells', { number })],
  [/^must name each of the columns/, t('fieldErrors.nameTheColumnsOfTheSheet')],
  [/^must have a line of figures/, t('fieldErrors.addALineOfFigures')],
  [/^must not (be repeated|name a position twice)/, t('fieldErrors.somethingIsNamedTwice')],
  [/^must be an IANA time zone/, t('fieldErrors.chooseATimeZoneFromThe')],
  [/^must be the (membership |user )?id of/, t('fieldErrors.thisIsNotThereAnyMore')],
  [/^must be (one of|'|true or false|null)/, t('fieldErrors.chooseOneOfTheValuesThat')],
  [/^is not a known field/, t('fieldErrors.thisCannotBeSetHereLoad')],
];

/** Returns what a person is to do about a field; a rule without a sentence of its own is said as it is. */
export function fieldSentence(rule) {
  for (const [pattern, sentence] of SENTENCES()) {
    const found = pattern.exec(rule);
    if (found) return typeof sentence === 'function' ? sentence(...found.slice(1)) : sentence;
  }
  return t('fieldErrors.thisRule', { rule });
}

/** Writes what is wrong at the fields of a form, and goes to the first; notes in the problem which ones it wrote. */
export function placeErrors(form, error) {
  const placed = [];
  for (const [path, rule] of Object.entries(error.fields ?? {})) {
    const named = form.elements.namedItem(path.split('.')[0]);
    const element = named?.length && !named.options ? named[0] : named;
    const place = element?.closest('.field, .checks, .options')?.querySelector('.field-error');
    if (!place) continue;
    place.textContent = fieldSentence(rule);
    element.setAttribute('aria-invalid', 'true');
    placed.push([path, element]);
  }
  placed[0]?.[1].focus();
  error.placed = placed.map(([path]) => path);
}

/** Takes back what was written at the fields within an element. */
export function clearErrors(within) {
  for (const place of within?.querySelectorAll('.field-error') ?? []) place.textContent = '';
  for (const element of within?.querySelectorAll('[aria-invalid]') ?? []) element.removeAttribute('aria-invalid');
}
