"""How many rings each second had in a board's room, and who would have heard those beyond the limit (ADR live)."""

from __future__ import annotations

from collections.abc import Iterable

from governance.ids import BoardId
from governance.instants import Instant, epoch, shift
from governance.limits import RING_SECONDS
from governance.models.live.live import View
from governance.store.schema.live import folded_key
from governance.store.table import read_one
from governance.store.transactions import increment, transact
from governance.store.writes import Update

_RINGS, _VIEWS = "rings", "views"


def count(board_id: BoardId, second: str, at: Instant) -> int:
    """Counts a ring of a second in a board's room, and returns which of it this is."""
    expiry = epoch(shift(at, seconds=2 * RING_SECONDS))
    return int(increment(folded_key(board_id, second), _RINGS, 1, expiry)[_RINGS])


def add_views(board_id: BoardId, second: str, views: Iterable[View]) -> None:
    """Notes who would have heard a ring that is folded."""
    texts = frozenset(view.model_dump_json(exclude_defaults=True) for view in views)
    if texts:
        transact([Update(folded_key(board_id, second), "ADD #v :views", {"#v": _VIEWS}, {":views": texts})])


def views_of(board_id: BoardId, second: str) -> tuple[View, ...]:
    """Returns who would have heard the rings of a second that were folded."""
    item = read_one(folded_key(board_id, second)) or {}
    return tuple(View.model_validate_json(text) for text in sorted(item.get(_VIEWS, ())))
