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
from governance.models.meetings.poll import StoredPoll
from governance.models.page import ListQuery
from governance.models.text import NoControls, NoControlsButBreaks, NotBlank, ParsedInstant, QueryInstant, text

MeetingStatus = Literal["draft", "scheduled", "in_progress", "completed", "finalized"]
InitialMeetingStatus = Literal["draft", "scheduled", "in_progress", "completed"]
LocationType = Literal["virtual", "in_person", "hybrid"]
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
    status: MeetingStatus
    location_type: LocationType | None = None
    location: str | None = None
    virtual_meeting_url: str | None = None
    start_time: Instant | None = None
    end_time: Instant | None = None
    created_by_user_id: UserId
    created_at: Instant
    updated_at: Instant


class Meeting(MeetingFields, ApiObject):
    """A meeting as its board sees it."""

    object: Literal["meeting"] = "meeting"


class StoredMeeting(MeetingFields, Stored):
    """A meeting as it is stored.

    `creator_id` is the user who created it, who alone sees it as a draft; None for a board token. `booked_slot_id` and
    `timezone` come from the confirmed slot. Guests' votes that arrived no later than `guest_votes_discarded_at` do not
    count. `agenda_summary` is its agenda as calendars show it. `sequence` numbers the revisions of its time, place and
    status for calendars (RFC 5545, section 3.8.7.4).
    """

    timezone: str | None = None
    booked_slot_id: str | None = None
    guest_votes_discarded_at: Instant | None = None
    poll: StoredPoll | None = None
    agenda_summary: str = ""
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


MeetingTitle = Annotated[str, text(1, MEETING_TITLE), NotBlank, NoControlsButBreaks]
MeetingLocation = Annotated[str, text(0, MEETING_LOCATION)]
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

    A change of any of them but the title is a revision for calendars, and one of its time or place is news to members
    (`revised` and `news` in domain/meetings/meeting.py).
    """

    title: MeetingTitle = ""
    status: MeetingStatus | None = None
    location_type: LocationType | None = None
    location: MeetingLocation | None = None
    virtual_meeting_url: MeetingUrl | None = None
    start_time: ParsedInstant | None = None
    end_time: ParsedInstant | None = None

    @classmethod
    def field_errors(cls, value: Mapping[str, Any]) -> dict[str, str]:
        """Returns the error of an end that is not after the start."""
        return check_order_of_times(value)


class MeetingCreate(MeetingBody):
    """The body that creates a meeting; without `status` a user's is a draft, a board token's is scheduled."""

    title: MeetingTitle
    status: InitialMeetingStatus | None = None


class MeetingPatch(MeetingBody, Patch):
    """The body that changes a meeting; the rules apply to the meeting with the changes."""

    status: MeetingStatus = "draft"


class MeetingsQuery(ListQuery):
    """The parameters of the list of meetings; one without a start passes no filter on the start."""

    sort: Literal["startTime"] = "startTime"
    status: MeetingStatus | None = None
    start_after: QueryInstant | None = None
    start_before: QueryInstant | None = None
