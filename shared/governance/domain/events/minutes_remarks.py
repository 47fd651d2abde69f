"""The events of remarks on circulated minutes: ids and versions alone."""

from typing import Annotated

from governance.domain.events.kind import Audience, EventKind, Notification, Ref, StoredAs, notifies
from governance.domain.events.meetings import OfMeeting
from governance.ids import UserId
from governance.models.history.event import Event


class OfRemark(OfMeeting):
    """An event of a remark on a version of minutes, without what it says."""

    remark_id: Ref[str]
    number: Annotated[int, StoredAs("details", "version")]


class MinutesRemarked(OfRemark):
    """A new remark; the title is the meeting's, and `circulated_by_user_id` the author of the circulation."""

    title: str | None = None
    circulated_by_user_id: UserId | None = None


_CIRCULATOR: Audience[MinutesRemarked] = Audience(named=lambda remarked: [remarked.circulated_by_user_id])

MINUTES_REMARKED = EventKind(
    Event.MINUTES_REMARKED,
    MinutesRemarked,
    notifications=notifies(Notification("new_comment", _CIRCULATOR, "told.minutes_remarked")),
)
MINUTES_REMARK_DELETED = EventKind(Event.MINUTES_REMARK_DELETED, OfRemark)
MINUTES_DISPOSED = EventKind(Event.MINUTES_DISPOSED, OfRemark)
