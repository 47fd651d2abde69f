"""The rules of exports: how long one runs and is kept, and how far it has been read (ADR exports)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

from governance.errors import ApiError, Reason, conflict
from governance.ids import BoardId, UserId, time_ordered_id
from governance.instants import Instant, millis, shift
from governance.limits import EXPORT_DAYS, EXPORT_HOURS
from governance.models.exports.export import Export, ExportPart, ExportStatus, RunningExport, StoredExport

_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""The categories of characters that are not shown: controls, those of direction and of no width, and line ends."""
_NOT_IN_NAMES = re.compile(r'[<>:"/\\|?*]')
_DEVICE = re.compile(r"con|prn|aux|nul|(com|lpt)[0-9¹²³]|conin\$|conout\$", re.IGNORECASE)
"""The names that Windows takes for devices, whatever their extension."""
_NAME_BYTES = 240
"""The length of a name that every file system takes, with some to spare: 255 bytes on most."""
_EXTENSION = 10
"""Characters of the longest extension that is kept."""


def requested(user_id: UserId, board_id: BoardId | None, now: Instant) -> StoredExport:
    """Returns a new export, of which nothing has been read."""
    return StoredExport(id=time_ordered_id(millis(now)), user_id=user_id, board_id=board_id, created_at=now)


def running(export: StoredExport) -> RunningExport:
    """Returns the marker that prevents another export while this one runs."""
    return RunningExport(id=export.id, until=shift(export.created_at, hours=EXPORT_HOURS))


def check_none_runs(lock: RunningExport | None, now: Instant) -> None:
    """Raises 409 `EXPORT_RUNNING` while an export runs. One that does not end in a day blocks no other."""
    if lock is not None and lock.until > now:
        raise still_running()


def still_running() -> ApiError:
    """Returns 409 `EXPORT_RUNNING`."""
    return conflict(Reason.EXPORT_RUNNING)


def expires_at(export: StoredExport) -> Instant:
    """Returns the instant at which the export expires."""
    return shift(export.created_at, days=EXPORT_DAYS)


def status_at(export: StoredExport, now: Instant) -> ExportStatus:
    """Returns the status of an export; one that has not ended in its time has failed."""
    late = export.status == "pending" and running(export).until <= now
    return "failed" if late else export.status


def read_on(export: StoredExport, part: ExportPart, after: str | None, zones: Collection[str]) -> StoredExport:
    """Returns the export after more of its last file, or the first of its next one, was read.

    The rest of the file begins at `after`; None if the file is complete.
    """
    done = [known for known in export.parts if known.name != part.name]
    update = {"parts": (*done, part), "after": after, "zones": tuple(sorted({*export.zones, *zones}))}
    return export.model_copy(update={**update, "version": export.version + 1})


def ended(export: StoredExport, size: int | None) -> StoredExport:
    """Returns the export as ready with this size in bytes, or as failed without one."""
    status = "failed" if size is None else "ready"
    return export.model_copy(update={"status": status, "size": size, "after": None, "version": export.version + 1})


def archive_name(file_name: str) -> str:
    """Returns the name of a file in an archive: one that no system and no terminal takes for something else."""
    shown = "".join(char for char in file_name if unicodedata.category(char) not in _UNSEEN)
    name = _NOT_IN_NAMES.sub("-", shown).strip().rstrip(". ") or "file"
    return _cut(f"_{name}" if _DEVICE.fullmatch(name.partition(".")[0].rstrip()) else name)


def _cut(name: str) -> str:
    """Returns a name that no file system finds too long, with its extension."""
    if len(name.encode()) <= _NAME_BYTES:
        return name
    stem, dot, extension = name.rpartition(".")
    ending = f"{dot}{extension}" if stem and len(extension) <= _EXTENSION else ""
    room = _NAME_BYTES - len(ending.encode())
    return (stem if ending else name).encode()[:room].decode(errors="ignore") + ending


def to_resource(export: StoredExport, url: str | None, now: Instant) -> Export:
    """Returns the export as the user who requested it sees it."""
    return Export.model_validate(
        {**vars(export), "status": status_at(export, now), "url": url, "expires_at": expires_at(export)}
    )
