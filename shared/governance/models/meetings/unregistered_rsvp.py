"""Answers of people without an account to a meeting (an extension of the API)."""

from typing import Literal

from governance.ids import BoardId
from governance.instants import Instant
from governance.models.base import Resource, Stored
from governance.models.meetings.rsvp import RsvpStatus
from governance.models.page import OrderedQuery
from governance.models.text import SortOrder


class UnregisteredRsvp(Resource):
    """The answer of a person without an account to a meeting."""

    object: Literal["unregistered_rsvp"] = "unregistered_rsvp"
    meeting_id: str
    unregistered_user_id: str
    """Identifier of the person."""
    status: RsvpStatus
    """The person's answer."""
    comment: str | None
    """The comment sent with the answer, or null."""
    updated_at: str | None
    """When the person answered; null without an answer."""


class StoredUnregisteredRsvp(Stored):
    """An answer as it is stored: `noAnswer` from the first invitation on.

    `sequence` and `stamped_at` are those of the reply that a calendar sent: older replies change nothing.
    """

    board_id: BoardId
    meeting_id: str
    unregistered_user_id: str
    status: RsvpStatus = "noAnswer"
    comment: str | None = None
    updated_at: Instant
    sequence: int = 0
    stamped_at: Instant
    version: int = 1


class UnregisteredRsvpsQuery(OrderedQuery):
    """The parameters of the list of answers, which is sorted by when the people were added, oldest first."""

    order: SortOrder = "asc"
