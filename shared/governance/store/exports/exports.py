"""Exports: rows in a partition of the exported board or user, which expire after a week."""

from __future__ import annotations

from governance.domain.exports.export import expires_at, running, still_running
from governance.ids import BoardId, UserId, time_ordered_id
from governance.instants import Instant, millis, shift
from governance.limits import EXPORT_DAYS
from governance.models.exports.export import RunningExport, StoredExport
from governance.store.decoding import decode_all
from governance.store.paging import Window, page
from governance.store.schema import ranges
from governance.store.schema.jobs import EXPORT, EXPORT_RUNNING
from governance.store.schema.keys import Item, Key, make_item
from governance.store.table import read_one
from governance.store.writes import Condition, Delete, Put, Write, equals, fail_with


def _key(export: StoredExport) -> Key:
    return EXPORT.key_for(exportedId=_exported(export), userId=export.user_id, exportId=export.id)


def _exported(export: StoredExport) -> str:
    return export.board_id or export.user_id


def _running_key(export: StoredExport) -> Key:
    return EXPORT_RUNNING.key_for(exportedId=_exported(export))


def _item(export: StoredExport) -> Item:
    return make_item(_key(export), export.item(), ttl=expires_at(export))


def create(export: StoredExport) -> list[Write]:
    """Returns the writes of a new export. They fail with 409 `EXPORT_RUNNING` while another one runs."""
    lock = running(export)
    is_free = Condition("attribute_not_exists(#u) OR #u <= :now", {"#u": "until"}, {":now": export.created_at})
    item = make_item(_running_key(export), lock.item(), ttl=lock.until)
    return [Put(_item(export)), Put(item, is_free, fail_with(still_running))]


def replace(old: StoredExport, new: StoredExport) -> Write:
    """Returns the write that changes an export. It fails with `StaleRead` if it changed since it was read."""
    return Put(_item(new), equals(version=old.version))


def end(old: StoredExport, new: StoredExport) -> list[Write]:
    """Returns the writes that end an export, after which another one may be requested."""
    lock = read_one(_running_key(old))
    unlock = [Delete(_running_key(old), equals(id=old.id))] if lock and lock["id"] == old.id else []
    return [replace(old, new), *unlock]


def running_from_item(item: Item | None) -> RunningExport | None:
    """Returns the running export in an item; None without one."""
    return RunningExport.model_validate(item) if item else None


def get(exported_id: str, user_id: UserId, export_id: str) -> StoredExport | None:
    """Returns a user's export; None if there is none."""
    item = read_one(EXPORT.key_for(exportedId=exported_id, userId=user_id, exportId=export_id))
    return StoredExport.model_validate(item) if item else None


def list_of_user(
    exported_id: BoardId | UserId, user_id: UserId, window: Window
) -> tuple[list[StoredExport], str | None]:
    """Returns a page of a user's exports, of a board or of their own, and the position of the last."""
    items, last = page(EXPORT_RUNNING.key_for(exportedId=exported_id).pk, [ranges.exports_of(user_id)], window)
    return decode_all(StoredExport, items), last


def oldest_kept(now: Instant) -> str:
    """Returns the position before which exports have expired, though the store may delete their rows later."""
    return time_ordered_id(millis(shift(now, days=-EXPORT_DAYS)) + 1, "0" * 12)
