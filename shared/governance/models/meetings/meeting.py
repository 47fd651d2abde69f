"""Meetings (the API specification, sections 2.4 and 4.3)."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator

from governance import instants
from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.limits import MEETING_LOCATION, MEETING_TITLE, MEETING_URL
from governance.models.base import ApiObject, Body, Patch, Resource, Stored
from governance.models.meetings.cancellation import StoredCancellation
from governance.models.meetings.poll import StoredPoll
from governance.models.page import ListQuery
from governance.models.series.of_meeting import OccurrenceOfMeeting
from governance.models.text import (
    NoControls,
    NoControlsButBreaks,
    NoReordering,
    NotBlank,
    ParsedInstant,
    QueryInstant,
    text,
)

MeetingStatus = Literal["draft", "scheduled", "in_progress", "completed", "finalized"]
"""Status of a meeting. A `draft` is visible to its creator only; a `finalized` meeting can no longer be changed."""
InitialMeetingStatus = Literal["draft", "scheduled", "in_progress", "completed"]
"""A status that a new meeting can have."""
LocationType = Literal["virtual", "in_person", "hybrid"]
"""Whether a meeting takes place online, in a room, or both."""
_SCHEME = re.compile(r"\s*([a-z][a-z0-9+.-]*):(\s?)", re.IGNORECASE)
_HOST_AND_PORT = re.compile(r"\s*[a-z0-9-]+(?:\.[a-z0-9-]+)+:\d{1,5}(?:[/?#]|\s|$)", re.IGNORECASE)
_JOINING_SCHEMES = frozenset({"https", "http", "tel", "sip", "msteams", "zoommtg"})
_SCRIPT_SCHEMES = frozenset({"javascript", "data", "vbscript"})
"""Browsers run these also with a blank behind the colon."""


class MeetingFields(Resource):
    """The fields of a meeting that its board sees."""

    id: str
    board_id: BoardId
    title: str
    """Title of the meeting."""
    status: MeetingStatus
    """Status of the meeting."""
    location_type: LocationType | None = None
    """Whether the meeting takes place online, in a room or both; null if that is not decided."""
    location: str | None = None
    """Place of the meeting, or null."""
    virtual_meeting_url: str | None = None
    """How to join online, usually a URL, or null."""
    start_time: Instant | None = None
    """When the meeting starts, or null if it has no date yet."""
    end_time: Instant | None = None
    """When the meeting ends, or null."""
    created_by_user_id: UserId
    created_at: Instant
    updated_at: Instant


class Meeting(MeetingFields, ApiObject):
    """A meeting of a board."""

    object: Literal["meeting"] = "meeting"


class MatterOnAgenda(Stored):
    """A matter of the work plan that is on the agenda of a meeting, and the item that it is there."""

    plan_item_id: str
    agenda_item_id: str


class StoredMeeting(MeetingFields, Stored):
    """A meeting as it is stored.

    `creator_id` is the user who created it, who alone sees it as a draft; None for a board token. `booked_slot_id` and
    `timezone` come from the confirmed slot. Guests' votes that arrived no later than `guest_votes_discarded_at` do not
    count. `occurrence` is the one of a series that it is. `agenda_summary` is its agenda as calendars show it, and
    `matters` what the work plan has on it. `sequence` numbers the revisions of its time, place and status for calendars
    (RFC 5545, section 3.8.7.4).
    """

    timezone: str | None = None
    booked_slot_id: str | None = None
    guest_votes_discarded_at: Instant | None = None
    poll: StoredPoll | None = None
    cancellation: StoredCancellation | None = None
    occurrence: OccurrenceOfMeeting | None = None
    agenda_summary: str = ""
    matters: tuple[MatterOnAgenda, ...] = ()
    sequence: int = 0
    creator_id: UserId | None
    version: int = 1


def joining_url(value: str) -> str:
    """Returns a meeting's URL, which is free text. Raises `ValueError` for a URL of a scheme that joins no meeting.

    A host with a port has no scheme, nor has a word with a colon and a blank, such as "Phone: 555".
    """
    matched = _SCHEME.match(value)
    if matched is None or _HOST_AND_PORT.match(value):
        return value
    scheme, blank = matched[1].lower(), matched[2]
    if scheme in _SCRIPT_SCHEMES or (not blank and scheme not in _JOINING_SCHEMES):
        raise ValueError("must have the scheme https, http, tel, sip, msteams or zoommtg if it is a URL")
    return value


MeetingTitle = Annotated[str, text(1, MEETING_TITLE), NotBlank, NoControlsButBreaks, NoReordering]
MeetingLocation = Annotated[str, text(0, MEETING_LOCATION), NoReordering]
MeetingUrl = Annotated[str, text(0, MEETING_URL), NoControls, AfterValidator(joining_url)]


def check_order_of_times(value: Mapping[str, Any]) -> dict[str, str]:
    """Returns the error of a body whose `endTime` is not after its `startTime`; none unless both are instants."""
    try:
        start, end = (instants.parse(value[name]) for name in ("startTime", "endTime"))
    except (KeyError, TypeError, ValueError):
        return {}
    return {} if start < end else {"endTime": "must be after `startTime`"}


class MeetingBody(Body):
    """The fields of a meeting that a client sets: each is a field of `MeetingFields` too.

    A change of any of them but the title is a revision for calendars, and one of its time or place notifies members
    (`revised` and `news` in domain/meetings/meeting.py).
    """

    title: MeetingTitle = ""
    """Title of the meeting. It must not be blank or contain control characters other than newlines and tabs."""
    status: MeetingStatus | None = None
    """New status. Only the creator can set `draft`, and `finalized` may only follow `completed`."""
    location_type: LocationType | None = None
    """Whether the meeting takes place online, in a room or both."""
    location: MeetingLocation | None = None
    """Place of the meeting."""
    virtual_meeting_url: MeetingUrl | None = None
    """How to join online, as a URL or as text. A URL must have the scheme `https`, `http`, `tel`, `sip`, `msteams` or
    `zoommtg`, or none.
    """
    start_time: ParsedInstant | None = None
    """When the meeting starts, RFC 3339 with an offset or `Z`. A change releases a booked slot."""
    end_time: ParsedInstant | None = None
    """When the meeting ends, RFC 3339 with an offset or `Z`. It must be after `startTime`."""

    @classmethod
    def field_errors(cls, value: Mapping[str, Any]) -> dict[str, str]:
        """Returns the error of an end that is not after the start."""
        return check_order_of_times(value)


class MeetingCreate(MeetingBody):
    """The meeting to create."""

    title: MeetingTitle
    status: InitialMeetingStatus | None = None
    """Initial status. Left out or null means `draft`, for a board access token `scheduled`."""


class MeetingPatch(MeetingBody, Patch):
    """The fields of the meeting to change; at least one. Null clears a field."""

    status: MeetingStatus = "draft"


class MeetingsQuery(ListQuery):
    """The parameters of the list of meetings; one without a start passes no filter on the start."""

    sort: Literal["startTime"] = "startTime"
    """The date to sort by. Meetings are sorted by their start."""
    status: MeetingStatus | None = None
    """Only meetings with this status. `draft` returns your own drafts."""
    start_after: QueryInstant | None = None
    """Only meetings that start strictly after this instant (RFC 3339 with an offset). Meetings without a start are left
    out.
    """
    cancelled: Literal["true", "false"] | None = None
    """Only meetings that are cancelled (`true`), or only those that are not (`false`)."""
    start_before: QueryInstant | None = None
    """Only meetings that start strictly before this instant (RFC 3339 with an offset). Meetings without a start are
    left out.
    """
