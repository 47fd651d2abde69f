// Tests of work that goes on while one is elsewhere.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load, storage } from './load.mjs';
import { settled } from './rendered.mjs';

const { JOBS, drafts, hasJobs } = await load('drafts');
const { Jobs } = await load('jobs');
const { Problem } = await load('problems');
const JOB = { id: 'pack m', kind: 'pack', params: { boardId: 'b', documentId: 'd' }, title: 'Q3', page: '/here', result: '/there' };

/** Returns jobs of an app whose API answers by this function. */
function jobsOf(answer) {
  drafts.keepIn(storage());
  const page = async () => ({ items: [await answer()] });
  return new Jobs({ update() {}, api: { page } });
}

test('what is followed is kept where a reload finds it, until it is dismissed', async () => {
  const jobs = jobsOf(async () => ({ status: 'ready' }));
  let finished = 0;
  jobs.follow(JOB, () => { finished += 1; });
  assert.equal(hasJobs(), true);
  await settled();
  assert.deepEqual([jobs.of(JOB.id).status, finished, drafts.get(...JOBS)[0].title], ['ready', 1, 'Q3']);
  jobs.dismiss(JOB.id);
  assert.equal(hasJobs(), false);
});

test('work that failed says why, and work that is gone is forgotten', async () => {
  const failed = jobsOf(async () => ({ status: 'failed', reason: 'The paper cannot be read.' }));
  failed.follow(JOB, () => {});
  await settled();
  assert.equal(failed.of(JOB.id).reason, 'The paper cannot be read.');
  const gone = jobsOf(() => Promise.reject(new Problem({ status: 404 })));
  gone.follow(JOB, () => {});
  await settled();
  assert.equal(gone.of(JOB.id), undefined);
});

test('it is shown on every page but its own', async () => {
  const jobs = jobsOf(async () => ({ status: 'ready' }));
  jobs.follow(JOB, () => {});
  await settled();
  const at = (pathname) => {
    globalThis.location = { pathname };
    return Boolean(jobs.render().strings);
  };
  assert.deepEqual([at('/here'), at('/elsewhere')], [false, true]);
});

test('what is ready is forgotten once it is read where it leads to, also while one is there already', async () => {
  const jobs = jobsOf(async () => ({ status: 'ready' }));
  globalThis.location = { pathname: '/elsewhere' };
  jobs.follow(JOB, () => {});
  await settled();
  jobs.read();
  assert.ok(jobs.of(JOB.id), 'it is not read elsewhere');
  globalThis.location = { pathname: JOB.result };
  jobs.read();
  assert.equal(jobs.of(JOB.id), undefined);
  jobs.follow(JOB, () => {});
  await settled();
  assert.equal(jobs.of(JOB.id), undefined);
});

test('the list of what is made has items alone, and each says its state', async () => {
  const jobs = jobsOf(async () => ({ status: 'ready' }));
  globalThis.location = { pathname: '/elsewhere' };
  jobs.follow(JOB, () => {});
  await settled();
  const [, , template] = jobs.render().values.at(-1).values;
  assert.match(template(jobs.of(JOB.id)).strings.join(''), /^<li><div class="row" role="status">/);
});
