"""The events of minutes from their circulation on, which are entries of the log (ADR minutes)."""

from collections.abc import Mapping
from typing import Annotated

from governance.domain.events.kind import (
    MEMBERS,
    Audience,
    Detail,
    EventKind,
    Notification,
    Payload,
    Ref,
    StoredAs,
    notifies,
)
from governance.domain.events.meetings import OfMeeting
from governance.ids import UserId
from governance.instants import Instant
from governance.models.history.event import Event


class MinutesCirculated(OfMeeting):
    """A version of minutes was circulated, for remarks until an instant if it names one; the title is the meeting's."""

    number: Annotated[int, StoredAs("details", "version")]
    title: str | None = None
    remarks_until: Instant | None = None
    timezone: str | None = None

    @property
    def variant(self) -> str | None:
        """`until` for remarks that are welcome until an instant."""
        return "until" if self.remarks_until else None

    @property
    def instants(self) -> Mapping[str, tuple[Instant, str | None]]:
        """Until when remarks are welcome."""
        return {"remarks_until": (self.remarks_until, self.timezone)} if self.remarks_until else {}


MINUTES_CIRCULATED = EventKind(
    Event.MINUTES_CIRCULATED,
    MinutesCirculated,
    notifications={
        None: Notification("minutes_circulated", MEMBERS, "told.minutes_circulated"),
        "until": Notification("minutes_circulated", MEMBERS, "told.minutes_circulated_until"),
    },
)


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


class MinutesSigned(OfMeeting):
    """A user signed a version of approved minutes."""

    number: Annotated[int, StoredAs("details", "version")]
    sha256: Detail[str]


class MinutesSignersChanged(Payload):
    """Other users sign minutes from now on."""


MINUTES_SIGNED = EventKind(Event.MINUTES_SIGNED, MinutesSigned)
MINUTES_SIGNERS_CHANGED = EventKind(Event.MINUTES_SIGNERS_CHANGED, MinutesSignersChanged)


class MinutesApproved(OfMeeting):
    """A version of minutes was approved; `title` is the meeting's, `book_number` that of the minutes in the book.

    A correction names the version that it corrects.
    """

    number: Annotated[int, StoredAs("details", "version")]
    sha256: Detail[str]
    supersedes_version: Detail[int | None] = None
    title: str | None = None
    book_number: str = ""


MINUTES_APPROVED = EventKind(
    Event.MINUTES_APPROVED,
    MinutesApproved,
    notifications=notifies(Notification("minutes_approved", MEMBERS, "told.minutes_approved")),
)
MINUTES_CORRECTED = EventKind(
    Event.MINUTES_CORRECTED,
    MinutesApproved,
    notifications=notifies(Notification("minutes_approved", MEMBERS, "told.minutes_corrected")),
)
