"""Cancellations of meetings: read, set, take back (an extension of the API, ADR meetings)."""

from __future__ import annotations

from governance.domain.events import meetings as events
from governance.domain.events.kind import EventKind
from governance.domain.meetings import cancellation as cancellation_rules
from governance.domain.meetings.meeting import news
from governance.errors import not_found
from governance.models.base import Deleted
from governance.models.meetings.cancellation import Cancellation, CancellationBody
from governance.models.meetings.meeting import StoredMeeting
from governance.store.meetings import meetings
from governance.store.schema.entities import MEETING
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import finds, loads
from governance.usecases.event_writes import record_meeting_event
from governance.usecases.meetings.meetings import check_owner, visible_meeting


def _cancelled_meeting(context: Context) -> StoredMeeting:
    meeting = context.find(visible_meeting)
    if meeting.cancellation is None:
        raise not_found()
    return meeting


def _own_meeting(context: Context) -> StoredMeeting:
    meeting = context.find(visible_meeting)
    check_owner(context, meeting)
    return meeting


def _own_cancelled_meeting(context: Context) -> StoredMeeting:
    meeting = context.find(_cancelled_meeting)
    check_owner(context, meeting)
    return meeting


@loads(MEETING)
@finds(_cancelled_meeting)
def get_cancellation(_context: Context, meeting: StoredMeeting) -> Cancellation:
    """Returns the cancellation of the meeting; raises 404 for one that takes place."""
    return cancellation_rules.to_resource(meeting)


@loads(MEETING)
@finds(_own_meeting)
def cancel_meeting(context: Context, old: StoredMeeting, body: CancellationBody) -> Outcome[Cancellation]:
    """Cancels a meeting that has not begun, or gives the cancellation another reason."""
    new = cancellation_rules.cancelled(old, body, context.principal.named_user_id, context.now)
    if new.cancellation == old.cancellation:
        return Outcome(cancellation_rules.to_resource(old), [])
    return Outcome(cancellation_rules.to_resource(new), _writes(context, events.MEETING_CANCELLED, old, new))


@loads(MEETING)
@finds(_own_cancelled_meeting)
def reinstate_meeting(context: Context, old: StoredMeeting) -> Outcome[Deleted]:
    """Takes the cancellation of a meeting back."""
    return Outcome(
        Deleted(), _writes(context, events.MEETING_REINSTATED, old, cancellation_rules.reinstated(old, context.now))
    )


def _writes(
    context: Context, kind: EventKind[events.MeetingCancellation], old: StoredMeeting, new: StoredMeeting
) -> list[Write]:
    payload = events.MeetingCancellation(
        meeting_id=new.id,
        fields=["cancellation"],
        title=new.title,
        news=news(old, new),
        reason=new.cancellation.reason if new.cancellation else None,
    )
    return [*meetings.replace(old, new, context.now), *record_meeting_event(context, kind, new, payload)]
