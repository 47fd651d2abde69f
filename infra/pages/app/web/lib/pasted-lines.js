// A list that is pasted where one line is typed.

// What begins a line of a list: numbers that are no ordinals, letters with a bracket, signs, and the signs that Word makes bullets of.
const MARK = /^(?:TOP\s*\d+[.:)]?|\d+(?:\.\d+)+[.):]|\d+[):]|\d+(?=\t)|[a-z]\)|[-*•–·▪▫●○◦■□‣➢➤►✓✔⁃∙\uF0A7\uF0B7\uF0D8\uF0FC]|[o§](?=\t|\s{2}))\s+/iu;
const ORDINAL = /^(\d+)\.\s+/;
// What a number with a point before it counts, in German: "2. Quartal" is no second item.
const COUNTED = /^(?:jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez|quartal|halbjahr|vierteljahr|trimester|tertial|semester|(?:geschäfts|kalender|haushalts)?jahr|(?:kalender)?woche|tag|monat|lesung|sitzung|advent|stock|etage|bauabschnitt|phase|stufe|runde|tranche)/i;

/** Returns the lines of a text without what numbers or marks them: "1. Opening", "– Budget", "TOP 3: Decisions"; not "31. Dezember". */
export function readLines(text) {
  const lines = text.split(/\r?\n|\u2028/).map((line) => line.trim()).filter(Boolean);
  const isNumbered = numbersLines(lines);
  return lines.map((line) => (isNumbered && isOrdinal(line) ? line.replace(ORDINAL, '') : line.replace(MARK, '')).replace(/\s+/g, ' ').trim()).filter(Boolean);
}

function isOrdinal(line) {
  return ORDINAL.test(line) && !COUNTED.test(line.replace(ORDINAL, ''));
}

/** Whether numbers with a point count the lines: from one, or several that follow each other. */
function numbersLines(lines) {
  const numbers = lines.filter(isOrdinal).map((line) => Number(ORDINAL.exec(line)[1]));
  const follow = numbers.every((number, at) => number === numbers[0] + at);
  return follow && (numbers[0] === 1 || numbers.length > 1);
}
