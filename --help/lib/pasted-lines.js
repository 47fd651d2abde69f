// A list that is pasted where one line is typed.

// What begins a line of a list: numbers that are no ordinals, letters with a bracket, signs, and the signs that Word makes bullets of.
const MARK = /^(?:TOP\s*\d+[.:)]?|\d+(?:\.\d+)+[.):]|\d+[):]|\d+(?=\t)|[a-z]\)|[-*•–·▪▫●○◦■□‣➢➤►✓✔⁃∙\uF0A7\uF0B7\uF0D8\uF0FC]|[o§](?=\t|\s{2}))\s+/iu;
const ORDINAL = /^(\d+)\.\s+/;
// What a number with a point before it counts, in German: "2. Quartal" is no second item.
const COUNTED = /^(?:jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez|quartal|halbjahr|vierteljahr|trimester|tertial|semester|(?:geschäfts|kalender|haushalts)?jahr|(?:kalender)?woche|tag|monat|lesung|sitzung|advent|stock|etage|bauabschnitt|phase|stufe|runde|tranche)/i;

// "(10 min)", "[15 Minuten]", "(10')" at the end of an item, and the time of day that begins one: "09:00–09:15", "9.30 Uhr", "10:00 am".
const MINUTES = /\s*[([]\s*(?:ca\.\s*|approx\.\s*)?(\d{1,3})\s*(?:min(?:ute[ns]?|s)?\.?|['’′])\s*[)\]]\s*$/iu;
const CLOCK = '(?<H>\\d{1,2})[:.](?<M>\\d{2})(?:\\s*(?<S>[ap])\\.?m\\.?)?(?:\\s*(?:Uhr|h)\\b)?';
const named = (letter) => CLOCK.replace(/<([HMS])>/g, `<${letter}$1>`);
const TIMES = new RegExp(`^${named('a')}(?:\\s*(?:-|–|—|to|bis)\\s*${named('b')})?\\s*[:–-]?\\s+(?=\\S)`, 'iu');
const DAY = 24 * 60;

/**
 * Returns the items of an agenda that is pasted: `{title, minutes, notes}`. Minutes stand in brackets, or follow from times of day
 * that begin the lines; lines that are indented or numbered under an item are its notes.
 */
export function readAgenda(text) {
  const lines = text.split(/\r?\n|\u2028/).filter((line) => line.trim());
  const depths = lines.map((line) => /^\s*/.exec(line)[0].replaceAll('\t', '    ').length);
  const numbers = lines.map((line) => /^\s*(?:TOP\s*)?(\d+(?:\.\d+)*)[.):]?\s/iu.exec(line)?.[1]);
  const items = [];
  for (const [at, line] of readLines(text, { isWhole: true }).entries()) {
    const isUnder = depths[at] > depths[0] || (numbers[at]?.includes('.') && numbers.slice(0, at).includes(numbers[at].split('.')[0]));
    if (isUnder && items.length) items.at(-1).under.push(line.replace(/^\d+(?:\.\d+)+\s+/, ''));
    else if (line) items.push({ ...timed(line), under: [] });
  }
  return items.map(({ title, minutes, start, under }, at) => ({
    title, minutes: minutes ?? between(start, items[at + 1]?.start), notes: under.filter(Boolean).map((line) => `– ${line}`).join('\n') || null,
  }));
}

/** Returns the title of a line, its minutes, and the minute of the day that it begins with. */
function timed(line) {
  const [time, groups] = [TIMES.exec(line)?.[0] ?? '', TIMES.exec(line)?.groups];
  const isTime = time.includes(':') || /uhr|h\b|m\b|m\./iu.test(time) || groups?.bH; // "1.50 million" is none
  const start = isTime ? minuteOf(groups, 'a') : null;
  const rest = start === null ? line : line.replace(TIMES, '');
  const title = rest.replace(MINUTES, '');
  const stated = MINUTES.exec(rest)?.[1];
  return { title: title || line, start, minutes: stated && title ? Number(stated) || null : start !== null ? between(start, minuteOf(groups, 'b')) : null };
}

function minuteOf(groups, letter) {
  const [hour, minute, half] = ['H', 'M', 'S'].map((name) => groups[`${letter}${name}`]);
  if (hour === undefined || hour > 23 || minute > 59) return null;
  return (half ? (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hour)) * 60 + Number(minute);
}

function between(start, end) {
  return Number.isInteger(start) && Number.isInteger(end) ? (end - start + DAY) % DAY || null : null;
}

/** Returns the lines of a text without what numbers or marks them: "1. Opening", "– Budget", "TOP 3: Decisions"; not "31. Dezember". */
export function readLines(text, { isWhole = false } = {}) {
  const lines = text.split(/\r?\n|\u2028/).map((line) => line.trim()).filter(Boolean);
  const isNumbered = numbersLines(lines);
  const read = lines.map((line) => (isNumbered && isOrdinal(line) ? line.replace(ORDINAL, '') : line.replace(MARK, '')).replace(/\s+/g, ' ').trim());
  return isWhole ? read : read.filter(Boolean);
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
