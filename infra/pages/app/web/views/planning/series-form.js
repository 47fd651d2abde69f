// The form of a series of meetings: when it begins, how often it recurs, and the next six dates while one types.

import { date, ownZone, today, weekday, zoneName, zones } from '../../lib/dates.js';
import { monthName, readMonths } from '../../lib/plan.js';
import { Problem } from '../../lib/problems.js';
import { daysOf, placesOf, ruleOf, saidBy } from '../../lib/rule.js';
import { choice, closeAround, field, form, html, nothing } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';

const MINUTES = 120;
const OPENS_DAYS_BEFORE = 30;
const SHOWN = 6;
const UNITS = () => [['MONTHLY', t('series.months')], ['WEEKLY', t('series.weeks')], ['YEARLY', t('series.years')]];
const BEGINNING = { interval: '1', unit: 'MONTHLY' };
const NTHS = () => [t('series.first'), t('series.second'), t('series.third'), t('series.fourth')];

export class SeriesForm {
  /** `of` is what the form stands in: its committees, templates and acts; `series` the one that is changed. */
  constructor(app, of, series = null) {
    Object.assign(this, { app, of, series, before: series ? typedOf(series) : BEGINNING });
    this.typed = this.before;
    this.isKept = Boolean(series) && !saidBy(series.rule, series.start.slice(0, 10));
  }

  #id(name) {
    return `series-${this.series?.id ?? 'new'}-${name}`;
  }

  render() {
    const { series, of } = this;
    const zone = series?.timezone ?? ownZone();
    const act = of.act(this.#id('act'));
    return html`<div @input=${this.#onInput} @change=${this.#onInput}>${form({
      act, button: series ? t('common.save') : t('series.createTheSeries'), keep: Boolean(series),
      submit: async (values, target) => {
        await of.save(this.#body(values), series, act);
        if (series) return closeAround(target);
        this.typed = BEGINNING;
        return target.elements.title.focus();
      },
      content: html`
        ${field('title', t('common.title'), { id: this.#id('title'), value: series?.title, required: true, of: 'createSeries' })}
        <div class="pair">
          ${field('start', t('series.firstMeeting'), { id: this.#id('start'), type: 'datetime-local', value: series?.start, required: true })}
          ${field('durationMinutes', t('meetingAgenda.minutes'), { id: this.#id('minutes'), type: 'number', value: series?.durationMinutes ?? MINUTES, min: 5, max: 1440, required: true })}
        </div>
        ${this.isKept ? html`<p class="soft">${t('series.itsRuleStays', { rule: series.rule })}</p>` : this.#recurrence()}
        ${this.#preview()}
        <div class="pair">
          ${field('location', t('meetingForm.place'), { id: this.#id('location'), value: series?.location, of: 'createSeries' })}
          ${of.templates.length ? choice('templateId', t('series.template'), [['', t('series.none')], ...of.templates.map(({ id, name }) => [id, name])], { id: this.#id('template'), value: series?.templateId ?? '' }) : nothing}
          ${of.own.length ? choice('committeeId', t('year.seenBy'), [['', t('year.theWholeBoard')], ...of.own], { id: this.#id('committee'), value: series?.committeeId ?? '' }) : nothing}
          ${field('endsOn', t('series.lastDay'), { id: this.#id('ends'), type: 'date', value: series?.endsOn, hint: t('series.leaveEmptyToGoOn') })}
          ${field('opensDaysBefore', t('series.calledDaysBefore'), { id: this.#id('opens'), type: 'number', value: series?.opensDaysBefore ?? OPENS_DAYS_BEFORE, min: 1, max: 180, required: true })}
          ${choice('timezone', t('common.timeZone'), zones(zone).map((each) => [each, zoneName(each)]), { id: this.#id('zone'), value: zone })}
        </div>`,
    })}</div>`;
  }

  #recurrence() {
    const { unit, interval, place, months } = this.before;
    return html`<div class="pair">
      ${field('interval', t('series.every'), { id: this.#id('interval'), type: 'number', value: interval, min: 1, max: 12, required: true })}
      ${choice('unit', t('series.unit'), UNITS(), { id: this.#id('unit'), value: unit })}
      ${this.typed.unit === 'WEEKLY' || !this.#day ? nothing : choice('place', t('series.on'), placesOf(this.#day).map(([each, number]) => [each, this.#placeWords(each, number)]), { id: this.#id('place'), value: place })}
      ${field('months', t('series.onlyIn'), { id: this.#id('months'), value: months, hint: t('series.suchMonths') })}
    </div>`;
  }

  #placeWords(place, number) {
    const day = weekday(`${this.#day}T00:00:00Z`, 'UTC');
    if (place === 'nth') return t('series.onTheNth', { nth: NTHS()[number - 1], day });
    if (place === 'last') return t('series.onTheLast', { day });
    return place === 'day' ? t('series.onDay', { number }) : t('series.onTheLastDay');
  }

  /** The day of the first meeting that was typed; "" where it is none. */
  get #day() {
    return (this.typed.start ?? '').slice(0, 10);
  }

  #onInput = ({ target: { form: typing } }) => {
    this.typed = Object.fromEntries(new FormData(typing));
    this.app.update();
  };

  /** Returns the rule that is typed; null where it is none. */
  #rule({ unit, interval, place, months }) {
    if (this.isKept) return this.series.rule;
    const named = months?.trim() ? readMonths(months) : null;
    const places = placesOf(this.#day).map(([each]) => each);
    if (!Number(interval) || (months?.trim() && !named)) return null;
    return ruleOf({ unit, interval: Number(interval), place: places.includes(place) ? place : places[0], months: named }, this.#day);
  }

  #preview() {
    const rule = this.#day && this.#rule(this.typed);
    if (!rule) return this.#day ? html`<p class="soft" role="status">${t('series.thisIsNoMonth')}</p>` : nothing;
    const until = this.typed.endsOn || undefined;
    const days = daysOf(rule, this.#day, { since: this.#day > today() ? this.#day : today(), until, most: SHOWN });
    if (!days.length) return html`<p class="soft" role="status">${t('series.noDayIsLeft')}</p>`;
    const year = days[0].slice(0, 4);
    const number = daysOf(rule, this.#day, { since: `${year}-01-01`, until: until && until < `${year}-12-31` ? until : `${year}-12-31`, most: 366 }).length;
    return html`<div role="status"><p>${t('series.theNextDates')} <span class="soft">${t('series.meetingsIn', { number, year })}</span></p>
      <ul class="dates">${days.map((day) => html`<li>${date(`${day}T00:00:00Z`, 'UTC')}</li>`)}</ul></div>`;
  }

  /** Returns the body of a request. The first meeting is on the first day of the rule, which may be after the day that was typed. */
  #body({ title, start, durationMinutes, location, templateId, committeeId, endsOn, opensDaysBefore, timezone }) {
    const rule = this.#rule(this.typed);
    if (!rule) throw new Problem({ status: 400, message: t('series.thisIsNoMonth') });
    const [first] = daysOf(rule, start.slice(0, 10), { most: 1 });
    if (!first) throw new Problem({ status: 400, message: t('series.noDayIsLeft') });
    const set = { title, rule, start: `${first}${start.slice(10, 16)}`, timezone, durationMinutes: Number(durationMinutes), location: location || null, endsOn: endsOn || null, opensDaysBefore: Number(opensDaysBefore) };
    return { ...set, ...(templateId === undefined ? {} : { templateId: templateId || null }), ...(committeeId === undefined ? {} : { committeeId: committeeId || null }) };
  }
}

/** What the fields of a series hold. */
function typedOf({ rule, start, endsOn }) {
  const said = saidBy(rule, start.slice(0, 10));
  if (!said) return { start, endsOn };
  const months = said.months?.map((month) => monthName(month, 'short')).join(', ') ?? '';
  return { start, endsOn, unit: said.unit, interval: String(said.interval), place: said.place, months };
}
