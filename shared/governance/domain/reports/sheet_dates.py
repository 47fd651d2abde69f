"""Reads the one day of a spreadsheet, as programs of all countries write days (ADR figures)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Literal

DateOrder = Literal["dmy", "mdy"]
_ORDERS: tuple[DateOrder, ...] = ("dmy", "mdy")
_YEAR_FIRST = re.compile(r"([0-9]{4})(?:-([0-9]{2})-([0-9]{2})|/([0-9]{1,2})/([0-9]{1,2}))")
_DOTTED = re.compile(r"([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})")
_SLASHED = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})")
_NO_DATE = "must be an existing date such as 2027-03-31"
_UNCLEAR = "must tell the day from the month; write the date as 2027-03-31, or send `dateOrder`"


def day(cells: Mapping[int, str], order: DateOrder | None) -> tuple[str, dict[int, str]]:
    """Returns the day that all lines state, as an ISO date, and what is wrong with others by their lines.

    `order` is what the client says of dates with slashes; what the sheet shows must not contradict it.
    """
    readings = {candidate: {line: _date(text, candidate) for line, text in cells.items()} for candidate in _ORDERS}
    if order is not None:
        return _checked(cells, readings[order], order)
    possible = [days for days in readings.values() if None not in days.values()] or [*readings.values()]
    agreeing = [days for days in possible if len({*days.values()}) == 1] or possible
    chosen = agreeing[0]
    if any(days != chosen for days in agreeing[1:]) and None not in chosen.values():
        unclear = [line for line in cells if len({days[line] for days in agreeing}) > 1]
        return "", dict.fromkeys(unclear, _UNCLEAR)
    return _checked(cells, chosen, None)


def _checked(
    cells: Mapping[int, str], days: Mapping[int, str | None], order: DateOrder | None
) -> tuple[str, dict[int, str]]:
    """Returns the day of the first line, and the errors of lines without a day or with another one."""
    first = next(iter(days))
    errors = {}
    for line, iso_date in days.items():
        if iso_date is None:
            says = order is not None and _SLASHED.fullmatch(cells[line]) is not None
            errors[line] = f"{_NO_DATE}, in the order that `dateOrder` says" if says else _NO_DATE
        elif iso_date != days[first] and days[first] is not None:
            errors[line] = f"must be the date of line {first}: all figures of a dashboard have one"
    return days[first] or "", errors


def _date(text: str, order: DateOrder) -> str | None:
    """Returns a date as ISO writes it; None for a text that is not one in this order of day and month."""
    if match := _YEAR_FIRST.fullmatch(text):
        year, month, of_month = (part for part in match.groups() if part)
    elif match := _DOTTED.fullmatch(text):
        of_month, month, year = match.groups()
    elif match := _SLASHED.fullmatch(text):
        first, second, year = match.groups()
        of_month, month = (first, second) if order == "dmy" else (second, first)
    else:
        return None
    try:
        return date(int(year), int(month), int(of_month)).isoformat()
    except ValueError:
        return None
