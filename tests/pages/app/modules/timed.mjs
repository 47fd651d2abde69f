// Tests by a clock of their own.

import { mock, test } from 'node:test';

export const settled = () => new Promise((resolve) => { setImmediate(resolve); });

/** Lets time pass, and all that happens in it happen. */
export async function pass(milliseconds, step = 250) {
  await settled();
  for (let left = milliseconds; left > 0; left -= step) {
    mock.timers.tick(Math.min(left, step));
    await settled();
  }
}

/** A test in which time passes by `pass` alone. */
export function timed(name, body) {
  test(name, async () => {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 1_000_000 });
    try {
      await body();
    } finally {
      mock.timers.reset();
    }
  });
}
