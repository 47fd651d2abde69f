
const MARK = '\0';
const NUMBERS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
const MARKED = /"\\u0000([-+.\deE]+)"/g;

export class WrittenNumber {
  constructor(text) {
    this.text = text;
  }

  toJSON() {
    return MARK + this.text;
  }
}

export function fromJson(text) {
  const marked = text.replace(NUMBERS, (found) => (found.startsWith('"') ? found : `"\\u0000${found}"`));
  return JSON.parse(marked, (_, value) => (typeof value === 'string' && value.startsWith(MARK) ? new WrittenNumber(value.slice(1)) : value));
}

export function toJson(value) {
  return JSON.stringify(value).replace(MARKED, '$1');
}

export function plain(value) {
  return JSON.parse(toJson(value));
}
