"""How many bytes of files a board holds: those of declared and ready versions, board packs too (ADR documents).

The counter has two numbers. `count` changes in the transaction that changes the versions, also where the bytes were
never read before; `base` is what it has to be added to, read once with all versions. A restore takes `base` away.
"""

from __future__ import annotations

from collections.abc import Iterable

from governance.errors import Reason, conflict
from governance.ids import BoardId
from governance.limits import BOARD_FILE_BYTES
from governance.models.documents.document_version import StoredVersions
from governance.store.schema.entities import BOARD, DOCUMENT, FILE_BYTES_COUNT, VERSIONS_OF_DOCUMENT, papers_partition
from governance.store.schema.keys import SK, Item, Key, Range
from governance.store.table import iter_range
from governance.store.writes import Condition, FailureHandler, StaleRead, Update, Write

_BASE = "base"
_NAMES = {"#n": "count", "#c": "changes"}
_OF_VERSIONS = VERSIONS_OF_DOCUMENT.sk.rpartition("}")[2]
_COUNTED = {"uploading", "scanning", "ready"}


def changes(old: StoredVersions | None, new: StoredVersions | None) -> list[Write]:
    """Returns the write that counts how the versions of a document change; none if they hold as many bytes."""
    number = _bytes_of(new) - _bytes_of(old)
    versions = new or old
    if versions is None or number == 0:
        return []
    return [Update(_key(versions.board_id), "ADD #n :number, #c :one", _NAMES, {":number": number, ":one": 1})]


def declare(board_id: BoardId, counter: Item | None, size: int) -> Write:
    """Returns the write that counts a new file. `counter` is the item as it was read.

    Raises 409 `LIMIT_REACHED`, or the write fails with it, if the board has no room for the file. The write of a board
    whose files were never counted fails with `StaleRead` if they changed meanwhile.
    """
    key, base = _key(board_id), (counter or {}).get(_BASE)
    names, added = {"#b": _BASE, **_NAMES}, {":number": size, ":one": 1}
    if base is not None:
        room = Condition("#b = :base AND #n <= :room", {}, {":room": BOARD_FILE_BYTES - int(base) - size})
        return Update(key, "ADD #n :number, #c :one", names, {**added, ":base": base}, room, _full(base))
    partitions = (BOARD.key_for(boardId=board_id).pk, papers_partition(board_id))
    ranges = (Range(pk, DOCUMENT.sk_prefix) for pk in partitions)
    held = sum(_all_bytes(row for of in ranges for row in iter_range(of, SK, "boardId", "documentId", "versions")))
    if held + size > BOARD_FILE_BYTES:
        raise conflict(Reason.LIMIT_REACHED)
    changes = (counter or {}).get("changes")
    unchanged = "attribute_not_exists(#c)" if changes is None else "#c = :changes"
    values = {**added, ":base": held - int((counter or {}).get("count", 0))}
    condition = Condition(unchanged, {}, {} if changes is None else {":changes": changes})
    return Update(key, "SET #b = :base ADD #n :number, #c :one", names, values, condition)


def recount_later(board_id: BoardId) -> Write:
    """Returns the write after which the bytes of a board are counted anew when the next file is declared."""
    return Update(_key(board_id), "REMOVE #b ADD #c :one", {"#b": _BASE, "#c": _NAMES["#c"]}, {":one": 1})


def _key(board_id: BoardId) -> Key:
    return FILE_BYTES_COUNT.key_for(boardId=board_id)


def _bytes_of(versions: StoredVersions | None) -> int:
    return sum(version.size for version in versions.versions if version.status in _COUNTED) if versions else 0


def _full(base: int) -> FailureHandler:
    def handle(counter: Item | None) -> Exception:
        is_counted = counter is not None and counter.get(_BASE) == base
        return conflict(Reason.LIMIT_REACHED) if is_counted else StaleRead()

    return handle


def _all_bytes(items: Iterable[Item]) -> Iterable[int]:
    stored = (StoredVersions.model_validate(item) for item in items if item[SK].endswith(_OF_VERSIONS))
    return (_bytes_of(versions) for versions in stored)
