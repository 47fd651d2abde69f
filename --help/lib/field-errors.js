
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

export function fieldSentence(rule) {
  for (const [pattern, sentence] of SENTENCES()) {
    const found = pattern.exec(rule);
    if (found) return typeof sentence === 'function' ? sentence(found[1]) : sentence;
  }
  return t('fieldErrors.thisRule', { rule });
}

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

export function clearErrors(within) {
  for (const place of within?.querySelectorAll('.field-error') ?? []) place.textContent = '';
  for (const element of within?.querySelectorAll('[aria-invalid]') ?? []) element.removeAttribute('aria-invalid');
}
