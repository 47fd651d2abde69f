// A list that is pasted where one line is typed.

const MARK = /^(?:TOP\s*\d+[.:)]?|\d+(?:\.\d+)*[.):]|\d+(?=\t)|[-*•–·])\s+/i;

/** Returns the lines of a text without what numbers or marks them: "1. Opening", "– Budget", "TOP 3: Decisions". */
export function readLines(text) {
  return text.split(/\r?\n|\u2028/).map((line) => line.trim().replace(MARK, '').replace(/\s+/g, ' ').trim()).filter(Boolean);
}
