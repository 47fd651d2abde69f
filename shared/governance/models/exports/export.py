"""Exports: the data of a board or a user, as one file to download (ADR exports)."""

from typing import Literal

from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.models.base import Resource, Stored

ExportStatus = Literal["pending", "ready", "failed"]
"""Whether the file is being made (`pending`), can be downloaded (`ready`) or could not be made (`failed`)."""


class ExportPart(Stored):
    """The progress of reading one file of an export: its entries, and its pieces in the bucket."""

    name: str
    count: int = 0
    pieces: int = 0


class StoredExport(Stored):
    """An export as it is stored.

    `parts` are the files that have been read, the last one of them perhaps in part: the rest begins after `after`.
    `zones` names the time zones and years of the meetings that were read.
    """

    id: str
    user_id: UserId
    board_id: BoardId | None
    status: ExportStatus = "pending"
    size: int | None = None
    parts: tuple[ExportPart, ...] = ()
    after: str | None = None
    zones: tuple[str, ...] = ()
    version: int = 1
    created_at: Instant


class RunningExport(Stored):
    """The export of a board or a user that runs; another one waits until it has ended."""

    id: str
    until: Instant


class Export(Resource):
    """An export of a board, or of your own data."""

    object: Literal["export"] = "export"
    id: str
    board_id: BoardId | None
    """Identifier of the board that is exported, or null for your own data."""
    status: ExportStatus
    """`pending` while the file is being made, `ready` when it can be downloaded, or `failed`: the board was deleted,
    you are no longer allowed to have the export, or it was not finished within $EXPORT_HOURS_IN_WORDS.
    """
    url: str | None
    """The address of the file, a secret that works for $EXPORT_LINK_SECONDS_IN_WORDS; null until the export is ready.
    Read the export again for a new address.
    """
    size: int | None
    """Size of the file in bytes; null until the export is ready."""
    created_at: str
    expires_at: str
    """When the export and its file are deleted, $EXPORT_DAYS_IN_WORDS after the request."""
