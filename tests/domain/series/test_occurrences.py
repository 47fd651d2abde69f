"""Which occurrences a series has: on which days, moved or not, and which one is opened next."""

from __future__ import annotations

from datetime import date

import pytest

from governance.agenda_limits import SERIES_LAST_YEAR
from governance.domain.series import occurrences
from governance.domain.series import series as series_rules
from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.models.series.series import OccurrenceBody, SeriesCreate, SeriesPatch, StoredSeries

NOW = Instant("2098-01-01T00:00:00.000Z")
FIRST, SECOND, THIRD = (f"2098-01-{day}T09:00" for day in ("07", "14", "21"))


def a_series(**members: object) -> StoredSeries:
    body = {"title": "T", "rule": "FREQ=WEEKLY", "start": FIRST, "timezone": "Europe/Paris", "durationMinutes": 60}
    return series_rules.created(
        BoardId("b" * 24), SeriesCreate.model_validate({**body, **members}), UserId("a" * 24), NOW
    )


def changed(series: StoredSeries, key: str, to: str | None) -> StoredSeries:
    """Moves an occurrence to an instant, or cancels it."""
    start = Instant(to) if to else None
    body = OccurrenceBody.model_construct(start_time=start, cancelled=None if to else True)
    return series_rules.with_change(series, series_rules.requested(series, key, NOW), body, NOW)


def keys(series: StoredSeries, first: date, end: date) -> list[str]:
    return sorted(each.key for each in occurrences.in_days(series, NOW, first, end))


def test_a_list_has_the_occurrences_that_start_on_its_days_the_end_excluded() -> None:
    assert keys(a_series(), date(2098, 1, 7), date(2098, 1, 21)) == [FIRST, SECOND]


def test_a_moved_occurrence_is_listed_where_it_is_and_not_where_the_rule_has_it() -> None:
    moved = changed(a_series(), SECOND, "2098-03-01T10:00:00.000Z")
    assert keys(moved, date(2098, 1, 14), date(2098, 1, 15)) == []
    assert keys(moved, date(2098, 3, 1), date(2098, 3, 2)) == [SECOND]


def test_what_is_planned_is_in_the_order_of_its_starts() -> None:
    moved = changed(changed(a_series(), FIRST, "2098-01-16T10:00:00.000Z"), THIRD, None)
    assert [found.key for found in occurrences.planned(moved, NOW, 3)] == [SECOND, FIRST, "2098-01-28T09:00"]


def test_an_opened_occurrence_is_neither_planned_nor_listed() -> None:
    opened, _, _ = series_rules.opened(a_series(), series_rules.requested(a_series(), FIRST, NOW), NOW)
    assert occurrences.planned(opened, NOW, 1)[0].key == SECOND
    assert keys(opened, date(2098, 1, 1), date(2098, 1, 20)) == [SECOND]


def test_the_occurrence_that_is_opened_next_is_neither_cancelled_nor_skipped() -> None:
    series = changed(a_series(opensDaysBefore=2), FIRST, None)
    found = occurrences.next_opening(series, NOW)
    assert found is not None
    assert (found[0].key, found[1]) == (SECOND, "2098-01-12T08:00:00.000Z")
    again = occurrences.next_opening(series_rules.skipped(series, found[0], NOW), NOW)
    assert again is not None
    assert again[0].key == THIRD


def test_each_day_belongs_to_the_rule_that_held_on_it() -> None:
    opened, _, _ = series_rules.opened(a_series(), series_rules.requested(a_series(), FIRST, NOW), NOW)
    body = SeriesPatch.model_validate({"start": "2098-01-08T10:00"})
    later = series_rules.patched(opened, body, NOW)
    found = [slot.key for slot in occurrences.slots(later, date(2098, 1, 1), date(2098, 1, 16))]
    assert found == [FIRST, "2098-01-08T10:00", "2098-01-15T10:00"]
    assert occurrences.slot(later, SECOND) is None


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Niue", "UTC"])
def test_a_series_ends_with_the_last_year_that_every_zone_has(zone: str) -> None:
    series = a_series(timezone=zone)
    last = [*occurrences.slots(series, date(SERIES_LAST_YEAR, 12, 20), date.max)]
    assert last[-1].wall.year == SERIES_LAST_YEAR
    assert keys(series, date(9999, 12, 30), date(9999, 12, 31)) == []
    assert keys(series, date.min, date(1, 1, 2)) == []
