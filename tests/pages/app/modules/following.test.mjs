// Tests of what is read again when the live channel rings.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

import { load } from './load.mjs';

const { Follower } = await load('following');
const { Problem } = await load('problems');

const settled = () => new Promise((resolve) => { setImmediate(resolve); });

/** Lets time pass in steps, with what it lets happen. */
async function pass(milliseconds) {
  for (let left = milliseconds; left > 0; left -= 50) {
    mock.timers.tick(Math.min(left, 50));
    await settled();
  }
}

/** Something that is read again, and when. */
function thing(answers = []) {
  const reads = [];
  return {
    reads,
    async refresh() {
      reads.push(Date.now());
      const answer = answers.shift() ?? true;
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
}

function timed(name, body) {
  test(name, async () => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 });
    try {
      await body();
    } finally {
      mock.timers.reset();
    }
  });
}

timed('a ring that stands for several reads everything that the page shows of its board', async () => {
  const [slots, minutes, others] = [thing(), thing(), thing()];
  const shown = [{ on: ['slot'], ids: { boardId: 'b' }, read: slots }, { on: ['minutes'], read: minutes }, { on: ['slot'], ids: { boardId: 'other' }, read: others }];
  new Follower(() => shown).ring({ event: 'changed', ids: { boardId: 'b' } });
  await pass(1000);
  assert.deepEqual([slots, minutes, others].map(({ reads }) => reads.length), [1, 1, 0]);
});

timed('a ring reads what it is about, and nothing else of the page', async () => {
  const [slots, minutes, others] = [thing(), thing(), thing()];
  const shown = [{ on: ['slot', 'vote'], ids: { meetingId: 'm' }, read: slots }, { on: ['minutes'], ids: { meetingId: 'm' }, read: minutes }, { on: ['slot'], ids: { meetingId: 'other' }, read: others }];
  const follower = new Follower(() => shown);
  follower.ring({ event: 'vote.cast', ids: { meetingId: 'm', slotId: 's' } });
  follower.ring({ event: 'slot.proposed', ids: { meetingId: 'm' } });
  await pass(5000);
  assert.deepEqual([slots.reads.length, minutes.reads.length, others.reads.length], [1, 0, 0]);
});

timed('a thing is read at most once a second however often it rings, and once more after the last', async () => {
  const slots = thing();
  const follower = new Follower(() => [{ on: ['vote'], read: slots }]);
  for (let turn = 0; turn < 40; turn += 1) {
    follower.ring({ event: 'vote.cast' });
    await pass(100);
  }
  const last = Date.now();
  await pass(5000);
  const gaps = slots.reads.slice(1).map((at, index) => at - slots.reads[index]);
  assert.ok(slots.reads.length > 3 && Math.min(...gaps) >= 1000, `${gaps}`);
  assert.ok(slots.reads.at(-1) >= last - 1000);
  assert.ok(slots.reads.length <= 6);
});

timed('what was set while it was read is read again', async () => {
  const slots = thing([false, true]);
  const follower = new Follower(() => [{ on: ['vote'], read: slots }]);
  follower.ring({ event: 'vote.cast' });
  await pass(3000);
  assert.equal(slots.reads.length, 2);
});

timed('what is held is read once it is let go', async () => {
  const agenda = thing();
  let isHeld = true;
  const follower = new Follower(() => [{ on: ['agenda'], read: agenda, isHeld: () => isHeld }]);
  follower.ring({ event: 'agenda.updated' });
  await pass(5000);
  assert.equal(agenda.reads.length, 0);
  isHeld = false;
  await pass(1500);
  assert.equal(agenda.reads.length, 1);
});

timed('a failure that may pass is tried again after pauses that grow', async () => {
  const slots = thing(Array.from({ length: 5 }, () => new Problem({ status: 503 })));
  const follower = new Follower(() => [{ on: ['vote'], read: slots }]);
  follower.ring({ event: 'vote.cast' });
  await pass(70_000);
  const gaps = slots.reads.slice(1).map((at, index) => at - slots.reads[index]);
  assert.equal(slots.reads.length, 6);
  assert.ok(gaps.every((gap, index) => index === 0 || gap > gaps[index - 1]), `${gaps}`);
});

timed('a session that has ended is not tried again until something rings', async () => {
  const slots = thing([new Problem({ status: 401 })]);
  const follower = new Follower(() => [{ on: ['vote'], read: slots }]);
  follower.ring({ event: 'vote.cast' });
  await pass(70_000);
  assert.equal(slots.reads.length, 1);
  follower.ring({ event: 'vote.cast' });
  await pass(5000);
  assert.equal(slots.reads.length, 2);
});

timed('a page that is not on the screen reads when it is again', async () => {
  const slots = thing();
  let isSeen = false;
  const follower = new Follower(() => [{ on: ['vote'], read: slots }], () => isSeen);
  follower.ring({ event: 'vote.cast' });
  await pass(5000);
  assert.equal(slots.reads.length, 0);
  isSeen = true;
  follower.seen();
  await pass(1000);
  assert.equal(slots.reads.length, 1);
});

timed('what the page no longer shows is not read', async () => {
  const slots = thing();
  let shown = [{ on: ['vote'], read: slots }];
  const follower = new Follower(() => shown);
  follower.ring({ event: 'vote.cast' });
  shown = [];
  await pass(5000);
  assert.equal(slots.reads.length, 0);
});

timed('after sleep everything that is shown is read', async () => {
  const things = [thing(), thing()];
  const follower = new Follower(() => things.map((read) => ({ on: [], read })));
  follower.again();
  await pass(1000);
  assert.deepEqual(things.map(({ reads }) => reads.length), [1, 1]);
});
