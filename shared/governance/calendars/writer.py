"""Writes events as an iCalendar object (RFC 5545) with the library `icalendar`, which folds and escapes.

If the event has a zone, its times are local, with the zone defined in the same text. They are UTC if the zone is not
known, and in an hour that a clock repeats: a local time names its first pass, but readers take it for the second one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import icalendar

from governance.domain.calendars.calendar import CalendarEvent, Recurrence
from governance.domain.calendars.timezones import LAST_YEAR, Onset, onsets
from governance.domain.notifications.wording import instant_in_words, time_range_in_words
from governance.instants import Instant, shift, to_datetime
from governance.limits import FEED_SECONDS
from governance.models.meetings.rsvp import RsvpStatus
from governance.settings import settings
from governance.texts import Language

_Years = dict[str, set[int]]
"""The years that a calendar uses of each zone, by its name."""
_ZONE_YEARS = 10
"""Years for which a calendar has the rules of the zone of an event that goes on."""
_PRODUCT = "-//Board Governance Service//Calendar//EN"
_NOT_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Characters that RFC 5545 forbids in texts, or that some readers take for the end of a line."""


_PARTSTAT: dict[RsvpStatus, str] = {
    "accepted": "ACCEPTED",
    "tentative": "TENTATIVE",
    "declined": "DECLINED",
    "noAnswer": "NEEDS-ACTION",
}


@dataclass(frozen=True)
class Organizer:
    """The sender of an invitation: the address that replies go to, and the name of the board."""

    address: str
    name: str


@dataclass(frozen=True)
class Attendee:
    """The invited user, with their answer so far."""

    email: str
    name: str
    status: RsvpStatus


def uid(event_id: str) -> str:
    """Returns the stable identifier of an event."""
    return f"{event_id}@{urlsplit(settings().root_url).hostname}"


def write_feed(name: str, events: Iterable[CalendarEvent]) -> bytes:
    """Returns a calendar to subscribe to."""
    calendar = _calendar(events)
    refresh = timedelta(seconds=FEED_SECONDS)
    calendar.add("x-wr-calname", _line(name))  # the library escapes no line breaks in it
    calendar.add("refresh-interval", icalendar.vDuration(refresh), parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", icalendar.vDuration(refresh))
    return bytes(calendar.to_ical())


def write_event(event: CalendarEvent) -> bytes:
    """Returns a calendar of one event, to be added to one's own."""
    return bytes(_calendar([event]).to_ical())


def write_request(event: CalendarEvent, organizer: Organizer, attendee: Attendee) -> bytes:
    """Returns an invitation to a meeting, or its new revision (RFC 5546, section 3.2.2)."""
    return _itip("REQUEST", event, organizer, attendee)


def write_events(events: Iterable[CalendarEvent]) -> tuple[list[str], set[str]]:
    """Returns the components of these events, and the zones and years that they need (`zone year`).

    For a calendar that is written in parts: `write_frame` returns the text before and after the events.
    """
    years: _Years = {}
    components = [_event(event, years).to_ical().decode() for event in events]
    return components, {f"{zone} {year}" for zone, named in years.items() for year in named}


def write_frame(name: str, zones: Iterable[str]) -> tuple[str, str]:
    """Returns the text before and after the events of a calendar with these zones and years."""
    calendar = _calendar([])
    calendar.add("x-wr-calname", _line(name))
    years: dict[str, list[int]] = {}
    for zone, year in (text.split() for text in zones):
        years.setdefault(zone, []).append(int(year))
    for zone in sorted(years):
        calendar.add_component(_timezone(zone, years[zone]))
    end = "END:VCALENDAR\r\n"
    return bytes(calendar.to_ical()).decode().removesuffix(end), end


def write_cancel(event: CalendarEvent, organizer: Organizer, attendee: Attendee) -> bytes:
    """Returns the cancellation of an invitation (RFC 5546, section 3.2.5)."""
    return _itip("CANCEL", event, organizer, attendee)


def _itip(method: str, event: CalendarEvent, organizer: Organizer, attendee: Attendee) -> bytes:
    calendar = _calendar([event])
    calendar.add("method", method)
    (component,) = calendar.walk("VEVENT")
    host = icalendar.vCalAddress(f"mailto:{organizer.address}")
    host.params["CN"] = _parameter(organizer.name)
    component.add("organizer", host)
    guest = icalendar.vCalAddress(f"mailto:{attendee.email}")
    guest.params["CN"] = _parameter(attendee.name)
    guest.params["PARTSTAT"] = _PARTSTAT.get(attendee.status, "NEEDS-ACTION")
    guest.params["ROLE"] = "REQ-PARTICIPANT"
    guest.params["RSVP"] = "TRUE"
    component.add("attendee", guest)
    return bytes(calendar.to_ical())


def _parameter(value: str) -> str:
    """Returns a name as the value of a parameter, which can hold neither quotes nor line breaks."""
    return _line(value).replace('"', "'")


def _line(value: str) -> str:
    """Returns a text as one line."""
    return " ".join(text(value).split())


def text(value: str) -> str:
    """Returns a text without the characters that no calendar may contain."""
    return _NOT_TEXT.sub(" ", value)


def _calendar(events: Iterable[CalendarEvent]) -> icalendar.Calendar:
    calendar = icalendar.Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", _PRODUCT)
    years: _Years = {}
    written = [_event(event, years) for event in events]
    for name in sorted(years):
        calendar.add_component(_timezone(name, years[name]))
    for component in written:
        calendar.add_component(component)
    return calendar


def _event(event: CalendarEvent, years: _Years) -> icalendar.Event:
    """Returns the component of an event, and adds the years of its local times to those of its zone."""
    component = icalendar.Event()
    if event.recurrence is None:
        _add_times(component, event, years)
    else:
        _add_recurrence(component, event, event.recurrence, years)
    component.add("uid", uid(event.id))
    component.add("dtstamp", _utc(event.stamped_at))
    component.add("last-modified", _utc(event.stamped_at))
    component.add("sequence", event.sequence)
    component.add("status", event.status)
    component.add("summary", text(event.title))
    component.add("description", text(event.description))
    if event.place:
        component.add("location", text(event.place))
    component.add("url", settings().root_url + event.path)
    return component


def _add_times(component: icalendar.Event, event: CalendarEvent, years: _Years) -> None:
    start, end = _local_times(event)
    if isinstance(zone := start.tzinfo, ZoneInfo):
        years.setdefault(zone.key, set()).update((start.year, end.year))
    component.add("dtstart", start)
    component.add("dtend", end)
    if event.replaces is not None:
        wall, name = event.replaces
        years.setdefault(name, set()).add(wall.year)
        component.add("recurrence-id", wall.replace(tzinfo=ZoneInfo(name)))


def _add_recurrence(component: icalendar.Event, event: CalendarEvent, recurrence: Recurrence, years: _Years) -> None:
    """Adds the times of an event that recurs, in its zone: a length that is no end holds across a change of clocks."""
    zone = ZoneInfo(event.timezone or "UTC")
    first = recurrence.start.year
    last = _utc(recurrence.until).year if recurrence.until else LAST_YEAR
    years.setdefault(zone.key, set()).update(range(first, min(last, first + _ZONE_YEARS, LAST_YEAR) + 1))
    until = f";UNTIL={_utc(recurrence.until):%Y%m%dT%H%M%SZ}" if recurrence.until else ""
    component.add("dtstart", recurrence.start.replace(tzinfo=zone))
    component.add("duration", to_datetime(event.end) - to_datetime(event.start))
    component.add("rrule", icalendar.vRecur.from_ical(recurrence.rule + until))
    if recurrence.excluded:
        component.add("exdate", [wall.replace(tzinfo=zone) for wall in recurrence.excluded])


def _utc(instant: Instant) -> datetime:
    return to_datetime(instant).replace(microsecond=0)


def _local_times(event: CalendarEvent) -> tuple[datetime, datetime]:
    """Returns start and end in the event's zone, or both in UTC if one of them has no name of its own there.

    The end is later than the start, as calendars demand, also of an event within one of their seconds.
    """
    start, end = _utc(event.start), _utc(max(event.end, shift(event.start, seconds=1)))
    if event.timezone is None or end.year > LAST_YEAR:
        return start, end
    try:
        zone = ZoneInfo(event.timezone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return start, end
    local_start, local_end = start.astimezone(zone), end.astimezone(zone)
    return (start, end) if _is_repeated(local_start) or _is_repeated(local_end) else (local_start, local_end)


def _is_repeated(local: datetime) -> bool:
    return local.replace(fold=0).utcoffset() != local.replace(fold=1).utcoffset()


def times_in_words(event: CalendarEvent, timezone: str | None, language: Language) -> str:
    """Returns the time of an event in words in a reader's zone, then its start in the event's own if that differs."""
    own = timezone or event.timezone
    in_zones = [_time_in_words(replace(event, timezone=own), language)]
    if event.timezone and event.timezone != own:
        in_zones.append(instant_in_words(event.start, event.timezone, language))
    return "; ".join(in_zones)


def _time_in_words(event: CalendarEvent, language: Language) -> str:
    """Returns start and end of an event in words, in the zone that the calendar shows them in."""
    start, end = _local_times(event)
    zone = start.tzinfo.key if isinstance(start.tzinfo, ZoneInfo) else "UTC"
    return time_range_in_words(start, end, zone, language)


def _timezone(name: str, years: Iterable[int]) -> icalendar.Timezone:
    zone = icalendar.Timezone()
    zone.add("tzid", name)
    for onset in onsets(ZoneInfo(name), years):
        zone.add_component(_observance(onset))
    return zone


def _observance(onset: Onset) -> icalendar.TimezoneDaylight | icalendar.TimezoneStandard:
    component = icalendar.TimezoneDaylight() if onset.is_daylight else icalendar.TimezoneStandard()
    component.add("dtstart", onset.local)
    component.add("tzoffsetfrom", onset.offset_before)
    component.add("tzoffsetto", onset.offset)
    component.add("tzname", onset.name)
    return component
