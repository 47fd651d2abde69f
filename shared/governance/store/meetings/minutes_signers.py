"""Who signs a board's minutes: one item of the board, from the first choice on."""

from __future__ import annotations

from governance.models.meetings.minutes_signing import StoredMinutesSigners
from governance.store.schema.keys import make_item
from governance.store.schema.minutes import MINUTES_SIGNERS
from governance.store.writes import ABSENT, Check, Put, Write, equals


def put(old: StoredMinutesSigners | None, new: StoredMinutesSigners) -> Write:
    """Returns the write of a list. It fails with `StaleRead` if the earlier one changed since it was read."""
    condition = equals(version=old.version) if old else ABSENT
    return Put(make_item(MINUTES_SIGNERS.key_for(boardId=new.board_id), new.item()), condition)


def check_unchanged(signers: StoredMinutesSigners) -> Write:
    """Returns a check that a list has not changed since it was read (`StaleRead`)."""
    return Check(MINUTES_SIGNERS.key_for(boardId=signers.board_id), equals(version=signers.version))
