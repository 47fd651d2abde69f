// What the caller may do. The API is asked for all actions that a view offers at once; its rules are not repeated here.

import { LIMITS } from './openapi.js';
import { request } from './operations.js';
import { asProblem } from './state.js';

const { evaluations: MOST } = LIMITS.evaluateAccessBatch; // in one request

/**
 * Stands for an id that a view does not know yet: that of a slot to vote on, of an item to change. Nothing has this id. Where
 * the caller is allowed the action, the API says nothing worse than that the thing does not exist.
 */
export const ANY = '0'.repeat(24);

/** Decisions of the API on actions: operations with the ids that they are called with, `[name, params]`. */
export class Access {
  #decisions = new Map();
  #asked = new Map();
  #waiting = 0;

  constructor(api, update) {
    Object.assign(this, { api, update, problem: null });
  }

  /** Begins a view: asks about its actions. Decisions of views before stay until there is a newer one. */
  enter(actions) {
    this.#asked.clear();
    this.problem = null;
    return this.ask(actions);
  }

  /** Asks about further actions of the present view. */
  ask(actions) {
    for (const [name, params] of actions) this.#asked.set(keyOf(name, params), [name, params]);
    return this.#evaluate(actions);
  }

  /** Asks about all actions of the present view again. */
  reload() {
    this.problem = null;
    return this.#evaluate([...this.#asked.values()]);
  }

  /** Asks again as `Resource.refresh` reads again. */
  async refresh() {
    await this.reload();
    return !this.problem;
  }

  forget() {
    this.#decisions.clear();
    this.#asked.clear();
  }

  /** Whether an answer is still to come. */
  get isBusy() {
    return this.#waiting > 0;
  }

  /** Whether to offer an action; not before the API has said so. A view must have asked about it. */
  may(name, params) {
    const key = keyOf(name, params);
    if (this.#asked.size && !this.#asked.has(key)) console.error(`Nobody asked whether to offer ${key}`);
    return this.#decisions.get(key) ?? false;
  }

  async #evaluate(actions) {
    const parts = [];
    for (let start = 0; start < actions.length; start += MOST) parts.push(actions.slice(start, start + MOST));
    this.#waiting += 1;
    try {
      await Promise.all(parts.map((part) => this.#evaluatePart(part)));
    } catch (error) {
      this.problem = asProblem(error);
    }
    this.#waiting -= 1;
    this.update();
  }

  async #evaluatePart(actions) {
    const evaluations = actions.map(([name, params]) => ({ action: { name }, resource: { type: 'route', id: request(name, params).address } }));
    const { evaluations: found } = /** @type {import('./schema.js').components['schemas']['AccessDecisions']} */ (await this.api.call('evaluateAccessBatch', { body: { evaluations } }));
    found.forEach(({ decision, context }, index) => {
      const [name, params] = actions[index];
      this.#decisions.set(keyOf(name, params), decision || (isOfAny(params) && context.status === 404));
    });
  }
}

function keyOf(name, params) {
  return `${name} ${request(name, params).address}`;
}

function isOfAny(params = {}) {
  return Object.values(params).includes(ANY);
}
