"""The events of the approval of minutes: ids, versions and the hash alone."""

from typing import Annotated

from governance.domain.events.kind import MEMBERS, Detail, EventKind, Notification, StoredAs, notifies
from governance.domain.events.meetings import OfMeeting
from governance.models.history.event import Event


class MinutesApproved(OfMeeting):
    """A version of minutes was approved; `title` is the meeting's, `book_number` that of the minutes in the book."""

    number: Annotated[int, StoredAs("details", "version")]
    sha256: Detail[str]
    title: str | None = None
    book_number: str = ""


MINUTES_APPROVED = EventKind(
    Event.MINUTES_APPROVED,
    MinutesApproved,
    notifications=notifies(Notification("minutes_approved", MEMBERS, "told.minutes_approved")),
)
