// Addresses and views.

import { storage } from './storage.js';

/** Where somebody who signs in arrives. */
export const HOME = '/app/for-you';

const RETURN = 'board-governance.return';

/** Keeps the page that is left for signing in. */
export function keepAddress({ pathname, search }) {
  storage.setItem(RETURN, pathname + search);
}

/** Returns the page to go on with after signing in: one of our own, never another host's. */
export function returnAddress() {
  const kept = storage.getItem(RETURN) ?? HOME;
  storage.removeItem(RETURN);
  return /^\/(?!\/|\\)/.test(kept) ? kept : HOME;
}

/** Returns the entry of the first route that fits a path, with its parameters; null where none does. */
export function match(routes, path) {
  for (const route of routes) {
    const params = fit(route.path, path);
    if (params) return { route, params };
  }
  return null;
}

function fit(template, path) {
  const wanted = template.split('/');
  const given = path.length > 1 ? path.replace(/\/$/, '').split('/') : ['', ''];
  if (wanted.length !== given.length) return null;
  const params = {};
  for (const [index, part] of wanted.entries()) {
    if (part.startsWith(':')) {
      const value = decoded(given[index]);
      if (!value) return null;
      params[part.slice(1)] = value;
    } else if (part !== given[index]) return null;
  }
  return params;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** Follows the history: calls `open(path, isBack)` for each address that a click, `go` or the browser leads to. */
export class Router {
  constructor(routes, open) {
    this.routes = routes;
    this.open = open;
  }

  start() {
    history.scrollRestoration = 'manual';
    addEventListener('popstate', (event) => this.open(event.state?.scroll ?? 0));
    document.addEventListener('click', (event) => this.#click(event));
    this.open(history.state?.scroll ?? 0);
    addEventListener('pagehide', () => this.#keepPlace());
  }

  /** Goes to an address of these pages; to one of another page the browser goes itself. */
  go(address, { replace = false } = {}) {
    const { pathname } = new URL(address, location.origin);
    if (!match(this.routes, pathname)) return location[replace ? 'replace' : 'assign'](address);
    this.#keepPlace();
    history[replace ? 'replaceState' : 'pushState']({}, '', address);
    this.open(0);
  }

  /** Changes the query of the address without leaving the view. */
  query(values) {
    const search = new URLSearchParams(Object.entries(values).filter(([, value]) => value)).toString();
    history.replaceState(history.state, '', location.pathname + (search ? `?${search}` : ''));
  }

  #keepPlace() {
    history.replaceState({ ...history.state, scroll: scrollY }, '');
  }

  #click(event) {
    const link = event.target.closest?.('a[href]');
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain || event.defaultPrevented || link.target || link.origin !== location.origin) return;
    if (link.hash && link.pathname === location.pathname) return;
    if (!match(this.routes, link.pathname)) return;
    event.preventDefault();
    this.go(link.pathname + link.search);
  }
}
