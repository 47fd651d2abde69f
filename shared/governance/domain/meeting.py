"""The rules of meetings (the API specification, sections 3.1 and 4.3).

    draft <-> scheduled <-> in_progress <-> completed -> finalized      any of the first four may follow any other

Only its creator moves a meeting into `draft`; only a completed one is finalized; nothing leaves `finalized`.
"""

from __future__ import annotations

from typing import Any

from governance.errors import Reason, conflict, forbidden, invalid_body
from governance.models.meeting import MeetingCreate, StoredMeeting

_VOTING = {"draft", "scheduled"}


def initial_status(body: MeetingCreate, *, by_user: bool) -> str:
    """A user's meeting begins as a draft, a board token's as scheduled; none begins finalized (the body knows)."""
    if body.status == "draft" and not by_user:
        raise forbidden("A board token has no drafts.")
    return body.status or ("draft" if by_user else "scheduled")


def check_times(start_time: str | None, end_time: str | None) -> None:
    """The end comes after the start, when both are there."""
    if start_time is not None and end_time is not None and end_time <= start_time:
        raise invalid_body({"endTime": "must be after startTime"})


def check_editable(meeting: StoredMeeting) -> None:
    """A finalized meeting is no longer edited, deleted or booked."""
    if meeting.status == "finalized":
        raise conflict(Reason.MEETING_FINALIZED)


def collects_votes(meeting: StoredMeeting) -> bool:
    """Votes are taken while the meeting is a draft or scheduled and no slot is booked."""
    return meeting.status in _VOTING and meeting.booked_slot_id is None


def accepts_slots(meeting: StoredMeeting) -> bool:
    """Slots are proposed while the meeting is a draft or scheduled, booked or not."""
    return meeting.status in _VOTING


def patched(meeting: StoredMeeting, changes: dict[str, Any], user_id: str | None, now: str) -> StoredMeeting:
    """The meeting as it would be after these changes.

    Raises, in this order: 403 for a move into draft by another than the creator, 409 for a finalized meeting,
    400 for an end before the start of the merged meeting, 409 for a status that may not follow.
    """
    target = changes.get("status", meeting.status)
    if target == "draft" and meeting.status != "draft" and (user_id is None or user_id != meeting.creator_id):
        raise forbidden("Only its creator makes a meeting a draft.")
    check_editable(meeting)
    moved = "start_time" in changes and changes["start_time"] != meeting.start_time
    unbooked = {"booked_slot_id": None, "timezone": None} if moved else {}
    merged = meeting.model_copy(update={**changes, **unbooked, "updated_at": now, "version": meeting.version + 1})
    check_times(merged.start_time, merged.end_time)
    if target == "finalized" and meeting.status != "completed":
        raise conflict(Reason.INVALID_TRANSITION)
    return merged


def check_deletable(meeting: StoredMeeting, *, is_creator: bool, is_admin: bool) -> None:
    """A meeting is deleted by its creator or an admin, and not once it is finalized."""
    if not (is_creator or is_admin):
        raise forbidden("Only its creator or an admin deletes a meeting.")
    check_editable(meeting)
