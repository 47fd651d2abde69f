// What differs between two texts, word by word.

const MOST_PAIRS = 4_000_000; // of words that are compared: more take too long

/**
 * Returns the parts of two texts in order, as pairs of kind and text. Parts that are `same` or `removed` make up the first text, parts
 * that are `same` or `added` the second. As many words as possible stay the same, each with the blanks before it; of texts too long
 * for that, those at both ends.
 */
export function differences(before, after) {
  const [old, now] = [before, after].map((text) => text.match(/\s*\S+|\s+$/g) ?? []);
  const start = sameAtStart(old, now);
  const [oldRest, nowRest] = [old.slice(start), now.slice(start)];
  const end = sameAtStart([...oldRest].reverse(), [...nowRest].reverse());
  const middle = compared(oldRest.slice(0, oldRest.length - end), nowRest.slice(0, nowRest.length - end));
  const same = (words) => words.map((word) => ['same', word]);
  return joined([...same(old.slice(0, start)), ...middle, ...same(old.slice(old.length - end))]);
}

function sameAtStart(old, now) {
  const most = Math.min(old.length, now.length);
  let count = 0;
  while (count < most && old[count] === now[count]) count += 1;
  return count;
}

/** Returns a pair for each word, along a longest common subsequence. */
function compared(old, now) {
  const [removed, added] = [(word) => ['removed', word], (word) => ['added', word]];
  if (old.length * now.length > MOST_PAIRS) return [...old.map(removed), ...now.map(added)];
  const longest = lengths(old, now);
  const pairs = [];
  let [at, to] = [0, 0];
  while (at < old.length && to < now.length) {
    if (old[at] === now[to]) {
      pairs.push(['same', old[at]]);
      [at, to] = [at + 1, to + 1];
    } else if (longest[at + 1][to] >= longest[at][to + 1]) pairs.push(removed(old[at++]));
    else pairs.push(added(now[to++]));
  }
  return [...pairs, ...old.slice(at).map(removed), ...now.slice(to).map(added)];
}

/** Returns, for each pair of positions, how long the longest common subsequence of what follows is. */
function lengths(old, now) {
  const rows = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  for (let at = old.length - 1; at >= 0; at -= 1) {
    for (let to = now.length - 1; to >= 0; to -= 1) {
      rows[at][to] = old[at] === now[to] ? rows[at + 1][to + 1] + 1 : Math.max(rows[at + 1][to], rows[at][to + 1]);
    }
  }
  return rows;
}

/** Joins neighbours of one kind; between two parts that are the same, what was removed comes before what was added. */
function joined(pairs) {
  const parts = [];
  let [removed, added] = ['', ''];
  const flush = () => {
    if (removed) parts.push(['removed', removed]);
    if (added) parts.push(['added', added]);
    [removed, added] = ['', ''];
  };
  for (const [kind, word] of pairs) {
    if (kind === 'removed') removed += word;
    else if (kind === 'added') added += word;
    else {
      flush();
      if (parts.at(-1)?.[0] === 'same') parts.at(-1)[1] += word;
      else parts.push(['same', word]);
    }
  }
  flush();
  return parts;
}
