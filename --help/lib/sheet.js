// The cells of a list that a spreadsheet copied or saved.

const SEPARATORS = ['\t', ';', ','];
const STATED = /^\ufeff?"?sep=([^"\r\n])"?[\t;, ]*(?:\r\n|\r|\n|$)/i;

/** Returns the rows of cells of a text, by the separator that a line `sep=;` states or that its first line has; quotes as in CSV. */
export function cellsOf(written) {
  const [line = '', stated] = STATED.exec(written) ?? [];
  const text = written.slice(line.length);
  const first = text.split('\n', 1)[0];
  const separator = stated ?? SEPARATORS.find((each) => first.includes(each)) ?? '\t';
  const rows = [[]];
  let cell = '', isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (isQuoted && sign === '"' && text[at + 1] === '"') [cell, at] = [`${cell}"`, at + 1];
    else if (sign === '"' && (isQuoted || !cell)) isQuoted = !isQuoted;
    else if (!isQuoted && sign === separator) cell = (rows.at(-1).push(cell.trim()), '');
    else if (!isQuoted && sign === '\n') cell = (rows.at(-1).push(cell.trim()), rows.push([]), '');
    else cell += sign;
  }
  rows.at(-1).push(cell.trim());
  return rows.filter((row) => row.some(Boolean));
}
