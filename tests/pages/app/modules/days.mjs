// Is imported before tests (`node --import`): each runs at the first of the instants in PAGES_INSTANTS, and at all others if it
// looked at the clock there. What looks at no clock cannot differ between them.

import module, { createRequire } from 'node:module';

const instants = JSON.parse(process.env.PAGES_INSTANTS).map((each) => Date.parse(each));
const runner = createRequire(import.meta.url)('node:test');
const { test } = runner;
const before = [];
const System = Date;
let ahead = 0, looks = 0;

globalThis.Date = class Date extends System {
  constructor(...given) {
    super(...(given.length ? given : [globalThis.Date.now()]));
  }

  static now() {
    looks += 1;
    return System.now() + ahead;
  }
};

async function runAt(instant, context, body) {
  ahead = instant - System.now();
  try {
    for (const prepare of before) await prepare();
    await body(context);
  } catch (error) {
    error.message = `At ${new System(instant).toISOString()}: ${error.message}`;
    throw error;
  } finally {
    context.mock.reset();
  }
}

runner.beforeEach = (prepare) => { before.push(prepare); };
runner.test = (name, body) => test(name, async (context) => {
  const looksBefore = looks;
  await runAt(instants[0], context, body);
  if (looks > looksBefore) for (const instant of instants.slice(1)) await runAt(instant, context, body);
});
module.syncBuiltinESMExports();
