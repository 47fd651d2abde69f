"""The table of who may do what, as `authorization.txt` writes it: routes, their states, a cell for each caller."""

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
    "SLOT_VOTES_CLOSED": "V",
    "SLOT_IS_PROMOTED": "P",
    "REPORT_FINALIZED": "R",
    "OWNER_ROLE": "O",
    "OWNER_CANNOT_LEAVE": "L",
}
"""How the table writes an error's code, or the reason of a conflict."""
_ROOM = 46


def cell(response: Response) -> str:
    """An answer as the table writes it."""
    if response.status < 400:
        return str(response.status)
    error = response.json.get("error") or response.json
    return _LETTERS[(error.get("details") or {}).get("reason") or error["code"]]


def read_table() -> Mapping[str, Mapping[str, Row]]:
    """Of each route its states, of each state its cells."""
    found: dict[str, dict[str, Row]] = {}
    route = ""
    for line in _FILE.read_text().splitlines():
        if line.startswith(" "):
            states, *row = line.split()
            assert len(row) == len(COLUMNS), f"{route}: {line}"
            found[route] |= dict.fromkeys(states.split(","), tuple(row))
        elif line and not line.startswith("#"):
            route = line
            found[route] = {}
    return found


def written(rows: Mapping[str, Row]) -> str:
    """Rows as the table writes them: states with the same cells stand together."""
    alike: dict[Row, list[str]] = {}
    for state, row in rows.items():
        alike.setdefault(row, []).append(state)
    return "\n".join(_line(names, row) for row, states in alike.items() for names in _portions(states))


def _portions(states: Sequence[str]) -> Iterator[str]:
    """As many of the states to a line as there is room for."""
    line = states[0]
    for state in states[1:]:
        if len(line) + len(state) >= _ROOM:
            yield line
            line = state
        else:
            line = f"{line},{state}"
    yield line


def _line(states: str, row: Row) -> str:
    return f"    {states:<{_ROOM}} " + " ".join(f"{each:>3}" for each in row)
