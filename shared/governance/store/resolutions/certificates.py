"""The certificates of resolutions: a text each, in as many items as it needs, written with the record of the result."""

from __future__ import annotations

from dataclasses import dataclass

from governance.ids import BoardId
from governance.limits import RESOLUTION_PART_BYTES
from governance.models.resolutions.resolution import StoredResolution
from governance.store.resolutions.resolutions import content_key
from governance.store.schema.entities import CERTIFICATE_PREFIX, RESOLUTION_CONTENT, certificate_key
from governance.store.schema.keys import SK, Range, make_item
from governance.store.table import query
from governance.store.writes import ABSENT, Put, Write

_TEXT, _EVENT = "text", "eventId"
_PART = RESOLUTION_PART_BYTES // 4
"""Characters of one part: a character has four bytes at most."""


@dataclass(frozen=True)
class StoredCertificate:
    """The text of a certificate, and the event with whose details its hash was logged."""

    text: str
    event_id: str


def put(resolution: StoredResolution, text: str, event_id: str) -> list[Write]:
    """Returns the writes of a certificate, which never changes."""
    key = content_key(resolution)
    parts = [text[start : start + _PART] for start in range(0, len(text), _PART)]
    return [
        Put(make_item(certificate_key(key, number), {_TEXT: part, _EVENT: event_id}), ABSENT)
        for number, part in enumerate(parts)
    ]


def find(board_id: BoardId, resolution_id: str) -> StoredCertificate | None:
    """Returns the certificate of a resolution; None while the result is not recorded."""
    key = RESOLUTION_CONTENT.key_for(boardId=board_id, resolutionId=resolution_id)
    rows = query(Range(key.pk, CERTIFICATE_PREFIX))
    text = "".join(row[_TEXT] for row in sorted(rows, key=lambda row: len(row[SK])))
    return StoredCertificate(text, rows[0][_EVENT]) if rows else None
