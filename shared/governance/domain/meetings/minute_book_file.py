"""The rules of the document of a minute book: what it is, and what it says is missing (ADR minutes)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, get_args

from governance.domain.access.access import Principal
from governance.domain.meetings import minutes_versions as version_rules
from governance.domain.packs.board_pack import document_to_make
from governance.ids import BoardId
from governance.instants import Instant
from governance.models.documents.document import StoredDocument
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.minute_book import BookKind, MinuteBookEntry
from governance.models.meetings.minute_book_content import NumberGap, UnapprovedMeeting
from governance.models.meetings.minutes_versions import StoredMinutesApproval
from governance.texts import Language, text

DOCUMENT_TYPE = "minute_book"
_HELD = frozenset({"in_progress", "completed", "finalized"})


def document_of(board_id: BoardId, year: int, principal: Principal, language: Language, now: Instant) -> StoredDocument:
    """Returns the document of the minute book of a year."""
    title = text(language, "minutes_file.book.title", year=year)
    return document_to_make(board_id, title, DOCUMENT_TYPE, None, principal, now)


def approval_facts(approval: StoredMinutesApproval, entry: MinuteBookEntry, number: int) -> dict[str, Any]:
    """Returns the approval of a version as its pages tell it: the resource, with the entry in the log by now."""
    resource = version_rules.approval_of_version(approval, number)
    members: dict[str, Any] = resource.model_dump(mode="json", by_alias=True)
    return {**members, "event": {"index": entry.log_index}}


def gaps(entries: Sequence[MinuteBookEntry]) -> tuple[NumberGap, ...]:
    """Returns the numbers below the highest ones that no entry has, by the date of what follows them."""
    found = (gap for kind in get_args(BookKind) for gap in _gaps(kind, entries))
    return tuple(sorted(found, key=lambda gap: (gap.until, gap.kind, gap.first)))


def _gaps(kind: BookKind, entries: Iterable[MinuteBookEntry]) -> Iterator[NumberGap]:
    before = 0
    for entry in sorted((entry for entry in entries if entry.kind == kind), key=_count):
        count, year = _count(entry), entry.number.partition("-")[0]
        if count > before + 1:
            yield NumberGap(kind, f"{year}-{before + 1}", f"{year}-{count - 1}", entry.approved_at)
        before = count


def _count(entry: MinuteBookEntry) -> int:
    return int(entry.number.partition("-")[2])


def unapproved(
    meetings: Iterable[StoredMeeting], approvals: Mapping[str, StoredMinutesApproval]
) -> tuple[UnapprovedMeeting, ...]:
    """Returns the meetings that were held and have no approved minutes, by start; `approvals` are by meeting."""
    found = (
        UnapprovedMeeting(meeting.title, meeting.start_time)
        for meeting in meetings
        if meeting.start_time and meeting.status in _HELD and not _is_approved(approvals.get(meeting.id))
    )
    return tuple(sorted(found, key=lambda meeting: (meeting.start_time, meeting.title)))


def _is_approved(approval: StoredMinutesApproval | None) -> bool:
    return approval is not None and approval.in_force is not None
