"""Proposed slots, votes, and what a guest sees of them (the API specification, sections 2.5, 4.4 and 4.5)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, ValidationInfo

from governance import instants
from governance.limits import SLOT_MINUTES_DEFAULT, SLOT_MINUTES_MAX, SLOT_MINUTES_MIN, VOTE_COMMENT
from governance.models.base import Body, Query, Resource
from governance.models.meeting import MeetingStatus
from governance.models.text import Email, Instant, text
from governance.models.zones import check_timezone

Choice = Literal["ok", "challenging", "cant"]
SlotVote = Literal["ok", "challenging", "cant", "didNotVote"]


class Feedback(Resource):
    """What one member or guest says of a slot; `email` is a guest's, never a member's."""

    user_id: str | None
    vote: SlotVote
    comment: str | None = None
    email: str | None = None
    is_guest: bool = False


class ProposedSlot(Resource):
    """A slot as its board sees it: one feedback for each current member, then the guests'."""

    object: Literal["proposed_slot"] = "proposed_slot"
    id: str
    meeting_id: str
    created_by_user_id: str | None
    start_time: str
    timezone: str
    duration_in_minutes: int
    feedbacks: tuple[Feedback, ...]
    created_at: str
    updated_at: str


class StoredSlot(Resource):
    """A slot as the store keeps it; `guest_votes` counts the guests who have voted."""

    id: str
    board_id: str
    meeting_id: str
    created_by_user_id: str | None
    start_time: str
    timezone: str
    duration_in_minutes: int
    guest_votes: int = 0
    created_at: str
    updated_at: str


class StoredVote(Resource):
    """A vote as the store keeps it: a member's for one time of belonging (`join_id`), or a guest's by address."""

    slot_id: str
    user_id: str | None = None
    join_id: str | None = None
    email: str | None = None
    vote: Choice
    comment: str | None
    arrived_at: str


def not_past(instant: str, info: ValidationInfo) -> str:
    """Returns the start of a proposed slot. Raises `ValueError` for a start before the request's own instant.

    That instant is `now` of the validation context, which `http/validation.py` sets for every body.
    """
    if instant < (info.context or {})["now"]:
        raise ValueError("must not be in the past")
    return instant


def within_years(instant: str) -> str:
    """The longest slot still ends within the years that an instant can have."""
    if instant > instants.shift("9999-12-31T23:59:59.999Z", minutes=-SLOT_MINUTES_MAX):
        raise ValueError(f"must be at least {SLOT_MINUTES_MAX} minutes before the end of the year 9999")
    return instant


SlotStart = Annotated[Instant, AfterValidator(not_past), AfterValidator(within_years)]
TimezoneName = Annotated[str, AfterValidator(check_timezone)]
SlotMinutes = Annotated[int, Field(ge=SLOT_MINUTES_MIN, le=SLOT_MINUTES_MAX)]
Comment = Annotated[str, text(0, VOTE_COMMENT)]


class SlotCreate(Body):
    """A proposal of a time."""

    start_time: SlotStart
    timezone: TimezoneName
    duration_in_minutes: SlotMinutes = SLOT_MINUTES_DEFAULT


class VoteBody(Body):
    """A vote replaces the whole of the earlier one: without a comment there is none."""

    vote: Choice
    comment: Comment | None = None


class GuestVoteBody(VoteBody):
    """A vote by whoever holds the link, under an address."""

    email: Email


class GuestLink(Resource):
    """A link that opens a meeting's slots to guests; `token` and `url` are shown once."""

    object: Literal["guest_link"] = "guest_link"
    url: str | None
    token: str | None
    expires_at: str


class StoredGuestLink(Resource):
    """A guest link as the store keeps it: the hash of its token alone."""

    digest: str
    expires_at: str
    created_at: str


class GuestSlot(Resource):
    """A slot as a guest sees it: how many say what, and nobody's name."""

    id: str
    start_time: str
    timezone: str
    duration_in_minutes: int
    ok: int
    challenging: int
    cant: int


class GuestMeeting(Resource):
    """A meeting as a guest sees it."""

    object: Literal["guest_meeting"] = "guest_meeting"
    title: str
    status: MeetingStatus
    slots: tuple[GuestSlot, ...]


class GuestVote(Resource):
    """What a guest's vote answers."""

    object: Literal["guest_vote"] = "guest_vote"
    slot_id: str
    vote: Choice
    comment: str | None


class NoParameters(Query):
    """A versioned route without parameters: any is unknown."""
