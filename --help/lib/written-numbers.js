// Numbers of JSON as they were written: `12.50` states two decimals, which a number of JavaScript does not remember.

// Begins the text of a number in between. It is a sign that no text of a client may hold (ADR figures).
const MARK = '\0';
const NUMBERS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
const MARKED = /"\\u0000([-+.\deE]+)"/g;

/** A number and how it is written. */
export class WrittenNumber {
  constructor(text) {
    this.text = text;
  }

  toJSON() {
    return MARK + this.text;
  }
}

/** Returns the value of a JSON text whose numbers are `WrittenNumber`s. */
export function fromJson(text) {
  const marked = text.replace(NUMBERS, (found) => (found.startsWith('"') ? found : `"\\u0000${found}"`));
  return JSON.parse(marked, (_, value) => (typeof value === 'string' && value.startsWith(MARK) ? new WrittenNumber(value.slice(1)) : value));
}

/** Returns a value as JSON, each `WrittenNumber` in it as it is written. */
export function toJson(value) {
  return JSON.stringify(value).replace(MARKED, '$1');
}

/** Returns a value whose numbers are those of JavaScript. */
export function plain(value) {
  return JSON.parse(toJson(value));
}
