"""The times of a meeting that a calendar moves: whole seconds, and an open end."""

from __future__ import annotations

import pytest

from governance.domain.calendars.calendar_reply import moved_times, proposal, whole_seconds
from governance.instants import Instant
from tests.domain.samples import NOW, later, meeting

FINE = Instant("2030-06-15T12:00:00.789Z")
HOUR = later(hours=1)


def test_calendars_know_whole_seconds() -> None:
    assert whole_seconds(FINE) == NOW
    assert whole_seconds(Instant("2030-06-15T12:00:59.999Z")) == Instant("2030-06-15T12:00:59.000Z")


@pytest.mark.parametrize(
    ("start", "end", "asked", "moved"),
    [
        (FINE, None, (NOW, HOUR), (FINE, None)),
        (FINE, None, (NOW, later(HOUR)), (FINE, later(HOUR))),
        (FINE, None, (later(), HOUR), (later(), HOUR)),
        (NOW, None, (later(), later(HOUR)), (later(), None)),
        (FINE, Instant("2030-06-15T13:00:00.789Z"), (NOW, HOUR), (FINE, Instant("2030-06-15T13:00:00.789Z"))),
        (FINE, Instant("2030-06-15T13:00:00.789Z"), (later(), HOUR), (later(), Instant("2030-06-15T13:00:00.789Z"))),
        (NOW, HOUR, (NOW, later(HOUR)), (NOW, later(HOUR))),
        (None, None, (NOW, HOUR), (NOW, HOUR)),
        (None, HOUR, (NOW, HOUR), (NOW, HOUR)),
    ],
)
def test_what_a_calendar_did_not_move_stays_to_the_millisecond(
    start: Instant | None, end: Instant | None, asked: tuple[Instant, Instant], moved: tuple[Instant, Instant | None]
) -> None:
    assert moved_times(meeting(start_time=start, end_time=end), *asked) == moved


def test_proposed_times_at_the_end_of_the_calendar_are_in_words_too() -> None:
    proposed = meeting(timezone="Asia/Tokyo")
    start, end = Instant("9999-12-31T14:00:00.000Z"), Instant("9999-12-31T23:00:00.000Z")
    assert "31 December 9999" in proposal(proposed, start, end, None, "en")
