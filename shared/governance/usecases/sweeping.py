"""What is left under what is gone: out of sight at once, removed here soon after (ADR 0031).

A board or a meeting has more under it than a transaction holds. So its deletion is one write, after which nothing of it
can be reached, and the event of that deletion brings the sweep; swept twice is swept once.
"""

from __future__ import annotations

from collections.abc import Sequence

from governance.models.act import Event, StoredEvent
from governance.store import action_items, boards, slots
from governance.store.schema import Key
from governance.store.table import Delete, transact

_WRITES = 100


def sweep(happened: StoredEvent) -> None:
    """Remove what a deletion left behind; other events leave nothing."""
    board_id, refs = happened.board_id, happened.refs
    if happened.type is Event.MEETING_DELETED:
        _remove(slots.everything_under(board_id, refs["meetingId"]))
        items = action_items.of_meeting(board_id, refs["meetingId"])
        _remove([row for item in items for row in reversed(action_items.rows_of(item))])
    elif happened.type is Event.BOARD_DELETED:
        _remove(boards.everything_under(board_id))
    elif happened.type is Event.SLOT_REMOVED:
        _remove(slots.leftovers(board_id, refs["meetingId"], refs["slotId"]))


def _remove(keys: Sequence[Key]) -> None:
    for start in range(0, len(keys), _WRITES):
        transact([Delete(key) for key in keys[start : start + _WRITES]])
