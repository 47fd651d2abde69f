// Asks for all scripts of a room at once. The page names them on its first script; the bundler knows them (ADR pages-scripts).

const asked = new Set();

/** Begins to load what the views of a room need, each script once. */
export function preload(room) {
  const rooms = JSON.parse(document.querySelector('script[data-rooms]').dataset.rooms);
  for (const href of rooms[room] ?? []) {
    if (asked.has(href)) continue;
    asked.add(href);
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
  }
}
