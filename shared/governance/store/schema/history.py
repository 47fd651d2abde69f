"""The keys of a board's history: its audit entries and events, in the order of time.

They lie in a partition for each month, so that none is ever full (ADR history).
"""

from __future__ import annotations

from governance.domain.access.visibility import Visibility, VisibilityKind
from governance.ids import BoardId
from governance.instants import Instant, month
from governance.store.schema.keys import Key, Kind, position

RESERVE = "RESERVE"
"""In place of the month: the partition of protecting entries whose month's partition is full (ADR history)."""


AUDIT_PREFIX = "AUDIT#"


def audit_partition(board_id: BoardId, in_month: str) -> str:
    """Returns the partition of a board's audit entries of one month (`YYYY-MM`), or the reserve, for the stream too."""
    return f"{AUDIT_PREFIX}{board_id}#{in_month}"


def audit_entry_key(board_id: BoardId, created_at: Instant, entry_id: str) -> Key:
    """Returns the key of an audit entry."""
    return Key(audit_partition(board_id, month(created_at)), position(created_at, entry_id))


SEALS_PREFIX = "SEALS#"


def seal_certificate_key(since: Instant, sha256: str) -> Key:
    """Returns the key of a certificate of the seals, which is logged as audit entries are, but is of no board."""
    return Key(f"{SEALS_PREFIX}CERTIFICATES", position(since, sha256))


EVENTS_PREFIX = "EVENTS#"
EVENT = Kind(f"{EVENTS_PREFIX}{{boardId}}#{{month}}", "{position}", "history.event.StoredEvent")


def events_partition(board_id: BoardId, in_month: str) -> str:
    """Returns the partition of a board's events of one month (`YYYY-MM`), or the reserve; the stream reads both."""
    return EVENT.pk.format(boardId=board_id, month=in_month)


_PREFIXES = {
    VisibilityKind.BOARD_MEETINGS: "MEETINGS#",
    VisibilityKind.BOARD_DOCUMENTS: "DOCS#B#",
    VisibilityKind.BOARD_EVENTS: "BOARD#",
    VisibilityKind.DRAFTS: "DRAFTS#{}#",
    VisibilityKind.COMMITTEE_DOCUMENTS: "DOCS#C#{}#",
    VisibilityKind.DOCUMENTS_IN_CAMERA: "DOCS#I#",
}


def visibility_prefix(visibility: Visibility) -> str:
    """Returns the beginning of the sort keys of a visibility's items."""
    return _PREFIXES[visibility.kind].format(visibility.owner_id)


def event_key(board_id: BoardId, visibility: Visibility, created_at: Instant, event_id: str) -> Key:
    """Returns the key of an event, in its visibility."""
    partition = events_partition(board_id, month(created_at))
    return Key(partition, visibility_prefix(visibility) + position(created_at, event_id))
