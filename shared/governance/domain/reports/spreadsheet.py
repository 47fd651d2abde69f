"""Reads figures from the text of a spreadsheet, whose first line names the columns, in any order (ADR figures)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from governance.domain.reports import sheet_cells, sheet_dates, sheet_kpis, sheet_numbers
from governance.domain.reports.sheet_cells import Cell, Line
from governance.domain.reports.sheet_currencies import Currencies
from governance.domain.reports.sheet_dates import DateOrder
from governance.domain.reports.sheet_numbers import Decimal
from governance.errors import invalid_body
from governance.models.catalog.catalog import kpis
from governance.models.numbers import kept_as_written, number_of_text

_KPI, _VALUE, _DATE = _COLUMNS = ("rogueId", "value", "date")
_NAMED = {
    **dict.fromkeys(("rogueid", "kpi", "kennzahl"), _KPI),
    **dict.fromkeys(("value", "wert", "betrag"), _VALUE),
    **dict.fromkeys(("date", "datum", "stichtag"), _DATE),
}
"""The columns by what they are called in the languages of the pages, in any case."""
_AMOUNT, _PERCENT = "currency", "percent"


class StatedCurrency(NamedTuple):
    """The currencies that the sign or code at an amount stands for, and the name of its cell in errors."""

    codes: Currencies
    cell: str


class Sheet(NamedTuple):
    """The content of a spreadsheet: the numbers of KPIs as they are stored, by `rogueId`, and the day they refer to."""

    values: Mapping[str, int | float | str]
    date: str
    currencies: Mapping[str, StatedCurrency] = MappingProxyType({})
    """The currencies that the sheet states, by `rogueId`."""


Rows = Mapping[int, Mapping[str, Cell]]
"""The cells of the lines below the header, by the numbers of the lines and the names of the columns."""


def parse_sheet(text: str, decimal: Decimal | None = None, order: DateOrder | None = None) -> Sheet:
    """Returns the content of a text. Raises 400 that names each line with what is wrong in it; the header is line 1."""
    separator, lines = sheet_cells.split(text)
    header, *below = lines or [Line(1, [])]
    columns = _columns(header)
    if not below:
        raise invalid_body({"csv": "must have a line of figures below its header"})
    rows = _rows(columns, len(header.cells), below)
    ids, errors = _ids(rows)
    written = {line: sheet_numbers.written(row[_VALUE], separator) for line, row in rows.items()}
    numbers, of_numbers = sheet_numbers.numbers(written, decimal)
    for line, rogue_id in ids.items():
        value_type = kpis()[rogue_id].value_type
        if written[line].is_percent and value_type != _PERCENT:
            of_numbers.setdefault(line, f"must not have a `%`: `{rogue_id}` is not stated in percent")
        if written[line].currencies and value_type != _AMOUNT:
            of_numbers.setdefault(line, f"must not have a currency: `{rogue_id}` is not an amount of money")
    date, of_dates = sheet_dates.day({line: row[_DATE].text for line, row in rows.items()}, order)
    named = {_KPI: errors, _VALUE: of_numbers, _DATE: of_dates}
    cell_errors = {
        f"csv.{line}.{column}": of_column[line]
        for line in rows
        for column, of_column in named.items()
        if line in of_column
    }
    if cell_errors:
        raise invalid_body(cell_errors)
    values = {ids[line]: kept_as_written(number_of_text(number)) for line, number in numbers.items()}
    currencies = {
        ids[line]: StatedCurrency(cell.currencies, f"csv.{line}.{_VALUE}")
        for line, cell in written.items()
        if cell.currencies
    }
    return Sheet(values, date, currencies)


def _columns(header: Line) -> dict[int, str]:
    """Returns the names of the columns by their places. Raises 400 for a header that does not name each once."""
    named = {at: cell.text for at, cell in enumerate(header.cells) if cell.text}
    columns = {at: _NAMED.get(name.casefold(), "") for at, name in named.items()}
    if sorted(columns.values()) != sorted(_COLUMNS):
        error = "must name each of the columns rogueId (or KPI), value, date once, and no other"
        raise invalid_body({f"csv.{header.number}": error})
    return columns


def _rows(columns: Mapping[int, str], width: int, lines: Iterable[Line]) -> Rows:
    """Returns the cells by line and column. Raises 400 that names lines with cells that are in no column or missing."""
    errors = {
        f"csv.{line.number}": f"must have {width} cells, and none in a column without a name"
        for line in lines
        if not _fits(line.cells, columns)
    }
    if errors:
        raise invalid_body(errors)
    return {line.number: {name: line.cells[at] for at, name in columns.items()} for line in lines}


def _fits(cells: Sequence[Cell], columns: Mapping[int, str]) -> bool:
    """Returns whether a line has a cell for each column and nothing beside them; empty cells do not count."""
    return len(cells) > max(columns) and all(at in columns or not cell.text for at, cell in enumerate(cells))


def _ids(rows: Rows) -> tuple[dict[int, str], dict[int, str]]:
    """Returns the ids of the KPIs of the lines, and what is wrong with others."""
    ids: dict[int, str] = {}
    errors: dict[int, str] = {}
    first_of: dict[str, int] = {}
    for line, row in rows.items():
        try:
            rogue_id = sheet_kpis.find(row[_KPI].text)
        except ValueError as error:
            errors[line] = str(error)
            continue
        ids[line] = rogue_id
        if first_of.setdefault(rogue_id, line) != line:
            errors[line] = f"must not be repeated: line {first_of[rogue_id]} states `{rogue_id}` too"
    return ids, errors
