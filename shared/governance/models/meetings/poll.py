"""Polls: until when the members vote on a meeting's times, and how they are reminded (an extension of the API)."""

from typing import Annotated, Literal

from pydantic import AfterValidator, ValidationInfo

from governance.instants import Instant
from governance.models.base import Body, Resource, Stored
from governance.models.text import ParsedInstant

ReminderAbout = Literal["votes", "answers"]
"""Votes on the meeting's slots (`votes`), or answers to the meeting (`answers`)."""
PollStatus = Literal["open", "closed"]
"""Whether members and guests can vote (`open`). A poll is `closed` after the deadline, and when the meeting is booked
or no longer a draft or scheduled.
"""


class StoredPoll(Stored):
    """The deadline of a meeting's votes, as it is stored with the meeting; `remind` asks for the one reminder."""

    closes_at: Instant
    remind: bool
    created_at: Instant
    updated_at: Instant


class Poll(Resource):
    """The deadline for votes on a meeting's slots."""

    object: Literal["poll"] = "poll"
    meeting_id: str
    closes_at: str
    """The deadline. From this instant on, nobody can vote."""
    remind: bool
    """Whether members who have not voted are reminded before the deadline."""
    status: PollStatus
    """Whether members and guests can vote now."""
    missing: tuple[str, ...]
    """Identifiers of the collaborators, managers, admins and the owner who have not voted on any slot."""
    created_at: str
    updated_at: str


def in_future(instant: Instant, info: ValidationInfo) -> Instant:
    """Returns the instant. Raises `ValueError` unless it is after `now` of the validation context."""
    if instant <= (info.context or {})["now"]:
        raise ValueError("must be in the future")
    return instant


class PollBody(Body):
    """The deadline for votes on a meeting's slots."""

    closes_at: Annotated[ParsedInstant, AfterValidator(in_future)]
    """The deadline, RFC 3339 with an offset or `Z`. It must be in the future."""
    remind: bool = True
    """Whether members who have not voted are reminded once: $POLL_REMINDER_HOURS_IN_WORDS before the deadline, or
    halfway to the deadline if that is later.
    """


class ReminderBody(Body):
    """The members to remind."""

    about: ReminderAbout
    """`votes` reminds the members who have not voted on any slot, `answers` those who have not answered whether they
    attend.
    """


class Reminder(Resource):
    """A reminder that a member sent."""

    object: Literal["reminder"] = "reminder"
    meeting_id: str
    about: ReminderAbout
    """What the recipients are reminded of."""
    recipients: tuple[str, ...]
    """Identifiers of the reminded users."""
    created_at: str
