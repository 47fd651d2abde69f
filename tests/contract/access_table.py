"""Reads and formats `authorization.txt`, the table of who may do what: routes, their states, a cell for each caller."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tests.harness.actors import COLUMNS
from tests.harness.client import Response

Row = tuple[str, ...]
_FILE = Path(__file__).parent / "authorization.txt"
_LETTERS = {
    "UNAUTHENTICATED": "U",
    "INVALID_API_TOKEN": "T",
    "ACCOUNT_SUSPENDED": "S",
    "ACCOUNT_INACTIVE": "I",
    "FORBIDDEN": "403",
    "BILLING_RESTRICTED": "B",
    "RESOURCE_NOT_FOUND": "404",
    "INVALID_INVITE_CODE": "C",
    "MEETING_FINALIZED": "M",
    "MEETING_IS_DRAFT": "D",
    "INVALID_TRANSITION": "N",
    "SLOT_VOTES_CLOSED": "V",
    "SLOT_IS_PROMOTED": "P",
    "REPORT_FINALIZED": "R",
    "OWNER_ROLE": "O",
    "OWNER_CANNOT_LEAVE": "L",
    "RESOLUTION_CLOSED": "K",
    "NOT_CLOSED": "J",
    "NOT_DRAFT": "Q",
}
"""The table's abbreviations of error codes and of the reasons of conflicts."""
_STATES_WIDTH = 46


def format_cell(response: Response) -> str:
    """Returns a response's cell in the table."""
    if response.status < 400:
        return str(response.status)
    error = response.json.get("error") or response.json
    return _LETTERS[(error.get("details") or {}).get("reason") or error["code"]]


def read_table() -> Mapping[str, Mapping[str, Row]]:
    """Returns the cells by route and state."""
    table: dict[str, dict[str, Row]] = {}
    route = ""
    for line in _FILE.read_text().splitlines():
        if line.startswith(" "):
            states, *row = line.split()
            assert len(row) == len(COLUMNS), f"{route}: {line}"
            table[route] |= dict.fromkeys(states.split(","), tuple(row))
        elif line and not line.startswith("#"):
            route = line
            table[route] = {}
    return table


def format_rows(rows: Mapping[str, Row]) -> str:
    """Formats rows as in the table: states with the same cells share a line."""
    states_by_row: dict[Row, list[str]] = {}
    for state, row in rows.items():
        states_by_row.setdefault(row, []).append(state)
    return "\n".join(_line(names, row) for row, states in states_by_row.items() for names in _wrap(states))


def _wrap(states: Sequence[str]) -> Iterator[str]:
    """Splits a list of states into lines that fit the states' column."""
    line = states[0]
    for state in states[1:]:
        if len(line) + len(state) >= _STATES_WIDTH:
            yield line
            line = state
        else:
            line = f"{line},{state}"
    yield line


def _line(states: str, row: Row) -> str:
    return f"    {states:<{_STATES_WIDTH}} " + " ".join(f"{cell:>3}" for cell in row)
