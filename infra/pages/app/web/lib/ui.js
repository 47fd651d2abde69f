// Pieces that all views are made of.

import { html, nothing, render } from '../vendor/lit-html/lit-html.js';
import { keyed } from '../vendor/lit-html/directives/keyed.js';
import { live } from '../vendor/lit-html/directives/live.js';
import { repeat } from '../vendor/lit-html/directives/repeat.js';
import { dateTime, relative } from './dates.js';
import { ICONS } from './icons.js';
import { LIMITS } from './openapi.js';
import { drafts } from './drafts.js';
import { clearErrors, fieldSentence, placeErrors } from './field-errors.js';
import { inWords, isRetryable } from './problems.js';
import { hue, initials, label } from './words.js';
import { t } from './texts.js';

export { html, keyed, live, nothing, repeat };

/** So many names are read at a glance. */
export const MOST_NAMES = 8;

/** A picture beside words that say the same; hidden from screen readers. */
export function icon(name) {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${ICONS[name]}</svg>`;
}

/** A person's initials in a circle; hidden from screen readers, because the name is written next to it. */
export function avatar(name) {
  return html`<span class="avatar hue-${hue(name)}" aria-hidden="true">${initials(name)}</span>`;
}

export function person(name, small = '') {
  return html`<span class="person">${avatar(name)}<span class="name">${name}${small ? html`<small>${small}</small>` : nothing}</span></span>`;
}

/** Names in a row; after so many it says how many more. One that is written from right to left turns none of its neighbours. */
export function nameList(names, most = MOST_NAMES) {
  const more = names.length - most;
  return html`${names.slice(0, most).map((name, index) => html`${index ? ', ' : nothing}<bdi>${name}</bdi>`)}${more > 0 ? html` ${t('ui.andMore', { number: more })}` : nothing}`;
}

export function pill(value, tone = TONES[value] ?? '') {
  return value ? html`<span class="pill ${tone}">${label(value)}</span>` : nothing;
}

const TONES = {
  open: 'accent', carried: 'good', rejected: 'bad', lapsed: 'warn',
  scheduled: 'accent', in_progress: 'accent', published: 'good', finalized: 'good', completed: 'good', internally_reviewed: 'good',
  approved: 'good', delivered: 'accent', returned: 'warn',
  accepted: 'good', active: 'good', draft: 'warn', changes_requested: 'warn', ready_for_review: 'accent', pending: 'accent',
};

/** A time relative to now in words, such as "3 hours ago", with the exact time as its title. */
export function relativeTime(instant) {
  return html`<time datetime=${instant} title=${dateTime(instant)}>${relative(instant)}</time>`;
}

/** What went wrong, where it happened, with one click to try again. */
export function problem(found, retry = null, dismiss = null) {
  if (!found) return nothing;
  const { heading, text } = inWords(found);
  const offers = offersFor(found, retry, dismiss);
  return html`
    <div class="problem" role="alert">
      <p><strong>${heading}</strong> ${text}</p>
      ${fieldList(found)}
      ${offers.length ? html`<p class="row">${offers}</p>` : nothing}
      ${found.requestId && found.status >= 500 ? html`<p class="small">${t('ui.requestRequestid', { requestId: found.requestId })}</p>` : nothing}
    </div>`;
}

function offersFor(found, retry, dismiss) {
  const offers = [];
  const isTooOld = found.code === 'FRESH_SESSION_REQUIRED';
  if (found.status === 401 || isTooOld) offers.push(html`<button type="button" class="primary" data-sign-in=${isTooOld ? 'anew' : ''}>${t('common.signInAgain')}</button>`);
  if (found.status === 412) offers.push(html`<button type="button" data-reload @click=${dismiss ?? nothing}>${t('ui.loadTheirVersion')}</button>`);
  if (retry && (isRetryable(found) || !dismiss)) offers.push(html`<button type="button" @click=${retry}>${t('ui.tryAgain')}</button>`);
  if (dismiss) offers.push(html`<button type="button" class="plain" @click=${dismiss}>${t('ui.dismiss')}</button>`);
  return offers;
}

function fieldList(found) {
  const entries = Object.entries(found.fields).filter(([field]) => !found.placed?.includes(field));
  if (!entries.length) return nothing;
  return html`<ul>${entries.map(([field, rule]) => html`<li>${field === 'body' ? '' : html`<b>${label(field)}</b>: `}${fieldSentence(rule)}</li>`)}</ul>`;
}

/** Shows a resource: while it loads, when it failed, and its data. */
export function show(resource, what, template) {
  if (resource.isReady) {
    return html`${resource.problem ? problem(resource.problem, () => resource.reload()) : nothing}${template(resource.data)}`;
  }
  if (resource.problem) return problem(resource.problem, () => resource.reload());
  return html`<p class="loading" role="status">${t('ui.loadingWhat', { what })}</p>`;
}

/** Shows a list with a button for its next page; `none` is said where it is empty. */
export function showList(list, what, none, template) {
  return show(list, what, ({ items }) => html`
    ${items.length ? template(items) : html`<p class="empty">${none}</p>`}
    ${list.hasMore ? html`<p class="row"><button type="button" ?disabled=${list.more.isBusy} @click=${() => list.loadMore()}>${t('common.showMore')}</button></p>` : nothing}
    ${problem(list.more.problem, () => list.more.retry())}`);
}

/** A card with a heading. */
export function card(heading, content, { aside = nothing, id = undefined, level = 2 } = {}) {
  const title = level === 2 ? html`<h2>${heading}</h2>` : html`<h3>${heading}</h3>`;
  return html`<section class="card" id=${id ?? nothing}><div class="card-head">${title}${aside}</div>${content}</section>`;
}

/** The problem of an act, with its retry. */
export function actProblem(act) {
  return problem(act.problem, () => act.retry(), () => act.dismiss());
}

/** A card that is one line until it is opened. */
export function folded(heading, content, { id = undefined, isOpen = false } = {}) {
  return html`<details class="card fold" id=${id ?? nothing} ?open=${isOpen}><summary><h2>${heading}</h2></summary>${content}</details>`;
}

/**
 * A button that asks before it acts: nothing else of the page can be reached meanwhile. `tone` is `danger` for what cannot be
 * undone; `of` names the button where its text alone does not; `keep` says on the second button what stays as it is: by itself the thing, or that nothing is
 * done yet.
 */
export function confirmButton({ act, text, question, yes, run, tone = 'danger', keep = tone === 'danger' ? t('ui.keepIt') : t('ui.notNow'), of = nothing }) {
  const ask = ({ currentTarget: { nextElementSibling: box } }) => {
    box.showModal();
    box.focus();
  };
  const answer = async ({ currentTarget }) => {
    await run();
    if (act.problem) return;
    close(currentTarget);
    closeMenu(currentTarget);
  };
  return html`
    <span class="confirm">
      <button type="button" class=${tone} aria-haspopup="dialog" aria-label=${of} ?disabled=${act.isBusy} @click=${ask}>${text}</button>
      <dialog class="confirm-box" aria-label=${text} tabindex="-1">
        <div class="question">${question}</div>
        <p class="row">
          <button type="button" class="${tone === 'danger' ? tone : 'primary'} solid" ?disabled=${act.isBusy} @click=${answer}>${yes}</button>
          <button type="button" class="plain" @click=${({ currentTarget }) => close(currentTarget)}>${keep}</button>
        </p>
        ${actProblem(act)}
      </dialog>
    </span>`;
}

/** Asks over the page, and returns whether the answer is yes; `keep` says on the second button what stays as it is. */
export function confirmed({ question, yes, keep }) {
  const dialog = document.createElement('dialog');
  dialog.className = 'confirm-box';
  render(html`<div class="question">${question}</div>
    <p class="row"><button type="button" class="primary solid" @click=${() => dialog.close('yes')}>${yes}</button>
      <button type="button" class="plain" @click=${() => dialog.close('')}>${keep}</button></p>`, dialog);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
  });
}

function close(element) {
  element.closest('dialog')?.close();
}

/**
 * What may be done with one row of a list, behind one button; `of` names the row. `opened` is called when it is opened. It closes
 * with what was done.
 */
export function menu(of, content, opened = () => {}) {
  const toggled = (event) => {
    place(event);
    if (event.target.open) opened();
  };
  const pressed = ({ target, currentTarget }) => {
    if (target.closest('button')?.parentElement === currentTarget) closeMenu(currentTarget);
  };
  return html`<details class="menu" @toggle=${toggled}><summary class="button small" aria-label=${t('ui.moreForOf', { of })}>${icon('ellipsis-horizontal')}</summary><div class="menu-box" @click=${pressed}>${content}</div></details>`;
}

/** Closes the menu that an element is in, and gives the focus back to its button. */
function closeMenu(element) {
  const around = element?.closest('details.menu');
  if (!around) return;
  around.open = false;
  around.querySelector('summary').focus();
}

/** Closes the menus that lie over the page: all but the one that was pressed, or by Escape the last of them. */
export function closeMenus({ type, target }) {
  const open = [...document.querySelectorAll('details.menu[open]')];
  if (type !== 'keydown') open.filter((each) => !each.contains(target)).forEach((each) => { each.open = false; });
  else if (!document.querySelector('dialog[open]')) closeMenu(open.at(-1));
}

/** A menu behind a button with words; of several one is open. `of` names the button where its words do not. */
export function wordMenu(words, content, { of = undefined, look = 'button' } = {}) {
  return html`<details class="menu" name="words" @toggle=${place}><summary class=${look} aria-label=${of ?? nothing}>${words}</summary><div class="menu-box">${content}</div></details>`;
}

/** Puts an opened menu where there is room for it: it lies over the page. */
function place({ target }) {
  const box = target.querySelector('.menu-box');
  box.classList.remove('end');
  box.classList.toggle('end', box.getBoundingClientRect().right > document.documentElement.clientWidth);
}

/**
 * A form whose fields keep what is typed until it was taken. `submit(values, form)` gets the trimmed strings. What the API says
 * about a field is written at the field. `ask(values)` returns the question that is asked first (see `confirmed`), or null.
 */
export function form({ act, submit, button, content, keep = false, ask = (_values) => null }) {
  const onSubmit = async (event) => {
    event.preventDefault();
    const target = event.currentTarget;
    const path = location.pathname;
    clearErrors(target);
    const asked = ask(values(target));
    if (asked && !(await confirmed(asked))) return;
    const done = await act.run(async () => {
      try {
        await submit(values(target), target);
      } catch (error) {
        placeErrors(target, error);
        throw error;
      }
    });
    if (!done) return;
    target.dataset.draft = '';
    drafts.drop(path, target);
    if (!keep) target.reset();
  };
  return html`
    <form class="form" @submit=${onSubmit} @input=${clearField} autocomplete="off">
      ${content}
      ${actProblem(act)}
      <p class="row">
        <button type="submit" class="primary" ?disabled=${act.isBusy}>${act.isBusy ? t('common.oneMoment') : button}</button>
      </p>
    </form>`;
}

function clearField({ target }) {
  clearErrors(target.closest('.field, .checks, .options'));
}

/** Returns what a form holds: a string for each field, a list for each group of checkboxes. */
function values(target) {
  const data = new FormData(target);
  const groups = [...target.querySelectorAll('[data-list]')].map(({ name }) => [name, data.getAll(name)]);
  return { ...Object.fromEntries(data), ...Object.fromEntries(groups) };
}

/** A labelled input for a field of a request; `of` is the operation, which limits its length. */
export function field(name, text, { id = `f-${name}`, type = 'text', value = '', required = false, of = '', hint = '', min = nothing, max = nothing, step = nothing, autocomplete = 'off', placeholder = nothing } = {}) {
  return html`
    <div class="field">
      <label for=${id}>${text}${required ? nothing : html` <span class="optional">${t('ui.optional')}</span>`}</label>
      <input id=${id} name=${name} type=${type} .defaultValue=${value ?? ''} ?required=${required} maxlength=${longest(of, name)}
        min=${min} max=${max} step=${step} autocomplete=${autocomplete} placeholder=${placeholder} aria-describedby="${id}-error ${id}-hint">
      ${below(id, hint)}
    </div>`;
}

/** A labelled text of several lines; `of` as in `field`. */
export function area(name, text, { id = `f-${name}`, value = '', of = '', rows = 3, hint = '', isRequired = false } = {}) {
  return html`
    <div class="field">
      <label for=${id}>${text}${isRequired ? nothing : html` <span class="optional">${t('ui.optional')}</span>`}</label>
      <textarea id=${id} name=${name} rows=${rows} ?required=${isRequired} maxlength=${longest(of, name)} .defaultValue=${value ?? ''} aria-describedby="${id}-error ${id}-hint"></textarea>
      ${below(id, hint)}
    </div>`;
}

/** What stands below a field: what is wrong with it, and a hint. */
function below(id, hint) {
  return html`<p class="field-error" id="${id}-error"></p><p class="hint" id="${id}-hint">${hint}</p>`;
}

/** Whether a key is Enter by itself: not one that ends a composed character. */
export function isEnter({ key, isComposing, altKey, ctrlKey, metaKey, shiftKey }) {
  return key === 'Enter' && !isComposing && !altKey && !ctrlKey && !metaKey && !shiftKey;
}

/** Returns how long a field of an operation's request may be. */
export function longest(of, name) {
  return LIMITS[of]?.[name] ?? nothing;
}

/** A labelled choice; `options` are values, pairs of value and words, or a template of options. */
export function choice(name, text, options, { id = `f-${name}`, value = '', onChange = null, required = false, hint = '' } = {}) {
  const offer = (option) => {
    const [each, words] = Array.isArray(option) ? option : [option, label(option)];
    return html`<option value=${each} ?selected=${each === value}>${words}</option>`;
  };
  return html`
    <div class="field">
      <label for=${id}>${text}</label>
      <select id=${id} name=${name} ?required=${required} @change=${onChange ?? nothing} aria-describedby="${id}-error ${id}-hint">
        ${Array.isArray(options) ? options.map(offer) : options}
      </select>
      ${below(id, hint)}
    </div>`;
}

/** A group of checkboxes under one name. */
export function checks(name, text, options, chosen = []) {
  return html`
    <fieldset class="checks">
      <legend>${text}</legend>
      ${options.map(([value, words]) => html`
        <label><input type="checkbox" name=${name} value=${value} data-list ?checked=${chosen.includes(value)}> <span>${words}</span></label>`)}
      <p class="field-error"></p>
    </fieldset>`;
}

/** Something that opens in place: a form behind a button. */
export function disclosure(text, content, { id = null, isOpen = false } = {}) {
  return html`<details class="disclosure" id=${id ?? nothing} ?open=${isOpen}><summary class="button">${text}</summary><div class="disclosure-box">${content}</div></details>`;
}

/** Closes the disclosure around an element, and the menu that it is in; gives the focus back to its button. */
export function closeAround(element) {
  const around = element.closest('details');
  if (!around) return;
  around.open = false;
  around.querySelector('summary').focus();
  closeMenu(around);
}
