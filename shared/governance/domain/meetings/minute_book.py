"""The rules of the minute book: what its entries say (ADR minutes)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from governance.ids import BoardId
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.minute_book import MinuteBook, MinuteBookEntry, MinuteBookFields, StoredBookEntry
from governance.models.meetings.minutes_versions import StoredVersionApproval

if TYPE_CHECKING:
    from governance.models.resolutions.resolution import StoredResolution  # the functions of meetings need none


def entry_of_minutes(
    meeting: StoredMeeting, approval: StoredVersionApproval, superseded_by: str | None = None
) -> StoredBookEntry:
    """Returns the entry of a version of minutes that was approved. Raises `ValueError` for another version."""
    if approval.book_number is None or approval.approved_at is None:
        raise ValueError(f"version {approval.number} of the minutes of {meeting.id} is not approved")
    return StoredBookEntry(
        board_id=meeting.board_id,
        number=approval.book_number,
        kind="minutes",
        id=meeting.id,
        version=approval.number,
        title=meeting.title,
        held_at=meeting.start_time,
        approved_at=approval.approved_at,
        sha256=approval.sha256,
        event_id=approval.event_id,
        superseded_by=superseded_by,
    )


def entry_of_resolution(
    resolution: StoredResolution, sha256: str, event_id: str, superseded_by: str | None = None
) -> StoredBookEntry:
    """Returns the entry of a carried resolution with the hash of its certificate. Raises `ValueError` for another."""
    if resolution.status != "carried" or resolution.number is None or resolution.closed_at is None:
        raise ValueError(f"resolution {resolution.id} is not carried")
    return StoredBookEntry(
        board_id=resolution.board_id,
        number=resolution.number,
        kind="resolution",
        id=resolution.id,
        version=None,
        title=resolution.title,
        held_at=None,
        approved_at=resolution.closed_at,
        sha256=sha256,
        committee_id=resolution.committee_id,
        event_id=event_id,
        superseded_by=superseded_by,
    )


def to_resource(
    board_id: BoardId,
    year: str,
    entries: Iterable[StoredBookEntry],
    next_count: int | None,
    log_indexes: Mapping[str, int],
) -> MinuteBook:
    """Returns the book of a year; `log_indexes` are the places in the log by event, as far as they are logged."""
    shown = (
        MinuteBookEntry(
            **entry.model_dump(include={*MinuteBookFields.model_fields}),
            log_index=log_indexes.get(entry.event_id) if entry.event_id else None,
            superseded_by=entry.superseded_by,
        )
        for entry in entries
    )
    return MinuteBook(board_id=board_id, year=year, entries=tuple(shown), next_count=next_count)
