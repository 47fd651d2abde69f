// Pieces that all views are made of.

import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { keyed } from '../vendor/lit-html/directives/keyed.js';
import { live } from '../vendor/lit-html/directives/live.js';
import { repeat } from '../vendor/lit-html/directives/repeat.js';
import { dateTime, relative } from './dates.js';
import { inWords, isRetryable } from './problems.js';
import { hue, initials, label } from './words.js';

export { html, keyed, live, nothing, repeat };

/** A person's initials in a circle; hidden from screen readers, because the name is written next to it. */
export function avatar(name) {
  return html`<span class="avatar hue-${hue(name)}" aria-hidden="true">${initials(name)}</span>`;
}

export function person(name, small = '') {
  return html`<span class="person">${avatar(name)}<span class="name">${name}${small ? html`<small>${small}</small>` : nothing}</span></span>`;
}

export function pill(value, tone = TONES[value] ?? '') {
  return value ? html`<span class="pill ${tone}">${label(value)}</span>` : nothing;
}

const TONES = {
  scheduled: 'accent', in_progress: 'accent', published: 'good', finalized: 'good', completed: 'good', internally_reviewed: 'good',
  accepted: 'good', active: 'good', draft: 'warn', changes_requested: 'warn', ready_for_review: 'accent', pending: 'accent',
};

/** A moment in words, with the exact time behind it. */
export function moment(instant) {
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
      ${found.requestId && found.status >= 500 ? html`<p class="small">Request ${found.requestId}</p>` : nothing}
    </div>`;
}

function offersFor(found, retry, dismiss) {
  const offers = [];
  if (found.status === 401) offers.push(html`<button type="button" class="primary" data-sign-in>Sign in again</button>`);
  if (found.status === 412) offers.push(html`<button type="button" data-reload @click=${dismiss ?? nothing}>Load their version</button>`);
  if (retry && (isRetryable(found) || !dismiss)) offers.push(html`<button type="button" @click=${retry}>Try again</button>`);
  if (dismiss) offers.push(html`<button type="button" class="plain" @click=${dismiss}>Dismiss</button>`);
  return offers;
}

function fieldList(found) {
  const entries = Object.entries(found.fields);
  if (!entries.length) return nothing;
  return html`<ul>${entries.map(([field, why]) => html`<li>${field === 'body' ? '' : html`<b>${label(field)}</b>: `}${why}</li>`)}</ul>`;
}

/** Shows a resource: while it loads, when it failed, and its data. */
export function show(resource, what, template) {
  if (resource.isReady) {
    return html`${resource.problem ? problem(resource.problem, () => resource.reload()) : nothing}${template(resource.data)}`;
  }
  if (resource.problem) return problem(resource.problem, () => resource.reload());
  return html`<p class="loading" role="status">Loading ${what} …</p>`;
}

/** Shows a list with a button for its next page; `none` is said where it is empty. */
export function showList(list, what, none, template) {
  return show(list, what, ({ items }) => html`
    ${items.length ? template(items) : html`<p class="empty">${none}</p>`}
    ${list.hasMore ? html`<p class="row"><button type="button" ?disabled=${list.more.isBusy} @click=${() => list.loadMore()}>Show more</button></p>` : nothing}
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

/** A button that asks before it acts: the first click opens the question, in place. */
export function confirmButton({ act, text, question, yes, run }) {
  return html`
    <details class="confirm">
      <summary class="button danger">${text}</summary>
      <div class="confirm-box">
        <p>${question}</p>
        <button type="button" class="danger solid" ?disabled=${act.isBusy} @click=${run}>${yes}</button>
        ${actProblem(act)}
      </div>
    </details>`;
}

/** A form whose fields keep what is typed until it was taken. `submit(values, form)` gets the trimmed strings. */
export function form({ act, submit, button, content, cancel = null, keep = false }) {
  const onSubmit = async (event) => {
    event.preventDefault();
    const target = event.currentTarget;
    const done = await act.run(() => submit(values(target), target));
    if (done && !keep) target.reset();
  };
  return html`
    <form class="form" @submit=${onSubmit} autocomplete="off">
      ${content}
      ${actProblem(act)}
      <p class="row">
        <button type="submit" class="primary" ?disabled=${act.isBusy}>${act.isBusy ? 'One moment …' : button}</button>
        ${cancel ? html`<button type="button" class="plain" @click=${cancel}>Cancel</button>` : nothing}
      </p>
    </form>`;
}

/** Returns what a form holds: a string for each field, a list for each group of checkboxes. */
function values(target) {
  const data = new FormData(target);
  const groups = [...target.querySelectorAll('[data-list]')].map(({ name }) => [name, data.getAll(name)]);
  return { ...Object.fromEntries(data), ...Object.fromEntries(groups) };
}

/** A labelled input; `attributes` are those of the element that a template can set. */
export function field(name, text, { id = `f-${name}`, type = 'text', value = '', required = false, maxlength = nothing, hint = '', min = nothing, max = nothing, step = nothing, autocomplete = 'off', placeholder = nothing } = {}) {
  return html`
    <div class="field">
      <label for=${id}>${text}${required ? nothing : html` <span class="optional">optional</span>`}</label>
      <input id=${id} name=${name} type=${type} .defaultValue=${value ?? ''} ?required=${required} maxlength=${maxlength}
        min=${min} max=${max} step=${step} autocomplete=${autocomplete} placeholder=${placeholder} aria-describedby=${hint ? `${id}-hint` : nothing}>
      ${hint ? html`<p class="hint" id="${id}-hint">${hint}</p>` : nothing}
    </div>`;
}

export function area(name, text, { id = `f-${name}`, value = '', maxlength = nothing, rows = 3, hint = '' } = {}) {
  return html`
    <div class="field">
      <label for=${id}>${text} <span class="optional">optional</span></label>
      <textarea id=${id} name=${name} rows=${rows} maxlength=${maxlength} .defaultValue=${value ?? ''} aria-describedby=${hint ? `${id}-hint` : nothing}></textarea>
      ${hint ? html`<p class="hint" id="${id}-hint">${hint}</p>` : nothing}
    </div>`;
}

/** A labelled choice; `options` are values or pairs of value and words. */
export function choice(name, text, options, { id = `f-${name}`, value = '', onChange = null } = {}) {
  const pairs = options.map((option) => (Array.isArray(option) ? option : [option, label(option)]));
  return html`
    <div class="field">
      <label for=${id}>${text}</label>
      <select id=${id} name=${name} @change=${onChange ?? nothing}>
        ${pairs.map(([each, words]) => html`<option value=${each} ?selected=${each === value}>${words}</option>`)}
      </select>
    </div>`;
}

/** A group of checkboxes under one name. */
export function checks(name, text, options, chosen = []) {
  return html`
    <fieldset class="checks">
      <legend>${text}</legend>
      ${options.map(([value, words]) => html`
        <label><input type="checkbox" name=${name} value=${value} data-list ?checked=${chosen.includes(value)}> <span>${words}</span></label>`)}
    </fieldset>`;
}

/** Something that opens in place: a form behind a button. */
export function disclosure(text, content, { open = false } = {}) {
  return html`<details class="disclosure" ?open=${open}><summary class="button">${text}</summary><div class="disclosure-box">${content}</div></details>`;
}

/** Closes the disclosure around an element and gives the focus back to its button. */
export function closeAround(element) {
  const around = element.closest('details');
  if (!around) return;
  around.open = false;
  around.querySelector('summary').focus();
}
