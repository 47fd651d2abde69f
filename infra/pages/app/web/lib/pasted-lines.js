// A list that is pasted where one line is typed.

// Signs that are not seen, and say nothing of the text: of direction, for breaking words, for the order of bytes.
export const INVISIBLE = /[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g;

// What begins a line of a list: numbers that are no ordinals, those of other scripts, letters and Roman numbers with a bracket, signs, and
// those that word processors make bullets of (fonts of symbols have theirs at F020 to F0FF).
const NUMBERED = /(?:TOP\s*\d+\s*[–—-](?!\S)|TOP\s*\d+[.:)]?|(?:[Tt]op|Tagesordnungspunkt|Punkt|(?:Agenda )?[Ii]tem)\s*\d+\s*(?:[:)]|[–—-](?!\S))|\d+(?:\.\d+)+[.):]|\d{1,3}[):/]|\(\d{1,3}\)|\d+(?=\t)|\d{1,3}\s+[–—-](?=\s+\D)|(?![0-9])\p{Nd}+\s*[.):-]|[\u2460-\u2473])\s+|(?:\p{Nd}+|[一二三四五六七八九十]+)[、．](?!\p{Nd})\s*/u;
const LETTERED = /\(?(?:[a-zA-Z]|[ivx]{2,5}|[IVX]{2,5})\)\s+/u;
const SIGNED = /(?:[-*•–—‒‐―·▪▫●○◦■□◆◇❖◊★☆☐☑☒❏❑❒✦✧‣➢➤➔→⇒►▶»✓✔⁃∙\uF020-\uF0FF]|[o§](?=\t|\s{2}))\s+|[•●■▪\uF0A7\uF0B7](?=\S)/u;
const MARK = new RegExp(`^(?:${[NUMBERED, LETTERED, SIGNED].map(({ source }) => source).join('|')})`, 'u');
const BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;
const ORDINAL = /^(\d+)\.(?:\s+|(?=\p{L}))/u;
const BARE = /^(\d{1,2})\s+(?=[^\d\s–—-])/;
// "a. Budget" and "II. Budget" are in a row with "b. …" and "I. …"; "A. Berg" alone is a name.
const STEP = /^([a-z]{1,4})\.\s+/i;
const STEPS = [[...'abcdefghijklmnopqrstuvwxyz'], ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii', 'xiii', 'xiv', 'xv']];
// A number or a sign that stands alone, with what it marks in the next line: how tables and some programs give their lists.
const MARK_ALONE = /^([^\S\n]*(?:\d{1,3}[.)]|[•●○■▪·-]))[^\S\n]*\n\s*(?=\S)/gm;
// What a number with a point before it counts, in German: "2. Quartal" is no second item, "2. Quartalsbericht" is one.
const COUNTED = /^(?:jan(?:uar)?|jän(?:ner)?|feb(?:ruar|er)?|märz?|apr(?:il)?|mai|juni?|juli?|aug(?:ust)?|sept?(?:ember)?|okt(?:ober)?|nov(?:ember)?|dez(?:ember)?|(?:quartal|halbjahr|vierteljahr|trimester|tertial|semester|(?:geschäfts|kalender|haushalts)?jahr|(?:kalender)?woche|tag|monat|lesung|sitzung|advent|stock|etage|bauabschnitt|phase|stufe|runde|tranche)(?:e?s|e?n)?)(?![\p{L}\p{N}-])/iu;

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
export function readAgenda(pasted) {
  const text = linesOf(pasted).join('\n').replace(MARK_ALONE, '$1 ');
  const lines = text.split('\n').filter((line) => line.trim());
  const depths = lines.map((line) => /^\s*/.exec(line)[0].replaceAll('\t', '    ').length);
  const numbers = lines.map((line) => /^\s*(?:TOP\s*)?(\d+(?:\.\d+)*)[.):]?\s/iu.exec(line)?.[1]);
  const ranks = lines.map((line) => rank(line.trim(), lines));
  const items = [];
  for (const [at, line] of readLines(text, { isWhole: true }).entries()) {
    const isUnder = depths[at] > depths[0] || (ranks[0] && ranks[at] > ranks[0]) || (numbers[at]?.includes('.') && numbers.slice(0, at).includes(numbers[at].split('.')[0]));
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
  const lines = linesOf(text).map((line) => line.trim()).filter(Boolean);
  const read = unmarked(lines).map((line) => line.replace(stepOf(line, lines), '').replace(/\s+/g, ' ').trim());
  return isWhole ? read : read.filter(Boolean);
}

function linesOf(text) {
  return text.replace(INVISIBLE, '').split(BREAK);
}

/** Returns lines without numbers and signs before them, and otherwise as they are. */
export function unmarked(written) {
  const lines = written.map((line) => line.trim());
  const counting = [ORDINAL, BARE].find((pattern) => countsLines(lines, pattern));
  return lines.map((line) => (counting && isCounted(line, counting) ? line.replace(counting, '') : line.replace(MARK, '')));
}

/** How deep a list puts a line with this mark: numbers, then letters, then signs, of which word processors have a second one; 0 without a mark. */
function rank(line, lines) {
  if (ORDINAL.test(line) || new RegExp(`^${NUMBERED.source}`, 'u').test(line)) return 1;
  if (stepOf(line, lines) || new RegExp(`^${LETTERED.source}`, 'u').test(line)) return 2;
  return /^[o§]\s/.test(line) ? 4 : new RegExp(`^(?:${SIGNED.source})`, 'u').test(line) ? 3 : 0;
}

/** Returns the letter or Roman number that begins a line, if another line begins with its neighbour. */
function stepOf(line, lines) {
  const [mark = '', name = ''] = STEP.exec(line) ?? [];
  const isBig = name === name.toUpperCase();
  const isThere = (step) => step && lines.some((each) => STEP.exec(each.trim())?.[1] === (isBig ? step.toUpperCase() : step));
  return STEPS.some((steps) => {
    const at = steps.indexOf(name.toLowerCase());
    return at >= 0 && (isThere(steps[at - 1]) || isThere(steps[at + 1]));
  }) ? mark : '';
}

function isCounted(line, pattern) {
  return pattern.test(line) && !COUNTED.test(line.replace(pattern, ''));
}

/** Whether numbers count the lines: from one, or several that follow each other; without a point only several from one. */
function countsLines(lines, pattern) {
  const numbers = lines.filter((line) => isCounted(line, pattern)).map((line) => Number(pattern.exec(line)[1]));
  const follow = numbers.every((number, at) => number === numbers[0] + at);
  return follow && (pattern === BARE ? numbers[0] === 1 && numbers.length > 2 : numbers[0] === 1 || numbers.length > 1);
}

/** Returns the beginning of a text that is too long, without half of a sign at its end. */
export function beginning(text, most) {
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
}
