"""The onsets of time zones: each at its second, with the offsets on both sides."""

from __future__ import annotations

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from governance.domain.calendars.timezones import LAST_YEAR, onsets

HOUR = timedelta(hours=1)


def test_a_year_has_its_changes_to_the_second_and_what_holds_before_them() -> None:
    shown = [
        (onset.local.isoformat(), onset.offset_before, onset.offset, onset.name, onset.is_daylight)
        for onset in onsets(ZoneInfo("Europe/Paris"), [2027])
    ]
    assert shown == [
        ("2026-12-30T01:00:00", HOUR, HOUR, "CET", False),
        ("2027-03-28T02:00:00", HOUR, 2 * HOUR, "CEST", True),
        ("2027-10-31T03:00:00", 2 * HOUR, HOUR, "CET", False),
    ]


def test_consecutive_years_are_one_run_and_others_begin_anew() -> None:
    years = {onset.local.year for onset in onsets(ZoneInfo("Europe/Paris"), [2030, 2027, 2028, 2027])}
    assert years == {2026, 2027, 2028, 2029, 2030}
    together = onsets(ZoneInfo("Europe/Paris"), [2027, 2028])
    assert len(together) == 1 + 4
    apart = onsets(ZoneInfo("Europe/Paris"), [2027, 2029])
    assert len(apart) == 2 * (1 + 2)
    assert [onset.local.year for onset in apart] == [2026, 2027, 2027, 2028, 2029, 2029]


def test_a_zone_without_changes_has_one_onset() -> None:
    (only,) = onsets(ZoneInfo("Asia/Kathmandu"), [2027, 2028])
    assert (only.offset, only.offset_before) == (timedelta(hours=5, minutes=45), timedelta(hours=5, minutes=45))
    assert only.name == "+0545"
    assert onsets(ZoneInfo("UTC"), []) == []


@pytest.mark.parametrize(("name", "change"), [("Pacific/Apia", 2011), ("Pacific/Kiritimati", 1994)])
def test_a_change_at_the_turn_of_a_year_belongs_to_both_years(name: str, change: int) -> None:
    """Their day of the change began more than half a day from midnight in UTC."""
    for years in ([change], [change + 1]):
        changes = onsets(ZoneInfo(name), years)
        assert any(onset.offset - onset.offset_before == timedelta(days=1) for onset in changes)


def test_the_last_year_has_onsets_before_its_end() -> None:
    assert onsets(ZoneInfo("Europe/Paris"), [LAST_YEAR])[-1].local.year == LAST_YEAR
