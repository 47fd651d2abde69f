// `node types.mjs <pages> <made>`: holds every call of the API in the pages against its types (`calls.d.ts`), and checks `lib/`. The
// second folder has the modules that are generated, and `lib/schema.d.ts` of openapi-typescript. Two habits of the pages are told to
// the compiler, which sees neither: what `app` and `api` are, and that `Object.assign(this, { name })` gives an object a member.
// Members that an object or an element has by other ways are not judged; those of what the API answers are.

import { readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import ts from '../../sdk/typescript/node_modules/typescript/lib/typescript.js';

const [WEB, MADE] = process.argv.slice(2).map((folder) => resolve(folder));
const CALLS = ['call', 'get', 'page', 'bareArray'];
const PARAMETERS = { app: `import('${WEB}/main.js').App`, api: `import('${WEB}/lib/calls.js').Calls` };
const UNKNOWN_MEMBER = [2339, 2551];
const PACKAGE_IS_ABSENT = 2307; // what `vendor/` has is of any type
const options = {
  allowJs: true, checkJs: true, noEmit: true, skipLibCheck: true, types: [], lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ES2022, moduleResolution: ts.ModuleResolutionKind.Bundler, rootDirs: [WEB, MADE],
};
const host = ts.createCompilerHost(options, true);
const { fileExists, getSourceFile } = host;
host.fileExists = (name) => !name.includes('/vendor/') && fileExists(name);
host.getSourceFile = (name, ...rest) => (isOurs(name) && name.endsWith('.js') ? explained(name, ts.sys.readFile(name)) : getSourceFile(name, ...rest));

function isOurs(name) {
  return name.startsWith(`${WEB}/`);
}

/** Returns a module with what the compiler is told written in; lines stay where they are. */
function explained(name, text) {
  const told = [];
  const look = (node) => {
    const type = ts.isParameter(node) && PARAMETERS[node.name.getText()];
    if (type) told.push([node.getStart(), `/** @type {${type}} */ `]);
    if (ts.isExpressionStatement(node)) told.push([node.end, membersOf(node.expression)]);
    ts.forEachChild(node, look);
  };
  look(ts.createSourceFile(name, text, options.target, true));
  const whole = told.sort(([a], [b]) => b - a).reduce((made, [at, what]) => made.slice(0, at) + what + made.slice(at), text);
  return ts.createSourceFile(name, whole, options.target, true);
}

function membersOf(call) {
  if (!ts.isCallExpression(call) || call.expression.getText() !== 'Object.assign' || call.arguments[0].getText() !== 'this') return '';
  const members = call.arguments.slice(1).flatMap((each) => each.properties ?? []).filter((each) => each.name);
  return members.map((each) => ` this.${each.name.text} = ${(each.initializer ?? each.name).getText()};`).join('');
}

const files = readdirSync(WEB, { recursive: true }).filter((name) => name.endsWith('.js')).map((name) => join(WEB, name));
const program = ts.createProgram(files, options, host);
const checker = program.getTypeChecker();
const found = new Set();
const calls = new Map(program.getSourceFiles().filter(({ fileName }) => isOurs(fileName)).map((file) => [file, callsIn(file)]));
let seen = 0;

function callsIn(node) {
  const isCall = ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && CALLS.includes(node.expression.name.text);
  const inside = [];
  ts.forEachChild(node, (child) => { inside.push(...callsIn(child)); });
  return isCall && /\bapi$/.test(node.expression.expression.getText()) ? [node, ...inside] : inside;
}

function report(file, at, text) {
  found.add(`${relative(process.cwd(), file.fileName)}:${file.getLineAndCharacterOfPosition(at).line + 1}: ${text}`);
}

/** Whether what has no such member is something that the API answers. */
function isOfApi(file, at) {
  const { parent } = deepest(file, at);
  const type = checker.getTypeAtLocation(ts.isBindingElement(parent) ? parent.parent : parent.expression ?? parent);
  return [type, ...(type.types ?? [])].some(({ symbol }) => symbol?.declarations?.some((each) => each.getSourceFile().fileName.endsWith('/schema.d.ts')));
}

function deepest(node, at) {
  return ts.forEachChild(node, (child) => (child.pos <= at && at < child.end ? deepest(child, at) : undefined)) ?? node;
}

for (const { file, start, code, messageText } of ts.getPreEmitDiagnostics(program)) {
  if (!calls.has(file) || code === PACKAGE_IS_ABSENT) continue;
  const isOfCall = file.fileName.startsWith(`${WEB}/lib/`) || calls.get(file).some((call) => call.pos <= start && start < call.end);
  if (UNKNOWN_MEMBER.includes(code) ? isOfApi(file, start) : isOfCall) report(file, start, ts.flattenDiagnosticMessageText(messageText, ' '));
}
for (const [file, each] of calls) {
  for (const { expression, arguments: [name] } of each) {
    seen += 1;
    if (checker.getTypeAtLocation(expression.expression).symbol?.name !== 'Calls') report(file, expression.getStart(), 'the type of this API is not known, so the call is not judged');
    if (checker.getTypeAtLocation(name).flags & ts.TypeFlags.Any) report(file, name.getStart(), 'which operations this may be is not known, so the call is not judged');
  }
}
process.stdout.write(found.size ? [...found].map((line) => `${line}\n`).join('') : `${seen} calls of the API in the pages are as its document has them.\n`);
process.exitCode = found.size ? 1 : 0;
