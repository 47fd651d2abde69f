"""The rules of meetings (the API specification, sections 3.1 and 4.3).

    draft <-> scheduled <-> in_progress <-> completed -> finalized      any of the first four may follow any other

Only its creator moves a meeting into `draft`; only a completed one is finalized; nothing leaves `finalized`. Those who
run a meeting start, complete and finalize it, and take that back (`may_run`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from governance.domain.access.access import member_tier
from governance.errors import ApiError, Reason, conflict, forbidden, invalid_body
from governance.ids import UserId
from governance.instants import Instant
from governance.models.boards.board import Membership
from governance.models.meetings.meeting import MeetingBody, MeetingCreate, StoredMeeting
from governance.scopes import Tier

_VOTING = {"draft", "scheduled"}
HELD = frozenset({"completed", "finalized"})
"""The statuses of a meeting that was held."""
BEGUN = HELD | {"in_progress"}
"""The statuses of a meeting that has begun, or was held."""
_RUNNING_POSITIONS = {"company secretary", "executive assistant", "board chair"}


def initial_status(body: MeetingCreate, *, by_user: bool) -> str:
    """Returns the status of a new meeting: by default a draft for a user, scheduled for a board token.

    Raises 403 for a draft by a board token. The body's model refuses `finalized`.
    """
    if body.status == "draft" and not by_user:
        raise forbidden("Choose another status: a board token cannot create drafts.")
    return body.status or ("draft" if by_user else "scheduled")


def check_times(start_time: Instant | None, end_time: Instant | None) -> None:
    """Raises 400 unless the end is after the start, where both are given."""
    if start_time is not None and end_time is not None and end_time <= start_time:
        raise invalid_body({"endTime": "must be after `startTime`"})


def check_editable(meeting: StoredMeeting) -> None:
    """Raises 409 `MEETING_FINALIZED` for a finalized meeting: it cannot be edited, deleted or booked."""
    if meeting.status == "finalized":
        raise conflict(Reason.MEETING_FINALIZED)


def may_run(meeting: StoredMeeting, member: Membership | None) -> bool:
    """Returns whether somebody may start, complete and finalize the meeting, and write and delete its minutes.

    These are its creator, managers, and collaborators with the position of a secretary or of the chair. A board token
    (None) may: an admin gave it the scope.
    """
    if member is None or member.user_id == meeting.creator_id:
        return True
    tier = member_tier(member)
    positions = {position.strip().casefold() for position in member.board_positions}
    return tier >= Tier.MANAGER or (tier >= Tier.COLLABORATOR and not positions.isdisjoint(_RUNNING_POSITIONS))


def not_running() -> ApiError:
    """Returns the 403 for a caller who does not run the meeting."""
    return forbidden("Ask the creator of the meeting, a manager, the secretary or the chair of the board to do this.")


def check_run(meeting: StoredMeeting, changes: Mapping[str, Any], member: Membership | None) -> None:
    """Raises 403 for changes that start, complete, finalize or take back a meeting by somebody who does not run it."""
    target = changes.get("status", meeting.status)
    if target != meeting.status and not BEGUN.isdisjoint({target, meeting.status}) and not may_run(meeting, member):
        raise not_running()


def check_takes_place(meeting: StoredMeeting) -> None:
    """Raises 409 `MEETING_CANCELLED` for a cancelled meeting: nobody votes on it, answers it or books it."""
    if meeting.cancellation is not None:
        raise conflict(Reason.MEETING_CANCELLED)


def collects_votes(meeting: StoredMeeting) -> bool:
    """Returns whether members and guests may vote: on a draft or scheduled meeting without a booked slot."""
    return meeting.status in _VOTING and meeting.booked_slot_id is None and meeting.cancellation is None


def accepts_slots(meeting: StoredMeeting) -> bool:
    """Returns whether slots may be proposed: on a draft or scheduled meeting, booked or not."""
    return meeting.status in _VOTING


def open_state(meeting: StoredMeeting) -> str:
    """Returns what decides who sees a meeting, and whether it takes votes, slots and action items.

    Writes under a meeting depend on nothing else of it.
    """
    state = f"{meeting.status} {meeting.booked_slot_id or '-'} {meeting.guest_votes_discarded_at or '-'}"
    return f"{state} {meeting.cancellation.cancelled_at}" if meeting.cancellation else state


_TIME_AND_PLACE = tuple(MeetingBody.model_fields.keys() - {"title", "status"})
"""Fields whose change members are notified of: all that a client sets except the title and the status."""
_SCHEDULE = (*_TIME_AND_PLACE, "status", "timezone", "cancellation")
"""Fields whose change is a new revision for calendars: time and place, status, cancellation, the zone of a slot."""


def revised(old: StoredMeeting, new: StoredMeeting) -> StoredMeeting:
    """Returns the new meeting, with the next `sequence` if its time, place or status differs from the old one's."""
    if all(getattr(old, name) == getattr(new, name) for name in _SCHEDULE):
        return new
    return new.model_copy(update={"sequence": old.sequence + 1})


def patched(meeting: StoredMeeting, changes: dict[str, Any], user_id: UserId | None, now: Instant) -> StoredMeeting:
    """Returns the meeting with these changes. A changed start cancels the booking of a slot.

    Raises, in this order: 403 for a move into draft by anyone but the creator, 409 `MEETING_FINALIZED` for a finalized
    meeting, 409 `MEETING_CANCELLED` for another status or time of a cancelled one, 400 for an end that is not after the
    start of the merged meeting, 409 `INVALID_TRANSITION` for a status that may not follow.
    """
    target = changes.get("status", meeting.status)
    if target == "draft" and meeting.status != "draft" and (user_id is None or user_id != meeting.creator_id):
        raise forbidden("Ask the creator of the meeting to make it a draft.")
    check_editable(meeting)
    if target != meeting.status or not changes.keys().isdisjoint({"start_time", "end_time"}):
        check_takes_place(meeting)
    moved = "start_time" in changes and changes["start_time"] != meeting.start_time
    unbooked = {"booked_slot_id": None, "timezone": None} if moved else {}
    merged = meeting.model_copy(update={**changes, **unbooked, "updated_at": now, "version": meeting.version + 1})
    check_times(merged.start_time, merged.end_time)
    if target == "finalized" and meeting.status != "completed":
        raise conflict(Reason.INVALID_TRANSITION)
    return revised(meeting, merged)


def without_guest_votes(meeting: StoredMeeting, now: Instant) -> StoredMeeting:
    """Returns the meeting with all guests' votes discarded. Raises 409 `MEETING_FINALIZED` for a finalized meeting."""
    check_editable(meeting)
    return meeting.model_copy(update={"guest_votes_discarded_at": now, "version": meeting.version + 1})


def check_owner(meeting: StoredMeeting, user_id: UserId | None, tier: Tier | None) -> None:
    """Raises 403 unless the caller is the creator or an admin, who cancel and delete a meeting."""
    is_creator = user_id is not None and user_id == meeting.creator_id
    if not is_creator and (tier is None or tier < Tier.ADMIN):
        raise forbidden("Ask the creator of the meeting or an admin of the board to do this.")


MeetingNews = Literal["meeting_scheduled", "meeting_changed", "meeting_cancelled"]


def news(old: StoredMeeting | None, new: StoredMeeting | None) -> MeetingNews | None:
    """Returns what a change of a meeting notifies members of, if anything.

    `old` is None for a new meeting, `new` for a deleted one.

    Members are notified of its time and place only, once it has a time. A draft that is opened is new to them, and so
    is a meeting whose cancellation is taken back. Nobody is notified of a meeting that goes back to draft.
    """
    before, after = _shown_start(old), _shown_start(new)
    if before is None:
        return "meeting_scheduled" if after is not None else None
    if after is None:
        return None if new is not None and new.status == "draft" else "meeting_cancelled"
    is_same = all(getattr(old, name) == getattr(new, name) for name in _TIME_AND_PLACE)
    return None if is_same else "meeting_changed"


def _shown_start(meeting: StoredMeeting | None) -> Instant | None:
    is_told = meeting is not None and meeting.status != "draft" and meeting.cancellation is None
    return meeting.start_time if meeting is not None and is_told else None
