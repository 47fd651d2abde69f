"""The certificates of resolutions: a text each, in as many items as it needs, written with the record of the result.

Where there is a bucket for it, a certificate is kept outside the table before anybody reads it: a restored table may
have lost it (ADR restore). Until then a row beside it says that it is not kept yet.
"""

from __future__ import annotations

from dataclasses import dataclass

from governance.ids import BoardId
from governance.limits import RESOLUTION_PART_BYTES
from governance.models.resolutions.resolution import StoredResolution
from governance.settings import settings
from governance.store.resolutions.resolutions import content_key
from governance.store.schema.entities import (
    CERTIFICATE_PREFIX,
    RESOLUTION_CONTENT,
    certificate_key,
    unkept_certificate_key,
)
from governance.store.schema.keys import SK, Key, Range, key_of, make_item
from governance.store.table import query
from governance.store.writes import ABSENT, Delete, Put, Write

_TEXT, _EVENT = "text", "eventId"
_PART = RESOLUTION_PART_BYTES // 4
"""Characters of one part: a character has four bytes at most."""


@dataclass(frozen=True)
class StoredCertificate:
    """The text of a certificate, the event with whose details its hash was logged, and whether it may be read."""

    text: str
    event_id: str
    is_kept: bool = True


def put(resolution: StoredResolution, text: str, event_id: str) -> list[Write]:
    """Returns the writes of a certificate, which never changes."""
    unkept = [Put(make_item(unkept_certificate_key(content_key(resolution)), {}), ABSENT)]
    return [*put_kept(resolution, text, event_id), *(unkept if settings().revocations_bucket else [])]


def put_kept(resolution: StoredResolution, text: str, event_id: str) -> list[Write]:
    """Returns the writes of a certificate that is kept outside the table by now."""
    key = content_key(resolution)
    parts = [text[start : start + _PART] for start in range(0, len(text), _PART)]
    return [
        Put(make_item(certificate_key(key, number), {_TEXT: part, _EVENT: event_id}))
        for number, part in enumerate(parts)
    ]


def find(board_id: BoardId, resolution_id: str) -> StoredCertificate | None:
    """Returns the certificate of a resolution; None until the result is recorded, also outside the table."""
    written = find_written(board_id, resolution_id)
    return written if written is not None and written.is_kept else None


def find_written(board_id: BoardId, resolution_id: str) -> StoredCertificate | None:
    """Returns the certificate of a resolution, also one that is not kept outside the table yet."""
    key = _content_key(board_id, resolution_id)
    unkept = unkept_certificate_key(key).sk
    rows = query(Range(key.pk, CERTIFICATE_PREFIX))
    parts = sorted((row for row in rows if row[SK] != unkept), key=lambda row: len(row[SK]))
    text = "".join(row[_TEXT] for row in parts)
    return StoredCertificate(text, parts[0][_EVENT], len(parts) == len(rows)) if parts else None


def keys(board_id: BoardId, resolution_id: str) -> list[Key]:
    """Returns the keys of what a resolution has of a certificate."""
    return [key_of(row) for row in query(Range(_content_key(board_id, resolution_id).pk, CERTIFICATE_PREFIX))]


def mark_kept(board_id: BoardId, resolution_id: str) -> Write:
    """Returns the write after which a certificate may be read."""
    return Delete(unkept_certificate_key(_content_key(board_id, resolution_id)))


def _content_key(board_id: BoardId, resolution_id: str) -> Key:
    return RESOLUTION_CONTENT.key_for(boardId=board_id, resolutionId=resolution_id)
