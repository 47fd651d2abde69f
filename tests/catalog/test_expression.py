"""The catalog's page has the grammar of formulas that the build and the service have."""

import json
import subprocess
from pathlib import Path

import pytest

from infra.catalog.source import Source
from tests.harness.formulas import COMPUTED, REFUSED, VALUES, value_of
from tests.harness.programs import program

PAGE = Path(__file__).parents[2] / "infra" / "catalog" / "browse" / "expression.js"
SCRIPT = """
import { readFileSync } from 'node:fs';
const { evaluate } = await import('data:text/javascript,' + encodeURIComponent(readFileSync(process.argv[1], 'utf8')));
const attempt = ([text, inputs]) => {
  try { return evaluate(text, inputs); } catch (error) { return error.constructor.name; }
};
console.log(JSON.stringify(JSON.parse(readFileSync(0, 'utf8')).map(attempt)));
"""


def in_browser(expressions: list[tuple[str, dict[str, float]]]) -> list[float | str]:
    command = [program("node"), "--input-type=module", "-e", SCRIPT, str(PAGE)]
    asked = json.dumps(expressions)
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)  # noqa: S603
    return list(json.loads(done.stdout))


def test_the_page_computes_the_same(source: Source) -> None:
    formulas = [(entry.record.formula, entry.record.example) for entry in source.entries.values()]
    worked = [(formula.expression, dict(example.inputs)) for formula, example in formulas if formula and example]
    asked = worked + [(text, VALUES) for text in COMPUTED]
    assert in_browser(asked) == pytest.approx([value_of(text, inputs) for text, inputs in asked])


def test_the_page_refuses_the_same() -> None:
    assert in_browser([(text, VALUES) for text in REFUSED]) == ["ExpressionError"] * len(REFUSED)
