"""What calendars are told of a series: one event a schedule, and what differs (tests/calendars has foreign readers)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from governance.domain.calendars.calendar import CalendarEvent
from governance.domain.series import occurrences as occurrence_rules
from governance.domain.series import series as series_rules
from governance.domain.series.in_calendars import series_events
from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.models.series.series import OccurrenceBody, SeriesCreate, StoredSeries
from tests.domain.samples import BOARD, board

NOW = Instant("2098-01-20T12:00:00.000Z")


def series(rule: str, start: str = "2098-01-07T09:00", **members: Any) -> StoredSeries:
    body = {"title": "S", "rule": rule, "start": start, "timezone": "Europe/Paris", "durationMinutes": 60, **members}
    return series_rules.created(BoardId(BOARD), SeriesCreate.model_validate(body), UserId("a" * 24), NOW)


def events(each: StoredSeries, *opened: str) -> list[CalendarEvent]:
    return list(series_events(each, board(), opened, NOW))


def test_an_event_begins_with_the_first_occurrence_that_is_planned() -> None:
    (event,) = events(series("FREQ=MONTHLY;BYDAY=1TU"))
    assert (event.start, event.timezone) == ("2098-02-04T08:00:00.000Z", "Europe/Paris")
    assert event.recurrence is not None
    assert event.recurrence.start == datetime.fromisoformat("2098-02-04T09:00")
    assert (event.recurrence.until, event.recurrence.excluded) == (None, ())


def test_what_is_over_has_no_event() -> None:
    assert events(series("FREQ=WEEKLY", endsOn="2098-01-19")) == []


def test_what_is_cancelled_or_shown_as_a_meeting_is_excluded_and_what_is_moved_replaces() -> None:
    each = series("FREQ=WEEKLY")
    _, second, third, fourth = occurrence_rules.planned(each, NOW, 4)
    each = series_rules.with_change(each, second, OccurrenceBody.model_construct(cancelled=True), NOW)
    moved = Instant("2098-03-01T10:00:00.000Z")
    each = series_rules.with_change(each, fourth, OccurrenceBody.model_construct(start_time=moved), NOW)
    master, instead = events(each, third.key)
    assert master.recurrence is not None
    assert master.recurrence.excluded == (second.wall, third.wall)
    assert (instead.id, instead.start, instead.replaces) == (master.id, moved, (fourth.wall, "Europe/Paris"))


@pytest.mark.parametrize(
    ("rule", "start", "written"),
    [
        ("FREQ=MONTHLY;BYDAY=SU;BYMONTH=3,10", "2098-03-02T09:00", "FREQ=YEARLY;BYMONTH=3,10;BYDAY=SU"),
        ("FREQ=MONTHLY;INTERVAL=3;BYMONTH=1,2,4", "2098-01-22T09:00", "FREQ=YEARLY;BYMONTH=1,4"),
        ("FREQ=MONTHLY;INTERVAL=5;BYMONTH=1", "2098-01-22T09:00", "FREQ=MONTHLY;INTERVAL=5;BYMONTH=1"),
        ("FREQ=YEARLY;BYMONTHDAY=22", "2098-01-22T09:00", "FREQ=MONTHLY;BYMONTHDAY=22"),
        ("FREQ=WEEKLY;BYDAY=WE", "2098-01-22T09:00", "FREQ=WEEKLY;BYDAY=WE"),
    ],
)
def test_a_rule_is_in_words_that_more_readers_take_as_they_are_meant(rule: str, start: str, written: str) -> None:
    event = events(series(rule, start))[0]
    assert event.recurrence is not None
    assert event.recurrence.rule == written
