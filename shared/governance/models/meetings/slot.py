"""Proposed slots, votes, guest links and the views of guests (the API specification, sections 2.5, 4.4 and 4.5)."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, ValidationInfo

from governance import instants
from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.limits import SLOT_MINUTES_DEFAULT, SLOT_MINUTES_MAX, SLOT_MINUTES_MIN, VOTE_COMMENT
from governance.models.base import Body, Query, Resource, Stored
from governance.models.meetings.meeting import MeetingStatus
from governance.models.text import Email, NoControlsButBreaks, ParsedInstant, text
from governance.models.zones import check_timezone

Vote = Literal["ok", "challenging", "cant"]
FeedbackVote = Literal["ok", "challenging", "cant", "didNotVote"]


class Feedback(Resource):
    """The answer of one member or guest to a slot; `email` is given for guests only."""

    user_id: str | None
    vote: FeedbackVote
    comment: str | None = None
    email: str | None = None
    is_guest: bool = False


class ProposedSlot(Resource):
    """A slot as its board sees it: one feedback for each current member, then those of guests."""

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


class StoredSlot(Stored):
    """A slot as it is stored."""

    id: str
    board_id: BoardId
    meeting_id: str
    created_by_user_id: UserId | None
    start_time: Instant
    timezone: str
    duration_in_minutes: int
    created_at: Instant
    updated_at: Instant


class StoredVote(Stored):
    """A vote as it is stored: a member's for one membership (`join_id`), or a guest's by e-mail address.

    `recorded_at` is when a guest's votes on the slot were last recorded as an event. A vote `is_personal` that a person
    without an account cast by the link in their e-mails: it is not discarded with those of a guest link, and names the
    person, who may have another address since.
    """

    slot_id: str
    user_id: UserId | None = None
    join_id: str | None = None
    email: str | None = None
    vote: Vote
    comment: str | None
    arrived_at: Instant
    recorded_at: Instant | None = None
    is_personal: bool = False
    unregistered_user_id: str | None = None


def not_past(instant: Instant, info: ValidationInfo) -> Instant:
    """Returns the start of a proposed slot. Raises `ValueError` for a start before the request's own instant.

    That instant is `now` of the validation context, which `http/validation.py` sets for every body.
    """
    if instant < (info.context or {})["now"]:
        raise ValueError("must not be in the past")
    return instant


def within_years(instant: Instant) -> Instant:
    """Returns the start of a slot. Raises `ValueError` for one whose slot could end after the year 9999."""
    if instant > instants.shift(Instant("9999-12-31T23:59:59.999Z"), minutes=-SLOT_MINUTES_MAX):
        raise ValueError(f"must be at least {SLOT_MINUTES_MAX} minutes before the end of the year 9999")
    return instant


SlotStart = Annotated[ParsedInstant, AfterValidator(not_past), AfterValidator(within_years)]
TimezoneName = Annotated[str, AfterValidator(check_timezone)]
SlotMinutes = Annotated[int, Field(ge=SLOT_MINUTES_MIN, le=SLOT_MINUTES_MAX)]
VoteComment = Annotated[str, text(0, VOTE_COMMENT), NoControlsButBreaks]


class SlotCreate(Body):
    """The body that proposes a slot."""

    start_time: SlotStart
    timezone: TimezoneName
    duration_in_minutes: SlotMinutes = SLOT_MINUTES_DEFAULT


class VoteBody(Body):
    """The body of a vote, which replaces the whole earlier vote: without `comment` it has none."""

    vote: Vote
    comment: VoteComment | None = None


class GuestVoteBody(VoteBody):
    """The body of a guest's vote, which counts for an e-mail address; by a personal link, for that of its person."""

    email: Email | None = None


class GuestLink(Resource):
    """A link that opens a meeting's slots to guests; `token` and `url` are given once, when it is created."""

    object: Literal["guest_link"] = "guest_link"
    url: str | None
    token: str | None
    expires_at: str


class StoredGuestLink(Stored):
    """A guest link as it is stored, with the digest of its token only.

    `made_by_token` is the id of the board token that made it, with which it ends.
    """

    digest: str
    expires_at: Instant
    made_by_token: str | None = None
    created_at: Instant


class StoredPersonalLink(Stored):
    """The link to a meeting in the e-mails to a person without an account, with the digest of its token only.

    `links` is the number of the person's links that it belongs to: they end together. It expires some time after the
    last e-mail with it.
    """

    digest: str
    links: int
    expires_at: Instant


class StoredGuestView(Stored):
    """When a view of a meeting was last recorded as an event, and the digest of the link that it was viewed by."""

    digest: str
    viewed_at: Instant


class CloseLinkQuery(Query):
    """The parameters of the deletion of a guest link; `discard` removes the votes of guests, too."""

    votes: Literal["discard"] | None = None


class GuestSlot(Resource):
    """A slot as a guest sees it: the number of votes of each kind, without names."""

    id: str
    start_time: str
    timezone: str
    duration_in_minutes: int
    ok: int
    challenging: int
    cant: int


class GuestMeeting(Resource):
    """A meeting as a guest sees it; `personal` says that the link knows who votes."""

    object: Literal["guest_meeting"] = "guest_meeting"
    personal: bool
    title: str
    board_name: str
    status: MeetingStatus
    start_time: str | None
    end_time: str | None
    timezone: str | None
    booked_slot_id: str | None
    slots: tuple[GuestSlot, ...]


class GuestVote(Resource):
    """The response to a guest's vote."""

    object: Literal["guest_vote"] = "guest_vote"
    slot_id: str
    vote: Vote
    comment: str | None


class NoParameters(Query):
    """The query of an endpoint without parameters: any parameter is refused."""
