// `node asyncapi.mjs <folder of the packages> <file>`: what AsyncAPI's own parser, which its command line runs, finds in a document.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [packages, file] = process.argv.slice(2);
const { Parser } = createRequire(`${resolve(packages)}/`)('@asyncapi/parser');
const NEWER = 'asyncapi-latest-version'; // 3.0 is what generators and other validators read
const found = (await new Parser().validate(readFileSync(file, 'utf8'))).filter(({ code }) => code !== NEWER);
for (const { code, path, message } of found) console.log(`${file}: ${path.join('.')}: ${message} (${code})`);
process.exitCode = found.length ? 1 : 0;
