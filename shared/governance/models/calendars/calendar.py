"""Calendar feeds and calendar settings of a user (an extension of the API)."""

from typing import Annotated, Literal

from governance.ids import BoardId, PersonId, RecipientId, UserId
from governance.instants import Instant
from governance.limits import FEED_NAME
from governance.models.base import Body, Patch, Resource, Stored
from governance.models.text import NamedId, NoControls, NotBlank, text

EventStatus = Literal["TENTATIVE", "CONFIRMED", "CANCELLED"]


class CalendarFeed(Resource):
    """A calendar to subscribe to."""

    object: Literal["calendar_feed"] = "calendar_feed"
    id: str
    board_id: BoardId | None
    """Identifier of the board of the feed; null for a feed of all your boards."""
    name: str | None
    """The name that the calendar program shows; null for the name of the board, or `Board meetings` for all your
    boards.
    """
    url: str | None
    """The address to subscribe to. It is shown only once; null in lists and in a replayed response."""
    created_at: str
    last_read_at: str | None
    """When a calendar program last read the feed, accurate to about an hour; null if none has."""


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


class FeedCreate(Body):
    """The feed to create."""

    board_id: NamedId | None = None
    """Identifier of one of your boards. Left out or null means all your boards."""
    name: Annotated[str, text(1, FEED_NAME), NotBlank, NoControls] | None = None
    """The name that the calendar program shows. Left out or null means the name of the board, or `Board meetings` for
    all your boards.
    """


MailSwitch = Literal["invitations", "voteRequests"]


class CalendarSettings(Resource):
    """Which e-mails about meetings you get."""

    object: Literal["calendar_settings"] = "calendar_settings"
    invitations: bool = True
    """Whether calendar invitations to meetings, and reminders of meetings, are mailed to you."""
    vote_requests: bool = True
    """Whether you are asked by e-mail to vote on the slots of meetings."""

    def wants(self, switch: MailSwitch) -> bool:
        """Returns whether the user gets the mails that a setting turns off."""
        return self.invitations if switch == "invitations" else self.vote_requests


class StoredCalendarSettings(CalendarSettings, Stored):
    """The settings as they are stored."""


class CalendarSettingsBody(Patch):
    """Your calendar settings."""

    null_is_absent = True

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
    """The calendar invitation to a meeting that was last mailed to its recipient.

    `user_id` is the id of a user, or of a person without an account. `token` is in the address for replies; it stays
    the same for all mails about the meeting. `cancelled` says that the last mail cancelled it. `event` is what the mail
    said, so that a deleted meeting can be cancelled. `sequence_offset` is how much higher the `SEQUENCE` of its mails
    is than the meeting's.
    """

    user_id: RecipientId
    board_id: BoardId
    meeting_id: str
    token: str
    email: str
    cancelled: bool
    event: MailedEvent
    sequence_offset: int = 0
    version: int = 1


class InvitationMessage(Resource):
    """A meeting in the calendar of one user, or of one person without an account, as the messages of the queue hold it.

    `deleted_sequence` is the last `SEQUENCE` of a deleted meeting, which only the message about the deletion has.
    """

    board_id: BoardId
    meeting_id: str
    user_id: UserId | None = None
    unregistered_user_id: PersonId | None = None
    deleted_sequence: int | None = None
