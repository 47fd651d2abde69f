"""The lock that lets one export of a board run at a time."""

from __future__ import annotations

from governance.models.export import StoredExport
from governance.store import exports
from governance.store.schema.entities import EXPORT_RUNNING
from governance.store.schema.keys import Item
from governance.store.table import read_one
from governance.store.transactions import transact
from tests.store.stored_items import BOARD, MEETING, NOW, ONE, USER

FIRST = StoredExport(id=ONE, user_id=USER, board_id=BOARD, created_at=NOW)
SECOND = FIRST.model_copy(update={"id": MEETING})


def lock() -> Item | None:
    return read_one(EXPORT_RUNNING.key_for(exportedId=BOARD))


def ended(export: StoredExport) -> StoredExport:
    return export.model_copy(update={"status": "failed", "version": export.version + 1})


def test_an_export_that_ends_lets_the_next_begin_and_never_ends_the_lock_of_another(store: str) -> None:
    del store
    transact(exports.create(FIRST))
    first_lock = lock()
    assert first_lock is not None
    assert first_lock["id"] == FIRST.id
    transact(exports.end(FIRST, ended(FIRST)))
    assert lock() is None
    transact(exports.create(SECOND))
    transact(exports.end(ended(FIRST), ended(ended(FIRST))))
    second_lock = lock()
    assert second_lock is not None
    assert second_lock["id"] == SECOND.id
