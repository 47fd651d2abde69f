"""The rules of cancellations: a meeting that does not take place keeps its votes, answers, agenda and papers."""

from __future__ import annotations

from governance.domain.meetings.meeting import accepts_slots, check_editable, revised
from governance.errors import Reason, conflict, not_found
from governance.ids import UserId
from governance.instants import Instant
from governance.models.meetings.cancellation import Cancellation, CancellationBody, StoredCancellation
from governance.models.meetings.meeting import StoredMeeting


def cancelled(meeting: StoredMeeting, body: CancellationBody, user_id: UserId, now: Instant) -> StoredMeeting:
    """Returns the cancelled meeting; one that is cancelled already gets the reason alone.

    Raises 409: `MEETING_FINALIZED`, or `INVALID_TRANSITION` for a meeting that is in progress or over.
    """
    check_editable(meeting)
    if not accepts_slots(meeting):
        raise conflict(Reason.INVALID_TRANSITION)
    first = StoredCancellation(reason=None, cancelled_by_user_id=user_id, cancelled_at=now)
    reason = body.reason or None
    return _with(meeting, (meeting.cancellation or first).model_copy(update={"reason": reason}), now)


def reinstated(meeting: StoredMeeting, now: Instant) -> StoredMeeting:
    """Returns the meeting without its cancellation."""
    return _with(meeting, None, now)


def _with(meeting: StoredMeeting, cancellation: StoredCancellation | None, now: Instant) -> StoredMeeting:
    changes = {"cancellation": cancellation, "updated_at": now, "version": meeting.version + 1}
    return revised(meeting, meeting.model_copy(update=changes))


def to_resource(meeting: StoredMeeting) -> Cancellation:
    """Returns the cancellation as the members of the board see it; raises 404 for a meeting that takes place."""
    if meeting.cancellation is None:
        raise not_found()
    return Cancellation.model_validate({"meeting_id": meeting.id, **vars(meeting.cancellation)})
