// Tests of removals that can be taken back for a moment.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

import { load } from './load.mjs';
import { bound, settled } from './rendered.mjs';

const { MOMENT_MS, Removals } = await load('removals');
const { Problem } = await load('problems');
const app = { update() {}, say() {} };
const items = [{ id: 'a' }, { id: 'b' }];
const shown = (removals) => removals.without(items, ({ id }) => id).map(({ id }) => id);

function begun(send = async () => {}) {
  const removals = new Removals(app);
  const did = [];
  removals.begin('a', 'First', { send: () => { did.push('sent'); return send(); }, done: () => did.push('done') });
  return { removals, did };
}

test('what is removed is out of sight at once, and sent when the moment is over', async (context) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  context.after(() => mock.timers.reset());
  const { removals, did } = begun();
  assert.deepEqual([shown(removals), did], [['b'], []]);
  mock.timers.tick(MOMENT_MS);
  mock.timers.reset();
  await settled();
  assert.deepEqual(did, ['sent', 'done']);
});

test('what is taken back is never sent', async (context) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  context.after(() => mock.timers.reset());
  const { removals, did } = begun();
  bound(removals.render(), '@click')[0]();
  mock.timers.tick(MOMENT_MS);
  removals.dispose();
  assert.deepEqual([shown(removals), did], [['a', 'b'], []]);
});

test('what still waits is sent when the view is left', async () => {
  const { removals, did } = begun();
  removals.dispose();
  await settled();
  assert.deepEqual(did, ['sent', 'done']);
});

test('what could not be removed is there again; what somebody else has removed is gone', async () => {
  const refused = begun(() => Promise.reject(new Problem({ status: 409 })));
  refused.removals.dispose();
  const gone = begun(() => Promise.reject(new Problem({ status: 404 })));
  gone.removals.dispose();
  await settled();
  assert.deepEqual([shown(refused.removals), refused.did, gone.did], [['a', 'b'], ['sent'], ['sent', 'done']]);
});
