"""Errors in the source: the build names file, record and field."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from infra.catalog import checks, history, reading
from infra.catalog.source import CatalogError, SourceError

Edit = Callable[[str, str, str], None]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(reading.SOURCE, tmp_path / "source"))


@pytest.fixture
def edit(folder: Path) -> Edit:
    def replace(file: str, old: str, new: str) -> None:
        path = folder / file
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))

    return replace


def errors(folder: Path) -> list[SourceError]:
    try:
        source = reading.read(folder)
    except CatalogError as error:
        return error.errors
    return [*checks.errors(source), *history.errors(source, [])]


def locations(folder: Path) -> set[tuple[str, str, str]]:
    return {(error.file, error.record, error.field) for error in errors(folder)}


def test_the_source_has_no_error(folder: Path) -> None:
    assert errors(folder) == []


MARGIN = ("finance.yaml", "finance.gross-margin")
CASES = {
    "an example that does not give the expected value": (
        ("revenue: 820000}, expected: 74}", "revenue: 820000}, expected: 74.1}"),
        {(*MARGIN, "example.expected")},
    ),
    "an example that divides by zero": (
        ("{gross_profit: 606800, revenue: 820000}", "{gross_profit: 606800, revenue: 0}"),
        {(*MARGIN, "example")},
    ),
    "an example without one of the inputs": (
        ("{gross_profit: 606800, revenue: 820000}", "{gross_profit: 606800}"),
        {(*MARGIN, "example.inputs")},
    ),
    "a formula outside the grammar": (
        ("gross_profit / revenue * 100", "gross_profit / revenue * abs(100)"),
        {(*MARGIN, "formula.expression")},
    ),
    "a formula without one of its inputs": (
        ("gross_profit / revenue * 100", "gross_profit / turnover * 100"),
        {(*MARGIN, "formula.inputs")},
    ),
    "a percentage that forgets the hundred": (
        ("gross_profit / revenue * 100", "gross_profit / revenue"),
        {(*MARGIN, "unit"), (*MARGIN, "example.expected")},
    ),
    "units that do not agree": (
        ("net_burn * months / net_new_arr", "net_burn * months / net_new_arr + months"),
        {("finance.yaml", "finance.burn-multiple", f) for f in ("formula.expression", "example.expected")},
    ),
    "an unknown unit word": (
        ("financing_received: {raw: currency}", "financing_received: {raw: dollars}"),
        {("finance.yaml", "finance.net-burn", "formula.inputs.financing_received")},
    ),
    "a value type that the unit does not have": (
        ("valueType: duration\n    unit: month", "valueType: number\n    unit: month"),
        {("finance.yaml", "finance.runway", "unit")},
    ),
    "an input that is not a record": (
        (
            "gross_profit: finance.gross-profit, revenue: finance.revenue}",
            "gross_profit: finance.nothing, revenue: finance.revenue}",
        ),
        {(*MARGIN, "formula.inputs.gross_profit")},
    ),
    "an input that is the record itself": (
        (
            "gross_profit: finance.gross-profit, revenue: finance.revenue}",
            "gross_profit: finance.gross-margin, revenue: finance.revenue}",
        ),
        {(*MARGIN, "formula.inputs.gross_profit"), (*MARGIN, "unit")},
    ),
    "a related record that does not exist": (
        ("related: [finance.gross-profit, sales.cac-payback", "related: [finance.nothing, sales.cac-payback"),
        {(*MARGIN, "related")},
    ),
    "a related record named twice": (
        ("related: [finance.gross-profit, sales.cac-payback", "related: [finance.gross-profit, finance.gross-profit"),
        {(*MARGIN, "related")},
    ),
    "a record related to itself": (
        ("related: [finance.gross-profit, sales.cac-payback", "related: [finance.gross-margin, sales.cac-payback"),
        {(*MARGIN, "related")},
    ),
    "a formula without an example": (
        ("example: {inputs: {gross_profit: 606800, revenue: 820000}, expected: 74}", "example: null"),
        {(*MARGIN, "example")},
    ),
    "an unknown field": (
        ("shortLabel: Gross margin", "shortLabel: Gross margin\n    colour: green"),
        {(*MARGIN, "colour")},
    ),
    "a field of the wrong kind": (
        ("label: Gross margin\n    shortLabel", "label: [Gross margin]\n    shortLabel"),
        {(*MARGIN, "label")},
    ),
    "a direction that does not exist": (
        ("direction: up", "direction: sideways"),
        {("finance.yaml", "finance.revenue", "direction")},
    ),
    "a figure written as text": (
        ("expected: 74}", 'expected: "74"}'),
        {(*MARGIN, "example.expected.int"), (*MARGIN, "example.expected.float")},
    ),
    "a summed balance": (
        ("periodType: instant\n    aggregation: last", "periodType: instant\n    aggregation: sum"),
        {("finance.yaml", "finance.cash-balance", "aggregation")},
    ),
    "an id that is used twice": (
        ("slug: gross-profit", "slug: revenue"),
        {("finance.yaml", "finance.revenue", "slug")},
    ),
    "a label that is used twice": (
        ("label: Gross profit\n", "label: Revenue\n"),
        {("finance.yaml", "finance.gross-profit", "label")},
    ),
    "a key that is repeated": (("slug: revenue\n", "slug: revenue\n    slug: revenue\n"), {("finance.yaml", "-", "-")}),
    "no YAML at all": (("domain: finance", "domain: [finance"), {("finance.yaml", "-", "-")}),
    "another domain": (("domain: finance", "domain: sales"), {("finance.yaml", "-", "domain")}),
    "a successor that does not exist": (
        ("  - slug: runway", "  - status: deprecated\n    supersededBy: finance.nothing\n    slug: runway"),
        {("finance.yaml", "finance.runway", "supersededBy")},
    ),
    "a successor of what is still active": (
        ("  - slug: gross-margin", "  - supersededBy: finance.ebitda\n    slug: gross-margin"),
        {(*MARGIN, "supersededBy")},
    ),
}


@pytest.mark.parametrize(("change", "expected"), CASES.values(), ids=CASES)
def test_an_error_names_file_record_and_field(
    folder: Path, edit: Edit, change: tuple[str, str], expected: set[tuple[str, str, str]]
) -> None:
    edit("finance.yaml", *change)
    named = locations(folder)
    assert named >= expected
    assert {location[:2] for location in named} == {location[:2] for location in expected}


def test_a_cycle_of_formulas_is_shown(folder: Path, edit: Edit) -> None:
    edit(
        "finance.yaml",
        "operating_expenses: finance.operating-expenses, other",
        "operating_expenses: finance.net-income, other",
    )
    cycle = [error for error in errors(folder) if "cycle" in error.message]
    assert [error.record for error in cycle] == ["finance.net-income", "finance.total-expenses"]
    assert cycle[0].field == "formula.inputs"
    assert cycle[0].message == "forms a cycle: finance.net-income -> finance.total-expenses -> finance.net-income"


def test_a_cycle_of_successors_is_shown(folder: Path, edit: Edit) -> None:
    for slug, other in (("runway", "net-burn"), ("net-burn", "runway")):
        edit(
            "finance.yaml",
            f"  - slug: {slug}",
            f"  - status: deprecated\n    supersededBy: finance.{other}\n    slug: {slug}",
        )
    assert {error.field for error in errors(folder)} == {"supersededBy"}


def test_a_missing_file_is_named(folder: Path) -> None:
    (folder / "people.yaml").unlink()
    assert ("people.yaml", "-", "-") in locations(folder)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        *(("people.yaml", content) for content in (b"", b"# nothing yet\n", b"\xff", b"- 1")),
        ("changelog.yaml", b""),
        ("units.yaml", b""),
    ],
)
def test_a_file_without_its_content_is_named_alone(folder: Path, name: str, content: bytes) -> None:
    (folder / name).write_bytes(content)
    assert {error.file for error in errors(folder)} == {name}


@pytest.mark.parametrize(
    ("written", "named"),
    [
        ("", ("finance.yaml", "finance.runway", "introducedIn")),
        ("        - finance.runway\n        - finance.nothing\n", ("changelog.yaml", "finance.nothing", "1.0.0")),
    ],
    ids=["a record without a line", "a line without a record"],
)
def test_every_record_has_a_changelog_line_and_every_line_a_record(
    folder: Path, edit: Edit, written: str, named: tuple[str, str, str]
) -> None:
    edit("changelog.yaml", "        - finance.runway\n", written)
    assert locations(folder) == {named}


def test_all_errors_are_reported_at_once_each_in_one_line(folder: Path, edit: Edit) -> None:
    edit("finance.yaml", "expected: 74}", "expected: 75}")
    edit("sales.yaml", "expected: 16}", "expected: 17}")
    assert {error.record for error in errors(folder)} == {"finance.gross-margin", "sales.cac-payback"}
    error = SourceError("finance.yaml", "finance.runway", "unit", "is not one")
    assert str(CatalogError([error])) == "finance.yaml: finance.runway: unit: is not one"
