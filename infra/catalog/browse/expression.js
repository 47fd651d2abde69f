// The grammar of formulas, as in shared/governance/domain/reports/formula.py: names, numbers, + - * / **, parentheses, min and max.
// Nothing is executed as code, so the page needs no permission to evaluate scripts.

const MAX_LENGTH = 300;
const MAX_DEPTH = 16;
const MAX_EXPONENT = 64;
const TOKEN = /\s*(?:(\d+(?:\.\d+)?)|([a-z][a-z0-9_]*)|(\*\*|[-+*/(),]))/y;

/** Thrown for an expression outside the grammar or without a finite value. */
export class ExpressionError extends Error {}

function tokens(text) {
  if (text.length > MAX_LENGTH) throw new ExpressionError(`longer than ${MAX_LENGTH} characters`);
  const found = [];
  const stop = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < stop) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (!match) throw new ExpressionError(`unexpected character at position ${at + 1}`);
    found.push(match[0].trim());
  }
  return found;
}

function power(base, exponent) {
  if (Math.abs(exponent) > MAX_EXPONENT) throw new ExpressionError(`the exponent is beyond ${MAX_EXPONENT}`);
  if (base < 0 && !Number.isInteger(exponent)) throw new ExpressionError('the root of a negative number is undefined');
  return base ** exponent;
}

function divide(left, right) {
  if (right === 0) throw new ExpressionError('division by zero');
  return left / right;
}

class Evaluator {
  constructor(text, inputs) {
    this.tokens = tokens(text);
    this.inputs = inputs;
    this.at = 0;
    this.depth = 0;
  }

  get next() {
    return this.tokens[this.at];
  }

  expect(token) {
    if (this.next !== token) throw new ExpressionError(`expected '${token}' before '${this.next ?? 'the end'}'`);
    this.at += 1;
  }

  value() {
    const value = this.sum();
    if (this.next !== undefined) throw new ExpressionError(`unexpected '${this.next}'`);
    if (!Number.isFinite(value)) throw new ExpressionError('the number is too large');
    return value;
  }

  sum() {
    let value = this.product();
    while (this.next === '+' || this.next === '-') {
      const operator = this.tokens[this.at++];
      const right = this.product();
      value = operator === '+' ? value + right : value - right;
    }
    return value;
  }

  product() {
    let value = this.power();
    while (this.next === '*' || this.next === '/') {
      const operator = this.tokens[this.at++];
      const right = this.power();
      value = operator === '*' ? value * right : divide(value, right);
    }
    return value;
  }

  power() {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new ExpressionError(`nested deeper than ${MAX_DEPTH} levels`);
    let value = this.atom();
    if (this.next === '**') {
      this.at += 1;
      value = power(value, this.power());
    }
    this.depth -= 1;
    return value;
  }

  atom() {
    if (this.next === '(') return this.parenthesis();
    const token = this.next;
    if (token === undefined || !/^[a-z0-9]/.test(token)) {
      throw new ExpressionError(`expected a value before '${token ?? 'the end'}'`);
    }
    this.at += 1;
    if (token === 'min') return Math.min(...this.arguments());
    if (token === 'max') return Math.max(...this.arguments());
    return /^\d/.test(token) ? Number(token) : this.input(token);
  }

  input(name) {
    if (!Object.hasOwn(this.inputs, name)) throw new ExpressionError(`no value for '${name}'`);
    return this.inputs[name];
  }

  parenthesis() {
    this.expect('(');
    const value = this.sum();
    this.expect(')');
    return value;
  }

  arguments() {
    this.expect('(');
    const found = [this.sum()];
    while (this.next === ',') {
      this.at += 1;
      found.push(this.sum());
    }
    this.expect(')');
    return found;
  }
}

/** Returns the value of an expression for these inputs; throws ExpressionError if it is not finite. */
export function evaluate(text, inputs) {
  return new Evaluator(text, inputs).value();
}
