"""The rules of the approval of minutes: which are approved, by what, and what is written of it (ADR minutes)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any

from governance.agenda_limits import AGENDA_TITLE, MINUTES_ITEMS
from governance.domain.meetings import minutes as minutes_rules
from governance.domain.meetings.agenda import items_of
from governance.domain.meetings.meeting import BEGUN
from governance.domain.meetings.minutes_versions import check_not_approved, fixed, hash_of
from governance.domain.notifications.wording import day_in_words
from governance.errors import Reason, conflict, invalid_body
from governance.ids import UserId, new_id
from governance.instants import Instant
from governance.local_times import in_zone
from governance.models.meetings.agenda import StoredAgenda, StoredAgendaItem
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.minutes import StoredMinutes, StoredMinutesItem
from governance.models.meetings.minutes_versions import MinutesApprovalBody, StoredMinutesApproval
from governance.texts import Language, text

if TYPE_CHECKING:
    from governance.models.resolutions.resolution import StoredResolution  # few approvals name one

_APPROVED = {"as_presented": "approval.as_presented", "as_changed": "approval.as_changed"}
_CORRECTED = {"as_presented": "approval.correction_as_presented", "as_changed": "approval.correction_as_changed"}


def check_changeable(meeting: StoredMeeting, approval: StoredMinutesApproval | None) -> None:
    """Raises 409 unless minutes may be changed.

    That is `MINUTES_APPROVED` for approved ones, else as `check_written`: but circulated ones of a finalized meeting
    may be changed until they are approved.
    """
    check_not_approved(approval)
    if approval is None or meeting.status != "finalized":
        minutes_rules.check_written(meeting)


def check_deletable(minutes: StoredMinutes | None) -> None:
    """Raises 409 `IN_USE` for minutes that say that others are approved."""
    if minutes is not None and any(item.approved_meeting_id for item in minutes.items):
        raise conflict(Reason.IN_USE)


def check_approvable(approval: StoredMinutesApproval | None, written: StoredMinutes) -> StoredMinutesApproval:
    """Returns the approval of minutes, or of a correction of them, that may be approved as far as remarks allow it.

    Raises 409: `NOT_CIRCULATED`, or `MINUTES_CHANGED` for what is not as it was circulated last.
    """
    if approval is None or approval.status != "circulated":
        raise conflict(Reason.NOT_CIRCULATED)
    if hash_of(fixed(written)) != approval.sha256:
        raise conflict(Reason.MINUTES_CHANGED)
    return approval


def check_meeting(meeting: StoredMeeting, approving: StoredMeeting | None) -> StoredMeeting:
    """Returns the meeting that approves the minutes of another.

    Raises 400 for one that the caller does not see (None) or that does not start later, then 409 `INVALID_TRANSITION`
    before it has begun.
    """
    if approving is None:
        raise invalid_body({"inMeetingId": "must be the id of a meeting of this board"})
    if meeting.start_time is None or approving.start_time is None or approving.start_time <= meeting.start_time:
        raise invalid_body({"inMeetingId": "must be the id of a meeting that starts later than that of the minutes"})
    if approving.status not in BEGUN:
        raise conflict(Reason.INVALID_TRANSITION)
    return approving


def check_resolution(resolution: StoredResolution | None) -> None:
    """Raises 400 unless a resolution that the caller sees (None: does not see) is carried."""
    if resolution is None or resolution.status != "carried":
        raise invalid_body({"resolutionId": "must be the id of a carried resolution of this board"})


def year_of(meeting: StoredMeeting) -> str:
    """Returns the year of the minutes' number, in UTC."""
    return (meeting.start_time or meeting.created_at)[:4]


def approved(
    old: StoredMinutesApproval,
    body: MinutesApprovalBody,
    book_number: str,
    event_id: str,
    user_id: UserId,
    now: Instant,
) -> StoredMinutesApproval:
    """Returns the approval of minutes that are approved now, by the act that an event records."""
    changes = {
        "status": "approved",
        "approved_at": now,
        "approved_by_user_id": user_id,
        "in_meeting_id": body.in_meeting_id,
        "resolution_id": body.resolution_id,
        "manner": body.manner,
        "book_number": book_number,
        "event_id": event_id,
        "updated_at": now,
        "version": old.version + 1,
    }
    return old.model_copy(update=changes)


def final(minutes: StoredMinutes, draft: StoredMinutes, members: Collection[str]) -> StoredMinutes:
    """Returns the minutes that are final by the approval of a draft, which is a correction or these minutes."""
    return minutes_rules.final(draft.model_copy(update={"version": minutes.version}), members)


def with_entry(
    approving: StoredMeeting,
    old: StoredMinutes | None,
    old_approval: StoredMinutesApproval | None,
    entry: StoredMinutesItem,
    user_id: UserId,
    now: Instant,
) -> StoredMinutes:
    """Returns the minutes of the approving meeting with an entry that says so at their end.

    Raises 409: `MINUTES_APPROVED` if they are approved themselves, `MEETING_FINALIZED` for a finalized meeting without
    minutes, `LIMIT_REACHED` for more than `MINUTES_ITEMS` items.
    """
    check_not_approved(old_approval)
    if old is None:
        minutes_rules.check_written(approving)
        return StoredMinutes(
            board_id=approving.board_id,
            meeting_id=approving.id,
            attendance=(),
            items=(entry,),
            created_by_user_id=user_id,
            created_at=now,
            updated_at=now,
        )
    if len(old.items) >= MINUTES_ITEMS:
        raise conflict(Reason.LIMIT_REACHED)
    return old.model_copy(update={"items": (*old.items, entry), "updated_at": now, "version": old.version + 1})


def entry_of(
    meeting: StoredMeeting,
    body: MinutesApprovalBody,
    agenda: StoredAgenda | None,
    language: Language,
    *,
    is_correction: bool,
) -> StoredMinutesItem:
    """Returns what the approving meeting's minutes say of the minutes of another, or of a correction of them.

    It is under the item for that, if the agenda of the approving meeting has one.
    """
    words = _CORRECTED[body.manner] if is_correction else _APPROVED[body.manner]
    named = text(language, words, meeting=_named(meeting, language))
    items = (item.id for item in items_of(agenda) if item.minutes_of_meeting_id == meeting.id)
    return StoredMinutesItem(id=new_id(), agenda_item_id=next(items, None), text=named, approved_meeting_id=meeting.id)


def to_approve(
    meeting: StoredMeeting,
    known: Iterable[StoredAgendaItem],
    waiting: Iterable[StoredMeeting],
    language: Language,
) -> list[StoredAgendaItem]:
    """Returns an item for the agenda of a meeting for the minutes of each earlier one that waits for its approval.

    Those that items which are known are about have one already.
    """
    others = {meeting.id, *(item.minutes_of_meeting_id for item in known)}
    start = meeting.start_time or "~"
    missing = [each for each in waiting if each.id not in others and (each.start_time or "") < start]
    return [_item_of(each, language) for each in sorted(missing, key=lambda each: (each.start_time or "", each.id))]


def _item_of(meeting: StoredMeeting, language: Language) -> StoredAgendaItem:
    title = text(language, "approval.agenda_item", meeting=_named(meeting, language))
    made: dict[str, Any] = {"id": new_id(), "title": title[:AGENDA_TITLE], "kind": "approval"}
    return StoredAgendaItem(**made, carried_from=meeting.id, minutes_of_meeting_id=meeting.id)


def _named(meeting: StoredMeeting, language: Language) -> str:
    """Returns the title of a meeting, with its day if it has one."""
    if meeting.start_time is None:
        return text(language, "list.quoted", text=meeting.title)
    day = day_in_words(in_zone(meeting.start_time, meeting.timezone or "UTC"), language)
    return text(language, "approval.of_day", title=meeting.title, day=day)
