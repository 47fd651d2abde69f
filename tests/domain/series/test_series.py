"""What a series keeps of its occurrences, and what it shows of them after many changes."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

import pytest

from governance.agenda_limits import SERIES_CHANGES
from governance.domain.series import occurrences as occurrence_rules
from governance.domain.series import series as rules
from governance.errors import ApiError
from governance.ids import BoardId, UserId
from governance.instants import Instant, shift
from governance.models.series.series import OccurrenceBody, SeriesCreate, SeriesPatch, StoredSeries

NOW = Instant("2098-01-01T00:00:00.000Z")
BOARD, ANN = BoardId("b" * 24), UserId("a" * 24)
ZONES = ("Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Auckland", "UTC")


def a_series(**members: object) -> StoredSeries:
    body = {"title": "T", "rule": "FREQ=WEEKLY", "start": "2098-01-01T02:30", "timezone": "UTC", "durationMinutes": 60}
    return rules.created(BOARD, SeriesCreate.model_validate({**body, **members}), ANN, NOW)


def opened(series: StoredSeries, key: str, now: Instant = NOW) -> StoredSeries:
    return rules.opened(series, rules.requested(series, key, now), now)[0]


def test_the_clock_opens_the_nearest_occurrence_that_is_planned_so_many_days_before() -> None:
    series = a_series(opensDaysBefore=3)
    assert series.opens_at == "2097-12-29T02:30:00.000Z"
    series = opened(series, "2098-01-01T02:30")
    assert series.opens_at == "2098-01-05T02:30:00.000Z"
    moved = OccurrenceBody.model_construct(start_time=Instant("2098-01-20T00:00:00.000Z"), cancelled=None)
    series = rules.with_change(series, rules.requested(series, "2098-01-08T02:30", NOW), moved, NOW)
    assert series.opens_at == "2098-01-12T02:30:00.000Z"
    assert rules.skipped(series, rules.requested(series, "2098-01-15T02:30", NOW), NOW).opens_at == (
        "2098-01-17T00:00:00.000Z"
    )


def test_a_series_that_has_ended_opens_nothing() -> None:
    assert opened(a_series(count=1), "2098-01-01T02:30").opens_at is None


def test_at_most_so_many_occurrences_to_come_are_changed() -> None:
    series, cancelled = a_series(), OccurrenceBody.model_construct(start_time=None, cancelled=True)
    found = [*occurrence_rules.slots(series, date(2098, 1, 1), date(2110, 1, 1))]
    for each in found[:SERIES_CHANGES]:
        series = rules.with_change(series, each, cancelled, NOW)
    with pytest.raises(ApiError):
        rules.with_change(series, found[SERIES_CHANGES], cancelled, NOW)
    assert rules.with_change(series, found[0], cancelled, NOW) is series


def test_what_was_changed_is_forgotten_once_it_is_long_past() -> None:
    series = opened(a_series(), "2098-01-01T02:30")
    later = shift(NOW, days=90)
    assert series.changes.keys() == {"2098-01-01T02:30"}
    assert opened(series, "2098-04-09T02:30", later).changes.keys() == {"2098-04-09T02:30"}


@pytest.mark.parametrize("seed", range(30))
def test_after_any_changes_no_two_occurrences_have_a_key_and_nothing_is_past_or_before_what_was_opened(
    seed: int,
) -> None:
    random = Random(seed)  # noqa: S311 - no secret
    now, series = NOW, a_series(timezone=random.choice(ZONES), count=40)
    for _ in range(30):
        now = shift(now, days=random.randrange(10))
        planned = occurrence_rules.planned(series, now, 6)
        series = _changed(series, random, planned, now)
        shown = [each.key for each in rules.to_resource(series, [], now).next]
        days = occurrence_rules.in_days(series, now, date(2098, 1, 1), date(2098, 12, 31))
        assert len(set(shown)) == len(shown)
        assert all(each.start_time > now for each in days)
        taken = {key for key, change in series.changes.items() if change.status == "opened"}
        assert taken.isdisjoint(shown)
        assert len({each.key for each in days}) == len(days)


def _changed(series: StoredSeries, random: Random, planned: list[occurrence_rules.Slot], now: Instant) -> StoredSeries:
    if random.random() < 0.3:
        day = date(2098, 1, 1) + timedelta(days=random.randrange(200))
        body = {"start": f"{day}T{random.randrange(24):02}:30", "timezone": random.choice(ZONES)}
        return rules.patched(series, SeriesPatch.model_validate(body), now)
    if not planned:
        return series
    each, start = random.choice(planned), shift(now, days=random.randrange(1, 60))
    match random.randrange(4):
        case 0:
            return opened(series, each.key, now)
        case 1:
            return rules.without_change(series, each, now)
        case 2:
            moved = OccurrenceBody.model_construct(start_time=start, cancelled=None)
            return rules.with_change(series, each, moved, now)
        case _:
            cancelled = OccurrenceBody.model_construct(start_time=None, cancelled=True)
            return rules.with_change(series, each, cancelled, now)
