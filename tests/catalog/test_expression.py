"""The grammar of formulas: values and refusals."""

import json
import subprocess
from pathlib import Path

import pytest

from infra.catalog.expression import ExpressionError, evaluate, names, parse
from infra.catalog.source import Source
from tests.harness.programs import program

VALUES = {"a": 6.0, "b": 3.0, "c": 2.0}
COMPUTED = {
    "a": 6,
    "a + b * c": 12,
    "(a + b) * c": 18,
    "a - b - c": 1,
    "a / b / c": 1,
    "2 ** 3 ** 2": 512,
    "a * c ** 2": 24,
    "min(a, b, c) + max(a, b)": 8,
    "min(a)": 6,
    " ( a )+1.5 ": 7.5,
}
REFUSED = [
    "",
    "a +",
    "a b",
    "-a",
    "a // b",
    "(a",
    "a)",
    "min()",
    "min(a",
    "max",
    "abs(a)",
    "a.b",
    "a[0]",
    "'a'",
    "__import__('os')",
    "A",
    "1e9",
    ".5",
    "1.",
    "a, b",
    "(" * 17 + "a" + ")" * 17,
    "2 ** " * 16 + "2",
    "+".join("a" * 200),
    "d",
    "a / 0",
    "a / (b - b)",
    "10 ** 65",
    "10 ** (0 - 65)",
    "(0 - 8) ** (1 / 3)",
    "0 ** (0 - 1)",
    "9999999999 ** 64",
    "10 ** 64 * 10 ** 64 * 10 ** 64 * 10 ** 64 * 10 ** 64",
]
PAGE = Path(__file__).parents[2] / "infra" / "catalog" / "browse" / "expression.js"
SCRIPT = """
import { readFileSync } from 'node:fs';
const { evaluate } = await import('data:text/javascript,' + encodeURIComponent(readFileSync(process.argv[1], 'utf8')));
const attempt = ([text, inputs]) => {
  try { return evaluate(text, inputs); } catch (error) { return error.constructor.name; }
};
console.log(JSON.stringify(JSON.parse(readFileSync(0, 'utf8')).map(attempt)));
"""


@pytest.mark.parametrize(("text", "expected"), COMPUTED.items())
def test_computes(text: str, expected: float) -> None:
    assert evaluate(parse(text), VALUES) == expected


@pytest.mark.parametrize("text", REFUSED)
def test_refuses(text: str) -> None:
    with pytest.raises(ExpressionError):
        evaluate(parse(text), VALUES)


def test_names_every_input() -> None:
    assert list(names(parse("a + min(b, c * a)"))) == ["a", "b", "c", "a"]


def test_a_long_chain_is_computed() -> None:
    assert evaluate(parse("+".join("a" * 150)), VALUES) == 900


def in_browser(expressions: list[tuple[str, dict[str, float]]]) -> list[float | str]:
    command = [program("node"), "--input-type=module", "-e", SCRIPT, str(PAGE)]
    asked = json.dumps(expressions)
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)  # noqa: S603
    return list(json.loads(done.stdout))


def test_the_page_computes_the_same(source: Source) -> None:
    formulas = [(entry.record.formula, entry.record.example) for entry in source.entries.values()]
    worked = [(formula.expression, dict(example.inputs)) for formula, example in formulas if formula and example]
    asked = worked + [(text, VALUES) for text in COMPUTED]
    assert in_browser(asked) == pytest.approx([evaluate(parse(text), inputs) for text, inputs in asked])


def test_the_page_refuses_the_same() -> None:
    assert in_browser([(text, VALUES) for text in REFUSED]) == ["ExpressionError"] * len(REFUSED)
