"""Calendar feeds and calendar settings of a user (an extension of the API)."""

from typing import Annotated, Literal

from pydantic import AfterValidator

from governance.ids import BoardId, UserId, is_id
from governance.instants import Instant
from governance.limits import FEED_NAME
from governance.models.base import Body, Patch, Resource, Stored
from governance.models.text import NoControls, NotBlank, text

EventStatus = Literal["TENTATIVE", "CONFIRMED", "CANCELLED"]


class CalendarFeed(Resource):
    """A calendar that a calendar program subscribes to; `url` is given once, when the feed is created."""

    object: Literal["calendar_feed"] = "calendar_feed"
    id: str
    board_id: str | None
    name: str | None
    url: str | None
    created_at: str
    last_read_at: str | None


class StoredFeed(Stored):
    """A feed as it is stored, with the digest of its secret only.

    `board_id` is None for a feed of all boards of the user.
    """

    id: str
    user_id: UserId
    board_id: BoardId | None
    name: str | None
    digest: str
    created_at: Instant


def board_reference(value: str) -> str:
    """Returns the id of a board. Raises `ValueError` for text that is no id."""
    if not is_id(value):
        raise ValueError("must be the id of a board that you are a member of")
    return value


class FeedCreate(Body):
    """The body that creates a feed: of one board, or without `boardId` of all boards of the caller."""

    board_id: Annotated[str, AfterValidator(board_reference)] | None = None
    name: Annotated[str, text(1, FEED_NAME), NotBlank, NoControls] | None = None


MailSwitch = Literal["invitations", "voteRequests"]


class CalendarSettings(Resource):
    """The mails about meetings that a user gets: invitations for the calendar, and requests to vote."""

    object: Literal["calendar_settings"] = "calendar_settings"
    invitations: bool = True
    vote_requests: bool = True

    def wants(self, switch: MailSwitch) -> bool:
        """Returns whether the user gets the mails that a setting turns off."""
        return self.invitations if switch == "invitations" else self.vote_requests


class StoredCalendarSettings(CalendarSettings, Stored):
    """The settings as they are stored."""


class CalendarSettingsBody(Patch):
    """The body that changes the calendar settings; a field that is left out stays the same."""

    invitations: bool = True
    vote_requests: bool = True


class MailedEvent(Stored):
    """The meeting as a calendar invitation showed it."""

    start: Instant
    end: Instant
    timezone: str | None
    title: str
    place: str | None
    description: str
    path: str
    status: EventStatus
    sequence: int


class StoredCalendarInvitation(Stored):
    """The calendar invitation to a meeting that was last mailed to a user.

    `token` is in the address for replies; it stays the same for all mails about the meeting. `cancelled` says that the
    last mail cancelled it. `event` is what the mail said, so that a deleted meeting can be cancelled. `sequence_offset`
    is how much higher the `SEQUENCE` of its mails is than the meeting's.
    """

    user_id: UserId
    board_id: BoardId
    meeting_id: str
    token: str
    email: str
    cancelled: bool
    event: MailedEvent
    sequence_offset: int = 0
    version: int = 1
