"""The roster of a board, for the use cases that need all of its members."""

from __future__ import annotations

from governance.models.board import RosterEntry
from governance.store import boards
from governance.usecases.context import RequestInfo


def roster_of(info: RequestInfo) -> list[RosterEntry]:
    """Reads the current members of the board that the path names."""
    return boards.roster(info.board_id)
