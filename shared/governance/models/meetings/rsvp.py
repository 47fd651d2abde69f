"""Answers to a meeting, of members and of people without an account (an extension of the API)."""

from typing import Annotated, Literal

from governance.ids import BoardId, PersonId, UserId
from governance.instants import Instant
from governance.limits import RSVP_COMMENT
from governance.models.base import Body, Resource, Stored
from governance.models.page import OrderedQuery
from governance.models.text import NoControlsButBreaks, SortOrder, text

RsvpAnswer = Literal["accepted", "tentative", "declined"]
"""Attends (`accepted`), may attend (`tentative`) or does not attend (`declined`)."""
RsvpStatus = Literal["accepted", "tentative", "declined", "noAnswer"]
"""An answer to a meeting. `noAnswer` stands for a member who has not answered and cannot be sent."""


class Rsvp(Resource):
    """A member's answer to a meeting."""

    object: Literal["rsvp"] = "rsvp"
    meeting_id: str
    user_id: UserId
    """Identifier of the member."""
    status: RsvpStatus
    """The member's answer."""
    comment: str | None
    """The comment sent with the answer, or null."""
    updated_at: str | None
    """When the member answered; null without an answer."""


class UnregisteredRsvp(Resource):
    """The answer of a person without an account to a meeting."""

    object: Literal["unregistered_rsvp"] = "unregistered_rsvp"
    meeting_id: str
    unregistered_user_id: PersonId
    """Identifier of the person."""
    status: RsvpStatus
    """The person's answer."""
    comment: str | None
    """The comment sent with the answer, or null."""
    updated_at: str | None
    """When the person answered; null without an answer."""


class StoredAnswer(Stored):
    """An answer as it is stored. `status` is `noAnswer` for one that was taken back, and for somebody just invited.

    `sequence` and `stamped_at` are those of the reply that a calendar sent: a calendar's older replies change nothing.
    `version` counts the writes.
    """

    board_id: BoardId
    meeting_id: str
    status: RsvpStatus = "noAnswer"
    comment: str | None = None
    updated_at: Instant
    sequence: int = 0
    stamped_at: Instant
    version: int = 1


class StoredRsvp(StoredAnswer):
    """The answer of a member, for one membership (`join_id`).

    `booked_slot_id` is the slot that was booked when the answer was taken back.
    """

    user_id: UserId
    join_id: str
    booked_slot_id: str | None = None


class StoredUnregisteredRsvp(StoredAnswer):
    """The answer of a person without an account, from their first invitation on."""

    unregistered_user_id: PersonId


class RsvpsQuery(OrderedQuery):
    """The parameters of the lists of answers, sorted by when members joined or people were added, oldest first."""

    order: SortOrder = "asc"


class RsvpBody(Body):
    """Your answer. It replaces your earlier answer and comment."""

    status: RsvpAnswer
    """Whether you attend."""
    comment: Annotated[str, text(0, RSVP_COMMENT), NoControlsButBreaks] | None = None
    """A remark for the other members. Control characters other than newlines and tabs are refused. Left out or null
    means none.
    """
