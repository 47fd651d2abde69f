"""What is stored about the past of a board: its events and its audit entries of the months around now."""

from __future__ import annotations

from collections.abc import Callable

from governance.ids import BoardId
from governance.instants import months, now, shift
from governance.store.schema.history import RESERVE, audit_partition, events_partition
from governance.store.schema.keys import Item, Range
from governance.store.table import query

_DAYS = 90


def event_items(board_id: BoardId) -> list[Item]:
    """Returns the stored events of a board, month by month, then its reserve."""
    return _items(board_id, events_partition)


def audit_items(board_id: BoardId) -> list[Item]:
    """Returns the stored audit entries of a board, oldest first, then its reserve."""
    return _items(board_id, audit_partition)


def _items(board_id: BoardId, partition: Callable[[BoardId, str], str]) -> list[Item]:
    around = months(shift(now(), days=-_DAYS), shift(now(), days=_DAYS))
    return [item for month in (*around, RESERVE) for item in query(Range(partition(board_id, month)))]
