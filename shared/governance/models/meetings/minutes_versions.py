"""Versions of minutes, which are circulated and never change (an extension of the API, ADR minutes)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from governance.agenda_limits import MINUTES_VERSIONS
from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.models.base import ApiObject, Body, Query, Resource, Stored
from governance.models.meetings.audience import Audience, StoredAudience
from governance.models.meetings.minutes import Attendance, Decision
from governance.models.meetings.poll import in_future
from governance.models.text import NamedId, ParsedInstant, query_integer

ApprovalStatus = Literal["draft", "circulated", "approved", "corrected"]
"""A `draft` was never circulated. The last version of `circulated` minutes waits for its approval, also while the draft
changes. `approved` minutes have a number; `corrected` ones were followed by a correction, which was approved too.
"""
ApprovalManner = Literal["as_presented", "as_changed"]
"""Whether the minutes were approved as they were presented or with changes."""


class FixedItem(Resource):
    """An item of a version of minutes. An item in camera has nothing but its `id` and what stands for it, `sealed`."""

    omits_unset = True

    id: str
    agenda_item_id: str | None = None
    """Identifier of the item of the meeting's agenda that the entry is about. Null for another subject."""
    text: str | None = None
    """What was said about it, in plain text."""
    decision: Decision | None = None
    """What was decided. Null if nothing was decided, or if a resolution says it."""
    resolution_id: str | None = None
    """Identifier of the resolution of this meeting that was decided. Null without one."""
    action_item_ids: tuple[str, ...] = ()
    """Identifiers of the action items that follow from it."""
    sealed: str | None = None
    """Of an item in camera the SHA-256, in hexadecimal digits, of its salt and its RFC 8785 form, which `inCamera` has
    for its audience.
    """


class FixedMinutes(Resource):
    """What a version of minutes fixes, as it was written; the RFC 8785 form of these members is what is hashed."""

    omits_unset = True

    meeting_id: str
    attendance: tuple[Attendance, ...]
    items: tuple[FixedItem, ...]
    created_at: Instant


class OpenedItem(Resource):
    """An item in camera of a version of minutes, as its audience reads it."""

    omits_unset = True

    content: Annotated[FixedItem, Field(alias="item")]
    """The item as it was written. Its RFC 8785 form is what the salt is put before."""
    salt: str
    """The 32 bytes that stand before that form when it is hashed, in hexadecimal digits."""
    audience: Audience
    """Who the item is for."""


class StoredSealedItem(Stored):
    """An item in camera of a version of minutes as it is stored beside it: `canonical` is the RFC 8785 form of it."""

    id: str
    canonical: str
    salt: str
    audience: StoredAudience

    @property
    def content(self) -> FixedItem:
        """The item as it was written."""
        return FixedItem.model_validate_json(self.canonical)


class MinutesVersion(ApiObject):
    """A version of the minutes of a meeting, as it was circulated: what was written, which nothing changes any more."""

    omits_unset = True

    object: Literal["minutes_version"]
    meeting_id: str
    version: int
    """Number of the version, from 1."""
    sha256: str
    """SHA-256, in hexadecimal digits, of the RFC 8785 form of an object with the members `attendance`, `createdAt`,
    `items` and `meetingId` of this version.
    """
    circulated_at: str
    """When this version was first circulated."""
    circulated_by_user_id: UserId
    """Identifier of the user who circulated it first."""
    attendance: tuple[Attendance, ...]
    """Who attended the meeting, and how. A person without an account has no name here."""
    items: tuple[FixedItem, ...]
    """What was said and decided, in order. What a resolution decided is not here but in the resolution."""
    in_camera: tuple[OpenedItem, ...]
    """The items in camera that are for you, with what their seals are made of."""
    created_at: str
    """When the minutes were first written."""


class MinutesSignature(Resource):
    """A signature on approved minutes."""

    user_id: UserId
    """Identifier of the user who signed."""
    role: str
    """In which role they signed."""
    at: str
    """When they signed, by an act of a signed-in user: no qualified electronic signature."""
    log_index: int | None
    """Number of the signature's entry in the log; null until it is logged."""


class MinutesApproval(ApiObject):
    """How far the minutes of a meeting are on their way to approval."""

    object: Literal["minutes_approval"] = "minutes_approval"
    meeting_id: str
    status: ApprovalStatus
    """Whether the minutes were circulated or approved."""
    version: int | None
    """Number of the version that was circulated last. Null for what was never circulated."""
    sha256: str | None
    """SHA-256 of that version, in hexadecimal digits."""
    circulated_at: str | None
    """When that version was first circulated."""
    remarks_until: str | None
    """Until when remarks on it are welcome, if its circulation said so."""
    approved_at: str | None = None
    """When the minutes were approved. Null until then."""
    approved_by_user_id: UserId | None = None
    """Identifier of the user who recorded the approval. Null until then."""
    in_meeting_id: str | None = None
    """Identifier of the meeting that approved the minutes. Null without one."""
    resolution_id: str | None = None
    """Identifier of the resolution that approved the minutes. Null without one."""
    manner: ApprovalManner | None = None
    """How the minutes were approved. Null until then."""
    number: str | None = None
    """Number of the approved minutes in the minute book. Null until they are approved."""
    supersedes_version: int | None = None
    """Number of the approved version that this one corrects. Null without one."""
    superseded_by_version: int | None = None
    """Number of the approved version that corrects this one. Null without one."""
    signatures: tuple[MinutesSignature, ...] = ()
    """Signatures on the approved version."""
    created_at: str | None
    """When the minutes were first circulated. Null until then."""
    updated_at: str | None
    """When this last changed. Null for minutes that were never circulated."""


class MinutesApprovalQuery(Query):
    """Which version of the minutes the approval is of."""

    version: (
        Annotated[int, Field(ge=1, le=MINUTES_VERSIONS), BeforeValidator(query_integer(MINUTES_VERSIONS))] | None
    ) = None
    """Number of the version that was circulated last, or of an earlier one that was approved."""


class CirculationBody(Body):
    """How the minutes are circulated. The body is optional."""

    optional = True

    remarks_until: Annotated[ParsedInstant, AfterValidator(in_future)] | None = None
    """Until when remarks are welcome, RFC 3339 with an offset or `Z`. It must be in the future."""


class MinutesApprovalBody(Body):
    """How the minutes were approved."""

    manner: ApprovalManner
    in_meeting_id: NamedId | None = None
    """Identifier of the meeting that approved the minutes. It must start later than their own. Send this or
    `resolutionId`.
    """
    resolution_id: NamedId | None = None
    """Identifier of the carried resolution that approved the minutes."""
    force: bool = False
    """Whether to approve the minutes although remarks on them wait for a decision."""

    @classmethod
    def field_errors(cls, value: Mapping[str, Any]) -> dict[str, str]:
        """Returns the error of an approval by a meeting and a resolution, or by neither."""
        is_by_meeting, is_by_resolution = (value.get(name) is not None for name in ("inMeetingId", "resolutionId"))
        if is_by_meeting and is_by_resolution:
            return {"resolutionId": "must be left out, as `inMeetingId` is given"}
        return {} if is_by_meeting or is_by_resolution else {"inMeetingId": "must be given, or `resolutionId`"}


class StoredMinutesVersion(Stored):
    """A version of minutes as it is stored: `canonical` is the RFC 8785 form of `FixedMinutes`, and never changes.

    `in_camera` are the items of which it has only the seals.
    """

    board_id: BoardId
    meeting_id: str
    number: int
    sha256: str
    circulated_at: Instant
    circulated_by_user_id: UserId
    canonical: str
    in_camera: tuple[StoredSealedItem, ...] = ()


class StoredMinutesSignature(Stored):
    """A signature on a version of minutes; `event_id` is that of the event whose entry in the log stands for it."""

    user_id: UserId
    role: str
    at: Instant
    event_id: str


class StoredVersionApproval(Stored):
    """The way of a version of minutes to its approval: `book_number` is that of approved minutes in the minute book.

    `event_id` is that of the event of the approval; None before it, and for one that release 0.6 wrote.
    """

    status: ApprovalStatus = "circulated"
    number: int
    sha256: str
    circulated_at: Instant
    remarks_until: Instant | None = None
    approved_at: Instant | None = None
    approved_by_user_id: UserId | None = None
    in_meeting_id: str | None = None
    resolution_id: str | None = None
    manner: ApprovalManner | None = None
    book_number: str | None = None
    event_id: str | None = None
    signatures: tuple[StoredMinutesSignature, ...] = ()
    created_at: Instant
    updated_at: Instant


class StoredMinutesApproval(StoredVersionApproval):
    """The way of a meeting's minutes to their approval, as it is stored from their first circulation on.

    It is that of the newest version of the minutes, whose `number` it has. `superseded` are the approvals of earlier
    versions, oldest first, from the circulation of their corrections on. `version` is that of this item.
    """

    board_id: BoardId
    meeting_id: str
    superseded: tuple[StoredVersionApproval, ...] = ()
    version: int = 1

    @property
    def in_force(self) -> StoredVersionApproval | None:
        """The approval of the version that was approved last; None before the first."""
        if self.status == "approved":
            return self
        return self.superseded[-1] if self.superseded else None

    def of_version(self, number: int) -> StoredVersionApproval | None:
        """Returns the approval of the newest version, or of an earlier one that was approved; None for another."""
        return next((each for each in (self, *self.superseded) if each.number == number), None)
