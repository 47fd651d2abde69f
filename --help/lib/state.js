// What a view waits for: data that is loaded, and acts that are done.

import { Problem } from './problems.js';
import { t } from './texts.js';

const GONE = [403, 404];

/** Returns the problem that an error is; a mistake of the page itself is one too. */
export const asProblem = (error) => {
  if (error instanceof Problem) return error;
  console.error(error);
  return new Problem({ status: 500, message: t('state.anErrorOccurredInThisPage') });
};

/** Data that is loaded, may fail and may be loaded again; the last data stay visible meanwhile. `loaded` is the end of the first load. */
export class Resource {
  #load;
  #update;
  #turn = 0;

  constructor(load, update) {
    this.#load = load;
    this.#update = update;
    this.data = undefined;
    this.problem = null;
    this.isLoading = false;
    this.loaded = this.reload();
  }

  get isReady() {
    return this.data !== undefined;
  }

  async reload() {
    const turn = ++this.#turn;
    this.isLoading = true;
    this.problem = null;
    this.#update();
    try {
      const data = await this.#load();
      if (turn === this.#turn) this.data = data;
    } catch (error) {
      if (turn === this.#turn) this.problem = asProblem(error);
    }
    if (turn === this.#turn) this.isLoading = false;
    this.#update();
  }

  /**
   * Reads again what is shown, unseen: the data stay until they have changed. Returns whether it was read: not while it is
   * loading, nor where it was set meanwhile. Raises what may pass; that it is gone or closed to the caller is shown.
   */
  async refresh(load = this.#load) {
    if (this.isLoading) return false;
    const turn = ++this.#turn;
    try {
      const data = await load();
      if (turn !== this.#turn) return false;
      if (data !== this.data || this.problem) this.set(data);
    } catch (error) {
      const found = asProblem(error);
      if (!GONE.includes(found.status)) throw found;
      if (turn !== this.#turn) return false;
      this.problem = found;
      this.#update();
    }
    return true;
  }

  /** Replaces the data by what is known to be so; an answer still under way is dropped. */
  set(data) {
    this.#turn += 1;
    Object.assign(this, { data, isLoading: false, problem: null });
    this.#update();
  }
}

/** A list that is loaded page by page, or page after page to its end; `load(cursor)` returns `{items, next}`. */
export class List extends Resource {
  #loadPage;

  constructor(load, update, { isWhole = false } = {}) {
    super(() => load(null), update);
    this.#loadPage = load;
    this.isWhole = isWhole;
    this.more = new Act(update);
  }

  async reload() {
    await super.reload();
    if (this.isWhole) await this.loadAll();
  }

  /** Reads again as many pages as are shown. */
  refresh() {
    return super.refresh(async () => {
      let { items, next } = await this.#loadPage(null);
      while (next && (this.isWhole || items.length < this.items.length)) {
        const page = await this.#loadPage(next);
        [items, next] = [[...items, ...page.items], page.next];
      }
      return { items, next };
    });
  }

  get items() {
    return this.data?.items ?? [];
  }

  get hasMore() {
    return Boolean(this.data?.next);
  }

  /** Adds the next page, unless the list was loaded anew meanwhile; returns whether the page came. */
  loadMore() {
    return this.more.run(async () => {
      const { next } = this.data;
      const page = await this.#loadPage(next);
      if (this.data.next === next) this.set({ items: [...this.items, ...page.items], next: page.next });
    });
  }

  /** Loads every page that is left, unless that is under way already. */
  async loadAll() {
    while (this.hasMore && (await this.loadMore()));
  }

  replace(items) {
    this.set({ ...this.data, items });
  }
}

/** Something that a person does: under way, failed, or neither. A repeat after a failure is the same request again. */
export class Act {
  #update;
  #work = null;
  #key = null;
  #of = '';

  constructor(update) {
    this.#update = update;
    this.isBusy = false;
    this.problem = null;
  }

  /** Does the work; returns whether it succeeded. A second call while it runs does nothing. */
  async run(work) {
    if (this.isBusy) return false;
    this.#work = work;
    Object.assign(this, { isBusy: true, problem: null });
    this.#update();
    try {
      await work();
      this.#key = null;
      return true;
    } catch (error) {
      this.problem = asProblem(error);
      return false;
    } finally {
      this.isBusy = false;
      this.#update();
    }
  }

  /** Returns a key that stays the same while one body is tried again, so that nothing is created twice. */
  keyFor(body) {
    const of = JSON.stringify(body);
    if (!this.#key || this.#of !== of) [this.#key, this.#of] = [crypto.randomUUID(), of];
    return this.#key;
  }

  retry() {
    return this.run(this.#work);
  }

  dismiss() {
    this.problem = null;
    this.#update();
  }
}
