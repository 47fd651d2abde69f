"""The lock of the log: an item that says how far it is, and moves under its condition."""

from __future__ import annotations

from typing import Any

from governance.log.notes import Checkpoint
from governance.store.schema.entities import LOG_LOCK
from governance.store.schema.keys import make_item
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import ABSENT, Put, equals

_ORIGIN, _SIZE, _ROOT = "origin", "size", "root"


def read() -> Checkpoint | None:
    """Returns the checkpoint that was decided last; None if the log has not begun."""
    item = read_one(LOG_LOCK.key_for())
    return None if item is None else Checkpoint(item[_ORIGIN], int(item[_SIZE]), bytes.fromhex(item[_ROOT]))


def move(old: Checkpoint | None, new: Checkpoint) -> None:
    """Decides on the next checkpoint. Raises `StaleRead` if another one was decided meanwhile."""
    item = make_item(LOG_LOCK.key_for(), _members(new))
    transact([Put(item, ABSENT if old is None else equals(**_members(old)))])


def _members(checkpoint: Checkpoint) -> dict[str, Any]:
    return {_ORIGIN: checkpoint.origin, _SIZE: checkpoint.size, _ROOT: checkpoint.root.hex()}
