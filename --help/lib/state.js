
import { Problem } from './problems.js';
import { t } from './texts.js';

const GONE = [403, 404];

export const asProblem = (error) => {
  if (error instanceof Problem) return error;
  console.error(error);
  return new Problem({ status: 500, message: t('state.anErrorOccurredInThisPage') });
};

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

  set(data) {
    this.#turn += 1;
    Object.assign(this, { data, isLoading: false, problem: null });
    this.#update();
  }
}

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

  loadMore() {
    return this.more.run(async () => {
      const { next } = this.data;
      const page = await this.#loadPage(next);
      if (this.data.next === next) this.set({ items: [...this.items, ...page.items], next: page.next });
    });
  }

  async loadAll() {
    while (this.hasMore && (await this.loadMore()));
  }

  replace(items) {
    this.set({ ...this.data, items });
  }
}

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
