"""The keys of a meeting's minutes, and of what leads them to their approval (ADR minutes)."""

from __future__ import annotations

from governance.ids import BoardId
from governance.store.schema.keys import Entity, Key, Kind

MINUTES = Entity("BOARD#{boardId}", "MEETING#{meetingId}#MINUTES", "meetings.minutes.StoredMinutes")
DELETED_MINUTES = Entity("BOARD#{boardId}", "MEETING#{meetingId}#DELETED_MINUTES", "meetings.minutes.StoredMinutes")
"""The minutes of a meeting that were deleted last, as long as they can be restored."""
MINUTES_CORRECTION = Entity(
    "BOARD#{boardId}", "MEETING#{meetingId}#MINUTES_CORRECTION", "meetings.minutes.StoredMinutes"
)
"""The draft of a correction of approved minutes, until it is approved."""
MINUTES_APPROVAL = Entity(
    "BOARD#{boardId}", "MEETING#{meetingId}#MINUTES_APPROVAL", "meetings.minutes_versions.StoredMinutesApproval"
)
"""The way of a meeting's minutes to their approval, from their first circulation on."""
MINUTES_SIGNERS = Entity("BOARD#{boardId}", "MINUTES_SIGNERS", "meetings.minutes_signing.StoredMinutesSigners")
"""Who signs the approved minutes of a board."""
MINUTES_VERSION_PREFIX = "#MINUTES_VERSION#"
MINUTES_VERSION = Kind(
    "BOARD#{boardId}",
    f"MEETING#{{meetingId}}{MINUTES_VERSION_PREFIX}{{number}}",
    "meetings.minutes_versions.StoredMinutesVersion",
)
"""Minutes as they were circulated."""
MINUTES_REMARK_PREFIX = "#MINUTES_REMARK#"
MINUTES_REMARK = Entity(
    "BOARD#{boardId}",
    f"MEETING#{{meetingId}}{MINUTES_REMARK_PREFIX}{{remarkId}}",
    "meetings.minutes_remarks.StoredMinutesRemark",
)
MINUTES_REMARK_COUNT = Entity("BOARD#{boardId}", "MEETING#{meetingId}#MINUTES_REMARKS", None)

BOOK_ENTRY = Kind("BOARD#{boardId}", "MINUTE_BOOK#{kind}#{number}", "meetings.minute_book.StoredBookEntry")
"""Approved minutes, or a carried resolution, in the minute book."""


def minutes_numbers_key(board_id: BoardId, year: str) -> Key:
    """Returns the key of the last number that minutes of this board have in a year."""
    return Key(f"BOARD#{board_id}", f"MINUTES_NUMBERS#{year}")


def minutes_version_key(board_id: BoardId, meeting_id: str, number: int) -> Key:
    """Returns the key of a version of minutes; by their keys, those of a meeting are in the order of their numbers."""
    return MINUTES_VERSION.key(boardId=board_id, meetingId=meeting_id, number=minutes_version_position(number))


def minutes_version_position(number: int) -> str:
    """Returns the position of a version among those of a meeting."""
    return f"{number:04d}"
