"""Figures from a spreadsheet: how its text is read, and how it fills a dashboard (ADR 0171).

The first line names the columns, in any order. The character that separates them is the tab, the semicolon or the
comma, the first of these that the line has.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain, count
from typing import NamedTuple

from governance.errors import invalid_body
from governance.limits import CHECKED_NUMBER, DASHBOARD_FIELDS, ORDER_MAGNITUDE
from governance.models.catalog import labels
from governance.models.numbers import kept_as_written, number_of_text
from governance.models.reports.dashboard import DashboardField, Uniform, Widget
from governance.models.text import calendar_date

_KPI, _VALUE, _DATE = _COLUMNS = ("rogueId", "value", "date")
_SEPARATORS = "\t;,"
_SHOWN = 80
"""Characters of an unknown id that an error repeats; it repeats nothing else of what a client sent."""


class Sheet(NamedTuple):
    """The content of a spreadsheet: the numbers of KPIs as they are stored, by `rogueId`, and the day they refer to."""

    values: Mapping[str, int | float | str]
    date: str


class _Line(NamedTuple):
    number: int
    cells: list[str]


def parse_sheet(text: str) -> Sheet:
    """Returns the content of a text. Raises 400 that names each line with what is wrong in it; the header is line 1."""
    header, *lines = _lines(text) or [_Line(1, [])]
    _check_header(header)
    if not lines:
        raise invalid_body({"csv": "must have a line of figures below its header"})
    _check_widths(header, lines)
    rows = {line.number: dict(zip(header.cells, line.cells, strict=True)) for line in lines}
    errors = dict(_errors(rows))
    if errors:
        raise invalid_body(errors)
    values = {row[_KPI]: kept_as_written(number_of_text(row[_VALUE])) for row in rows.values()}
    return Sheet(values, rows[lines[0].number][_DATE])


def _lines(text: str) -> list[_Line]:
    """Returns the cells of each line that is not empty."""
    source = io.StringIO(text.removeprefix("\ufeff"), newline="")
    first, _, _ = text.strip().replace("\r", "\n").partition("\n")
    separator = next((each for each in _SEPARATORS if each in first), ",")
    reader, lines, number = csv.reader(source, delimiter=separator, strict=True), [], 1
    try:
        for cells in reader:
            lines.append(_Line(number, [cell.strip() for cell in cells]))
            number = reader.line_num + 1
    except csv.Error:
        raise invalid_body({f"csv.{number}": "must have quotes around whole cells only, doubled within them"}) from None
    return [line for line in lines if any(line.cells)]


def _check_header(header: _Line) -> None:
    """Raises 400 for a header that does not name each column once."""
    if sorted(header.cells) != sorted(_COLUMNS):
        error = "must name each of the columns rogueId, value, date once, and no other"
        raise invalid_body({f"csv.{header.number}": error})


def _check_widths(header: _Line, lines: Iterable[_Line]) -> None:
    """Raises 400 that names the lines with more or fewer cells than the header."""
    width = len(header.cells)
    odd = [line.number for line in lines if len(line.cells) != width]
    if odd:
        raise invalid_body({f"csv.{number}": f"must have {width} cells" for number in odd})


def _errors(rows: Mapping[int, Mapping[str, str]]) -> Iterator[tuple[str, str]]:
    """Yields what is wrong with cells, by line and column."""
    first_of: dict[str, int] = {}
    first, *_ = rows
    date = rows[first][_DATE]
    for number, row in rows.items():
        path, kpi = f"csv.{number}", row[_KPI]
        if kpi not in labels():
            yield f"{path}.{_KPI}", f"`{kpi[:_SHOWN]}` is not the id of a KPI of the released catalog"
        elif first_of.setdefault(kpi, number) != number:
            yield f"{path}.{_KPI}", f"must not be repeated: line {first_of[kpi]} states `{kpi}` too"
        if len(row[_VALUE]) > CHECKED_NUMBER or number_of_text(row[_VALUE]) is None:
            yield f"{path}.{_VALUE}", f"must be a number such as 1250.50, of up to {CHECKED_NUMBER} characters"
        if number == first and not _is_date(date):
            yield f"{path}.{_DATE}", "must be an existing date such as 2027-03-31"
        elif row[_DATE] != date:
            yield f"{path}.{_DATE}", f"must be the date of line {first}: all figures of a dashboard have one"


def _is_date(text: str) -> bool:
    try:
        return bool(calendar_date(text))
    except ValueError:
        return False


def filled(before: Uniform | None, sheet: Sheet) -> Uniform:
    """Returns the payload of a dashboard with the figures of the sheet; the rest of it stays.

    Fields of a KPI that the sheet states get its number, unless they show a chart or a table. A KPI without such a
    field gets one, at the end. Raises 400 for a dashboard without payload and for more fields than a dashboard holds.
    """
    if before is None:
        raise invalid_body({"csv": "must be for a dashboard of type `uniform`"})
    kept = tuple(_restated(field, sheet) for field in before.fields)
    known = {field.rogue_id for field in before.fields if _holds_number(field)}
    fields = (*kept, *_added(kept, [(id_, value) for id_, value in sheet.values.items() if id_ not in known]))
    if len(fields) > DASHBOARD_FIELDS:
        raise invalid_body({"csv": f"must not give the dashboard more than {DASHBOARD_FIELDS} fields"})
    return before.model_copy(update={"fields": fields, "data_anchor_date": sheet.date})


def _holds_number(field: DashboardField) -> bool:
    shows_many = field.widget is not None and field.widget.type in {"chart", "table"}
    return not shows_many and not isinstance(field.value, list | dict)


def _restated(field: DashboardField, sheet: Sheet) -> DashboardField:
    value = sheet.values.get(str(field.rogue_id))
    if value is None or not _holds_number(field):
        return field
    return field.model_copy(update={"value": value, "is_stub": False})


def _added(
    kept: Iterable[DashboardField], figures: Iterable[tuple[str, int | float | str]]
) -> Iterator[DashboardField]:
    """Yields a field for each of these KPIs, below the others and in their order."""
    fields = [*kept]
    ids, last = {field.field_id for field in fields}, max((field.display_order for field in fields), default=0)
    for place, (rogue_id, value) in enumerate(figures, start=1):
        yield DashboardField(
            field_id=_free_id(rogue_id, ids),
            rogue_id=rogue_id,
            is_stub=False,
            label=labels()[rogue_id],
            display_order=min(last + place, ORDER_MAGNITUDE),
            value=value,
            widget=Widget(type="number", options={}),
        )


def _free_id(rogue_id: str, taken: Collection[str]) -> str:
    """Returns the id of the KPI as the id of its field, with a number behind it if another field has that.

    No KPI has such an id with a number, so that two new fields have different ones.
    """
    numbered = (f"{rogue_id}.{number}" for number in count(2))
    return next(each for each in chain([rogue_id], numbered) if each not in taken)
