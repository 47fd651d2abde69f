"""What is left under what is gone: out of sight at once, removed here soon after (ADR 0031).

A board or a meeting has more under it than a transaction holds. So its deletion is one write, after which nothing of it
can be reached, and the event of that deletion brings the sweep; swept twice is swept once.
"""

from __future__ import annotations

from collections.abc import Sequence

from governance.models.event import Event, StoredEvent
from governance.store import action_items, boards, dashboards, invites, slots, tokens
from governance.store.schema import BOARD, Key
from governance.store.table import transact
from governance.store.writes import Delete

_WRITES = 100


def delete_leftovers(happened: StoredEvent) -> None:
    """Remove what a deletion left behind; other events leave nothing."""
    board_id, refs = happened.board_id, happened.refs
    if happened.type is Event.MEETING_DELETED:
        _remove(slots.keys_under_meeting(board_id, refs["meetingId"]))
        items = action_items.list_of_meeting(board_id, refs["meetingId"])
        _remove([row for item in items for row in reversed(action_items.keys_of(item))])
    elif happened.type is Event.REPORT_DELETED:
        _remove(dashboards.keys_under_report(board_id, refs["reportId"]))
    elif happened.type is Event.BOARD_DELETED:
        _remove(_elsewhere(board_id, happened.data.get("inviteCode")))
        _remove(boards.keys_under_board(board_id))
    elif happened.type is Event.SLOT_REMOVED:
        _remove(slots.keys_of_votes(board_id, refs["meetingId"], refs["slotId"]))


def _elsewhere(board_id: str, code: str | None) -> list[Key]:
    """The rows outside a board's collection that only what lies in it can name; so they go first."""
    items = (row for item in action_items.list_of_board(board_id) for row in action_items.keys_of(item)[1:])
    sent = (row for invite in invites.list_of_board(board_id) for row in invites.keys_outside_board(invite, code))
    return [*items, *sent, *tokens.keys_outside_owner(BOARD.at(boardId=board_id).pk)]


def _remove(keys: Sequence[Key]) -> None:
    for start in range(0, len(keys), _WRITES):
        transact([Delete(key) for key in keys[start : start + _WRITES]])
