"""Series of meetings and their occurrences (an extension of the API, ADR series)."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from governance.agenda_limits import (
    RULE_TEXT,
    SERIES_COUNT,
    SERIES_LAST_YEAR,
    SERIES_MINUTES,
    SERIES_OPENS_DAYS,
    SERIES_OPENS_DAYS_MAX,
)
from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.limits import MEETING_LOCATION
from governance.models.base import ApiObject, Body, Patch, Query, Resource, Stored
from governance.models.meetings.meeting import MeetingTitle
from governance.models.meetings.poll import in_future
from governance.models.meetings.slot import TimezoneName
from governance.models.series.rule import parse
from governance.models.text import CalendarDate, NamedId, NoControls, ParsedInstant, text

OccurrenceStatus = Literal["planned", "opened", "cancelled"]
"""Status of an occurrence. An `opened` one is a meeting."""
_WALL_CLOCK = re.compile(r"(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d", re.ASCII)
_YEARS = (1970, SERIES_LAST_YEAR)
WALL_CLOCK = len("YYYY-MM-DDTHH:MM")


def wall_clock(value: str) -> str:
    """Returns a date and a time without a zone. Raises `ValueError` for any other text, and days that do not exist."""
    match = _WALL_CLOCK.fullmatch(value)
    try:
        if match is None or not _YEARS[0] <= date.fromisoformat(match[1]).year <= _YEARS[1]:
            raise ValueError
    except ValueError:
        raise ValueError("must be an existing date and time without an offset such as 2027-03-01T09:00") from None
    return value


class SeriesFields(Resource):
    """The fields of a series that its readers see, without its occurrences."""

    id: str
    board_id: BoardId
    title: str
    """Title of the meetings."""
    rule: str
    """Recurrence rule of the series (RFC 5545), such as `FREQ=MONTHLY;BYDAY=1TU`."""
    start: str
    """Date and time of the first occurrence in the time zone of the series, as `YYYY-MM-DDTHH:MM`."""
    timezone: str
    """IANA time zone in which the rule is read."""
    duration_minutes: int
    """Duration of the meetings in minutes."""
    location: str | None = None
    """Place of the meetings, or null."""
    committee_id: str | None = None
    """Identifier of the committee whose members alone see the series, or null."""
    ends_on: str | None = None
    """The last day on which an occurrence may be, or null."""
    count: int | None = None
    """Number of occurrences, or null."""
    template_id: str | None = None
    """Identifier of the agenda template of the meetings, or null."""
    opens_days_before: int = SERIES_OPENS_DAYS
    """Days before an occurrence at which its meeting is created."""
    created_by_user_id: UserId
    created_at: Instant
    updated_at: Instant


class Occurrence(ApiObject):
    """An occurrence of a series: planned, cancelled, or opened as a meeting."""

    object: Literal["occurrence"] = "occurrence"
    series_id: str
    """Identifier of the series."""
    key: str
    """Date and time that the rule gives the occurrence, in the time zone of the series. It stays when it is moved."""
    start_time: Instant
    """When the occurrence starts."""
    status: OccurrenceStatus
    """Status of the occurrence."""
    meeting_id: str | None = None
    """Identifier of the meeting, or null if the occurrence has none."""
    moved_from: Instant | None = None
    """When the occurrence would start by the rule, or null if it was not moved."""


class Series(SeriesFields, ApiObject):
    """Meetings that recur by a rule."""

    object: Literal["series"] = "series"
    next: tuple[Occurrence, ...]
    """The next occurrences that are planned or opened, sorted by start."""


class Change(Stored):
    """What was changed of an occurrence: it was moved to `start_time`, cancelled, or opened as a meeting.

    `start_time` of one that was opened is where it had been moved to, if it had.
    """

    status: Literal["moved", "cancelled", "opened"]
    start_time: Instant | None = None
    meeting_id: str | None = None


class EarlierRule(Stored):
    """A rule that a series had: it holds for the days from `since` to `until`, both included."""

    rule: str
    start: str
    timezone: str
    since: str
    until: str


class StoredSeries(SeriesFields, Stored):
    """A series as it is stored.

    Its rule holds from the day `since` on, before which it had `counted` occurrences; `earlier` are the rules of days
    before that are to come. `changes` are those of occurrences by key, and `skipped` are the keys that the clock
    passed over, as long as they matter. `is_told` says that the managers know that the clock opens nothing now.
    `newest_opened` is the latest day of an occurrence that was opened, `opens_at` when the clock opens the next one.
    """

    since: str
    counted: int = 0
    earlier: tuple[EarlierRule, ...] = ()
    changes: dict[str, Change] = Field(default_factory=dict)
    skipped: tuple[str, ...] = ()
    is_told: bool = False
    opens_at: Instant | None = None
    newest_opened: str | None = None
    version: int = 1


class OpenedOccurrence(Stored):
    """An occurrence that was opened, kept beside its series for as long as that exists."""

    key: str
    meeting_id: str
    original: Instant
    start_time: Instant


class MeetingSeries(ApiObject):
    """The series that a meeting is an occurrence of."""

    object: Literal["meeting_series"] = "meeting_series"
    meeting_id: str
    series_id: str
    """Identifier of the series."""
    key: str
    """Key of the occurrence that is this meeting."""
    committee_id: str | None
    """Identifier of the series' committee, or null."""


def rule_text(value: str) -> str:
    """Returns a rule. Raises `ValueError`, with what must be otherwise, for a text that is none."""
    parse(value)
    return value


RuleText = Annotated[str, text(1, RULE_TEXT), AfterValidator(rule_text)]
WallClock = Annotated[str, text(WALL_CLOCK, WALL_CLOCK), AfterValidator(wall_clock)]
Minutes = Annotated[int, Field(ge=SERIES_MINUTES[0], le=SERIES_MINUTES[1])]
Place = Annotated[str, text(0, MEETING_LOCATION), NoControls]
Count = Annotated[int, Field(ge=1, le=SERIES_COUNT)]
DaysBefore = Annotated[int, Field(ge=1, le=SERIES_OPENS_DAYS_MAX)]


class SeriesBody(Body):
    """The fields of a series that a client sets."""

    title: MeetingTitle = ""
    """Title of the meetings. It must not be blank or contain control characters other than newlines and tabs."""
    rule: RuleText = ""
    """Recurrence rule (RFC 5545): `FREQ` of `WEEKLY`, `MONTHLY` or `YEARLY`, `INTERVAL` from 1 to 12, `BYDAY`,
    `BYMONTHDAY` from 1 to 28 or -1, and `BYMONTH`. Weekdays of months and years may have an ordinal from 1 to 4 or -1.
    """
    start: WallClock = ""
    """Date and time of the first occurrence, in the time zone of the series. It must be on a day of the rule."""
    timezone: TimezoneName = ""
    duration_minutes: Minutes = 0
    """Duration of the meetings, from 5 to 1440 minutes."""
    location: Place | None = None
    """Place of the meetings."""
    committee_id: NamedId | None = None
    """Identifier of a committee that you are in. Its members alone see the series."""
    ends_on: CalendarDate | None = None
    """The last day on which an occurrence may be. Send this or `count`, not both."""
    count: Count | None = None
    """Number of occurrences, at most $SERIES_COUNT. Send this or `endsOn`, not both."""
    template_id: NamedId | None = None
    """Identifier of an agenda template of the board."""

    @classmethod
    def field_errors(cls, value: Mapping[str, Any]) -> dict[str, str]:
        """Returns the error of a series with two ends."""
        both = value.get("endsOn") is not None and value.get("count") is not None
        return {"count": "must not be given beside `endsOn`"} if both else {}


class SeriesCreate(SeriesBody):
    """The series to create."""

    title: MeetingTitle
    rule: RuleText
    start: WallClock
    timezone: TimezoneName
    duration_minutes: Minutes
    opens_days_before: DaysBefore | None = None
    """Days before an occurrence at which its meeting is created, from 1 to $SERIES_OPENS_DAYS_MAX. Left out or null
    means $SERIES_OPENS_DAYS.
    """


class SeriesPatch(SeriesBody, Patch):
    """The fields of the series to change; at least one. Null clears a field that may be null.

    What was opened stays. A new rule, start, time zone or end applies from the day after the latest occurrence that
    was opened.
    """

    opens_days_before: DaysBefore = SERIES_OPENS_DAYS


def only_true(value: bool) -> bool:
    """Returns true. Raises `ValueError` for false: what is cancelled is put back by a DELETE."""
    if not value:
        raise ValueError("must be true; delete the change to put the occurrence back")
    return value


def within_years(instant: Instant) -> Instant:
    """Returns the start of an occurrence. Raises `ValueError` for one that some zone may have no year for."""
    if instant[:4] > str(SERIES_LAST_YEAR):
        raise ValueError(f"must not be after the year {SERIES_LAST_YEAR}")
    return instant


class OccurrenceBody(Body):
    """The change of an occurrence that is not opened. Send exactly one of the two."""

    start_time: Annotated[ParsedInstant, AfterValidator(in_future), AfterValidator(within_years)] | None = None
    """When the occurrence starts instead. It must be in the future."""
    cancelled: Annotated[bool, AfterValidator(only_true), Field(json_schema_extra={"const": True})] | None = None
    """Only `true`: the occurrence does not take place."""

    @classmethod
    def field_errors(cls, value: Mapping[str, Any]) -> dict[str, str]:
        """Returns the error of a change that is none, or two."""
        given = [name for name in ("startTime", "cancelled") if value.get(name) is not None]
        return {} if len(given) == 1 else {"body": "must have exactly one of `startTime` and `cancelled`"}


class OccurrencesQuery(Query):
    """The days whose occurrences are listed, in the time zone of the series."""

    from_: Annotated[CalendarDate, Field(alias="from")]
    """The first day that is listed, as `YYYY-MM-DD` in the time zone of the series."""
    to: CalendarDate
    """The day after the last one that is listed, at most $OCCURRENCES_DAYS days after `from`."""
