"""Proposed slots, votes, guest links and the views of guests (the API specification, sections 2.5, 4.4 and 4.5)."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, ValidationInfo

from governance import instants
from governance.ids import BoardId, PersonId, UserId
from governance.instants import Instant
from governance.limits import SLOT_MINUTES_DEFAULT, SLOT_MINUTES_MAX, SLOT_MINUTES_MIN, VOTE_COMMENT
from governance.models.base import Body, Query, Resource, Stored
from governance.models.meetings.meeting import MeetingStatus
from governance.models.text import Email, NoControlsButBreaks, ParsedInstant, text
from governance.models.zones import check_timezone

Vote = Literal["ok", "challenging", "cant"]
"""Can attend (`ok`), could attend with difficulty (`challenging`) or cannot attend (`cant`)."""
FeedbackVote = Literal["ok", "challenging", "cant", "didNotVote"]
"""A vote on a slot. `didNotVote` stands for a member who has not voted yet and cannot be sent."""


class Feedback(Resource):
    """The vote of one member or guest on a slot."""

    user_id: UserId | None
    """Identifier of the member; null for a guest."""
    vote: FeedbackVote
    """The vote of the member or guest."""
    comment: str | None = None
    """The comment sent with the vote, or null."""
    email: str | None = None
    """The address that a guest voted under; null for a member."""
    is_guest: bool = False
    """Whether the vote came through the guest link."""


class ProposedSlot(Resource):
    """A time proposed for a meeting, with the votes on it."""

    object: Literal["proposed_slot"] = "proposed_slot"
    id: str
    meeting_id: str
    created_by_user_id: UserId | None
    """Identifier of the user who proposed the slot; null for a board access token."""
    start_time: str
    """When the slot starts, in UTC."""
    timezone: str
    """IANA time zone in which to display the slot, such as `Europe/Paris`."""
    duration_in_minutes: int
    """Length of the slot in minutes."""
    feedbacks: tuple[Feedback, ...]
    """One entry per current member in the order of joining, then the guests' votes in the order of arrival."""
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
    unregistered_user_id: PersonId | None = None


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
    """The slot to propose."""

    null_is_absent = False

    start_time: SlotStart
    """When the slot starts, RFC 3339 with an offset or `Z`. It must not be in the past."""
    timezone: TimezoneName
    """IANA time zone in which to display the slot, such as `Europe/Paris`."""
    duration_in_minutes: SlotMinutes = SLOT_MINUTES_DEFAULT
    """Length of the slot in minutes."""


class VoteBody(Body):
    """Your vote. It replaces your earlier vote and comment."""

    vote: Vote
    """Whether you can attend."""
    comment: VoteComment | None = None
    """A remark for the members. Control characters other than newlines and tabs are refused. Left out or null means
    none.
    """


class GuestVoteBody(VoteBody):
    """A guest's vote. It replaces the earlier vote of the same address."""

    email: Email | None = None
    """The guest's e-mail address. The members of the board can see it. It is required, except by a personal link, which
    refuses it.
    """


class GuestLink(Resource):
    """A link that opens a meeting's slots to people without an account."""

    object: Literal["guest_link"] = "guest_link"
    url: str | None
    """Address of the page on which guests vote. It is shown only once; null in a replayed response."""
    token: str | None
    """The secret in the address. It is shown only once; null in a replayed response."""
    expires_at: str
    """When the link stops working."""


class StoredGuestLink(Stored):
    """A guest link as it is stored, with the digest of its token only.

    It ends with the membership (`made_by_join_id`) of the user who made it, and with the access token of theirs, or of
    the board, by which they did. Links of earlier releases name board tokens only.
    """

    digest: str
    expires_at: Instant
    made_by_token: str | None = None
    made_by_user_id: UserId | None = None
    made_by_join_id: str | None = None
    created_at: Instant


class StoredPersonalLink(Stored):
    """The link in the e-mails to a person without an account, to a meeting or a paper, with its token's digest only.

    `links` is the number of the person's links that it belongs to: they end together. That to a meeting expires some
    time after the last e-mail with it, that to a paper some time after it is due.
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
    """Pass `discard` to remove the votes of all guests, including those cast through earlier links."""


class GuestSlot(Resource):
    """A proposed slot, as seen by a guest."""

    id: str
    start_time: str
    """When the slot starts, in UTC."""
    timezone: str
    """IANA time zone in which to display the slot, such as `Europe/Paris`."""
    duration_in_minutes: int
    """Length of the slot in minutes."""
    ok: int
    """Number of members and guests who can attend."""
    challenging: int
    """Number of members and guests who could attend with difficulty."""
    cant: int
    """Number of members and guests who cannot attend."""


class GuestMeeting(Resource):
    """A meeting, as seen by a guest."""

    object: Literal["guest_meeting"] = "guest_meeting"
    personal: bool
    """Whether the link is that of a person without an account, so that votes need no address."""
    title: str
    """Title of the meeting."""
    board_name: str
    """Name of the board."""
    status: MeetingStatus
    """Status of the meeting."""
    start_time: str | None
    """When the meeting starts, or null if it has no date yet."""
    end_time: str | None
    """When the meeting ends, or null."""
    timezone: str | None
    """IANA time zone of the booked slot, or null."""
    booked_slot_id: str | None
    """Identifier of the slot that the meeting is booked for, or null while none is."""
    cancelled_at: str | None = None
    """When the meeting was cancelled; null if it takes place."""
    slots: tuple[GuestSlot, ...]
    """The proposed slots, sorted by start."""


class GuestVote(Resource):
    """The vote of a guest, as stored."""

    object: Literal["guest_vote"] = "guest_vote"
    slot_id: str
    """Identifier of the slot that was voted on."""
    vote: Vote
    """Whether the guest can attend."""
    comment: str | None
    """The comment sent with the vote, or null."""


class NoParameters(Query):
    """The query of an endpoint without parameters: any parameter is refused."""
