// `node bundle.mjs`: reads the modules of the pages as JSON, `{name: source}`, and writes the scripts that are served:
// `[{name, code, imports, modules}]`. ADR pages-scripts has the rules.

import { posix } from 'node:path';
import { json } from 'node:stream/consumers';
import { rolldown } from 'rolldown';

const FIRST = 'lib/start.js'; // what asks for the rest
const MAIN = 'main.js'; // what every view needs
const WORKER = ['live-worker.js', 'lib/live-hub.js']; // no page is there, so nothing of the above
const COPIED = 'lib/clock.js'; // the worker's scripts have their own, as `lib/clock.js?worker`
const VOTING = 'views/meetings/meeting-grid.js'; // on the root page and in meetings, too large for every view

const sources = await json(process.stdin);
const rooms = Object.keys(sources).filter((name) => name.startsWith('rooms/'));
const entries = [FIRST, MAIN, ...WORKER, ...rooms];
const scripts = new Map();

/** Decides for each module which script it is in; what only a part uses that is loaded when it is opened, the bundler puts there. */
function assign(infoOf) {
  const ends = new Set([...entries, VOTING]);
  const reach = (start, next) => {
    const found = new Set([start]);
    for (const id of found) next(infoOf(id)).forEach((each) => ends.has(each) || found.add(each));
    return found;
  };
  const needed = new Map([FIRST, MAIN, ...rooms, VOTING].map((start) => [start, reach(start, (info) => info.importedIds)]));
  const opened = new Map([MAIN, ...rooms, VOTING].map((start) => [start, reach(start, (info) => [...info.importedIds, ...info.dynamicallyImportedIds])]));
  for (const [start, modules] of needed) {
    for (const id of modules) {
      const users = [...opened.keys()].filter((each) => opened.get(each).has(id));
      if (!scripts.has(id)) scripts.set(id, nameOf(start === FIRST || users.length === 1 ? start : MAIN));
    }
  }
}

function nameOf(start) {
  return start === VOTING ? 'voting' : start.replace(/\.js$/, '');
}

const plugin = {
  name: 'modules',
  resolveId(name, importer) {
    const id = importer ? posix.join(posix.dirname(importer), name) : name;
    return id === COPIED && importer === 'lib/live-connection.js' ? `${id}?worker` : id;
  },
  load: (id) => sources[id.replace('?worker', '')],
  buildEnd() {
    assign((id) => this.getModuleInfo(id));
  },
};

const bundle = await rolldown({
  input: Object.fromEntries(entries.map((name) => [nameOf(name), name])),
  plugins: [plugin],
  preserveEntrySignatures: 'allow-extension', // a script may give others more than it is asked for, so it is one file
  onLog(level, { message }) {
    throw new Error(message);
  },
});
const { output } = await bundle.generate({
  entryFileNames: '[name].js',
  chunkFileNames: 'parts/[name].js',
  comments: { legal: true, annotation: false, jsdoc: false },
  minify: false,
  codeSplitting: { includeDependenciesRecursively: false, groups: [{ debugName: 'scripts', name: (id) => scripts.get(id) ?? null }] },
});
const made = output.map(({ fileName, code, imports, modules }) => ({ name: fileName, code, imports, modules: Object.keys(modules) }));
process.stdout.write(JSON.stringify(made));
