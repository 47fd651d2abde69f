"""Polls: until when the members vote on a meeting's times, and how they are reminded (an extension of the API)."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, ValidationInfo

from governance.instants import Instant
from governance.models.base import Body, Resource, Stored
from governance.models.text import ParsedInstant

ReminderAbout = Literal["votes", "answers"]
PollStatus = Literal["open", "closed"]


class StoredPoll(Stored):
    """The deadline of a meeting's votes, as it is stored with the meeting; `remind` asks for the one reminder."""

    closes_at: Instant
    remind: bool
    created_at: Instant
    updated_at: Instant


class Poll(Resource):
    """The poll of a meeting; `missing` are the collaborators and up who have not voted on any of its slots."""

    object: Literal["poll"] = "poll"
    meeting_id: str
    closes_at: str
    remind: bool
    status: PollStatus
    missing: tuple[str, ...]
    created_at: str
    updated_at: str


def in_future(instant: Instant, info: ValidationInfo) -> Instant:
    """Returns the instant. Raises `ValueError` unless it is after `now` of the validation context."""
    if instant <= (info.context or {})["now"]:
        raise ValueError("must be in the future")
    return instant


class PollBody(Body):
    """The body that sets the deadline of a meeting's votes."""

    closes_at: Annotated[ParsedInstant, AfterValidator(in_future)] = Field(
        description="The instant from which on nobody can vote. It must be in the future."
    )
    remind: bool = Field(
        default=True,
        description="Whether those who have not voted are reminded once: 24 hours before the deadline, or at half time "
        "if that is later.",
    )


class ReminderBody(Body):
    """The body that reminds members."""

    about: ReminderAbout = Field(
        description="`votes` reminds those who have not voted on any slot, `answers` those who have not answered the "
        "meeting."
    )


class Reminder(Resource):
    """A reminder that a member sent by hand; `recipients` are the ids of the users who are reminded."""

    object: Literal["reminder"] = "reminder"
    meeting_id: str
    about: ReminderAbout
    recipients: tuple[str, ...]
    created_at: str
