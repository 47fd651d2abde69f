// Answers whether policies allow requests. Standard input is a list of simulations, and standard output the list of results.
// The argument is the folder of the installed packages.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { runSimulation } = createRequire(`${process.argv[2]}/`)('@cloud-copilot/iam-simulate');

const results = [];
for (const simulation of JSON.parse(readFileSync(0, 'utf8'))) {
  const found = await runSimulation(simulation, {});
  if (!found.overallResult) throw new Error(JSON.stringify({ errors: found.errors, request: simulation.request }));
  results.push(found.overallResult === 'Allowed');
}
console.log(JSON.stringify(results));
