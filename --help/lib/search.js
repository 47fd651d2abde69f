// Finding what somebody looks for by a few letters of its words.

const NOT_FOUND = 4;

/**
 * Returns the entries that have every word of a text at the beginning of one of their own words, the best first: those
 * whose name is the text, those whose name begins with it, those that have all words in their name, then others. Entries
 * of one kind keep their order.
 */
export function find(entries, text, most = 12) {
  const wanted = wordsOf(text);
  const ranked = entries.map((entry) => [rank(entry, text, wanted), entry]).filter(([rank]) => rank < NOT_FOUND);
  return ranked.sort(([one], [other]) => one - other).slice(0, most).map(([, entry]) => entry);
}

function rank({ name, about = '' }, text, wanted) {
  const inName = wordsOf(name);
  if (plain(name) === plain(text.trim())) return 0;
  if (plain(name).startsWith(plain(text.trim()))) return 1;
  if (hasAll(inName, wanted)) return 2;
  return hasAll([...inName, ...wordsOf(about)], wanted) ? 3 : NOT_FOUND;
}

function hasAll(words, wanted) {
  return wanted.every((each) => words.some((word) => word.startsWith(each)));
}

function wordsOf(text) {
  return plain(text).split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}

/** Without case and accents: "Élodie" is found by "elo". */
function plain(text) {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
