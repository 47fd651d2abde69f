"""The rules of series, judged by python-dateutil and by the table of cases that the pages are judged by too."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import rrulestr  # type: ignore[import-untyped]
from hypothesis import given, settings
from hypothesis import strategies as st

from governance.domain.series import rule as rules
from governance.errors import ApiError
from governance.instants import to_datetime
from governance.models.series.rule import parse

CASES = json.loads((Path(__file__).parent / "rule_cases.json").read_text(encoding="utf-8"))
WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
STARTS = st.dates(date(1970, 1, 1), date(2400, 12, 31))
ZONES = (
    "UTC",
    "Europe/Paris",
    "Europe/Dublin",  # its winter is a negative summer time
    "America/New_York",
    "America/St_Johns",
    "America/Sao_Paulo",
    "Africa/Casablanca",  # its clocks change twice around each Ramadan
    "Asia/Kathmandu",
    "Asia/Tehran",
    "Australia/Lord_Howe",  # its summer is half an hour
    "Pacific/Apia",  # it had no 30 December 2011
    "Pacific/Chatham",
)
WALLS = st.builds(time, st.sampled_from([0, 1, 2, 3, 9, 23]), st.sampled_from([0, 15, 30, 45]))
TEN_YEARS = timedelta(days=3653)


@st.composite
def rule_texts(draw: st.DrawFn) -> str:
    frequency = draw(st.sampled_from(["WEEKLY", "MONTHLY", "YEARLY"]))
    parts = [f"FREQ={frequency}"]
    if draw(st.booleans()):
        parts.append(f"INTERVAL={draw(st.integers(1, 12))}")
    if draw(st.booleans()):
        ordinals = st.sampled_from([1, 2, 3, 4, -1]) if frequency != "WEEKLY" and draw(st.booleans()) else st.just("")
        days = draw(st.lists(st.sampled_from(WEEKDAYS), min_size=1, max_size=4, unique=True))
        parts.append("BYDAY=" + ",".join(f"{draw(ordinals)}{day}" for day in days))
    if frequency != "WEEKLY" and draw(st.booleans()):
        days = draw(st.lists(st.sampled_from([*range(1, 29), -1]), min_size=1, max_size=4, unique=True))
        parts.append("BYMONTHDAY=" + ",".join(map(str, days)))
    if draw(st.booleans()):
        parts.append("BYMONTH=" + ",".join(map(str, draw(st.lists(st.integers(1, 12), min_size=1, unique=True)))))
    return ";".join(draw(st.permutations(parts)))


def foreign_days(text: str, start: date, since: date, until: date) -> list[date]:
    first = datetime.combine(start, time())
    foreign = rrulestr(f"{text};WKST=MO;UNTIL={until:%Y%m%d}T000000", dtstart=first)
    return [at.date() for at in foreign if at.date() >= since]


@settings(max_examples=60, deadline=None)
@given(rule_texts(), STARTS, st.integers(0, 4000), st.integers(0, 1500))
def test_a_rule_has_the_days_that_a_foreign_reader_finds(text: str, start: date, ahead: int, length: int) -> None:
    since = date.fromordinal(start.toordinal() + ahead)
    until = date.fromordinal(since.toordinal() + length)
    assert list(rules.days(parse(text), start, since, until)) == foreign_days(text, start, since, until)


def first_instant(wall: datetime, zone: ZoneInfo) -> datetime:
    """Returns the first instant at which clocks show a time; if none does, that of the offset from before the gap.

    The offsets are those of the days around, so that nothing here depends on `fold`.
    """
    at = wall.replace(tzinfo=UTC)
    offsets = [(at + timedelta(hours=hours)).astimezone(zone).utcoffset() for hours in range(-30, 31, 6)]
    known = [offset for offset in offsets if offset is not None]
    shown = {at - offset for offset in known if (at - offset).astimezone(zone).replace(tzinfo=None) == wall}
    return min(shown, default=at - known[0])


def check_instants(text: str, start: date, at: time, name: str) -> None:
    """Compares the instants of ten years of a rule with those of a foreign reader."""
    zone, end = ZoneInfo(name), start + TEN_YEARS
    foreign = [first_instant(datetime.combine(day, at), zone) for day in foreign_days(text, start, start, end)]
    walls = [datetime.combine(day, at) for day in rules.days(parse(text), start, start, end)]
    assert [to_datetime(rules.instant_of(wall, zone)) for wall in walls] == foreign
    assert foreign == sorted(set(foreign))


@settings(max_examples=60, deadline=None)
@given(rule_texts(), STARTS, WALLS, st.sampled_from(ZONES))
def test_ten_years_of_a_rule_are_the_instants_that_a_foreign_reader_finds(
    text: str, start: date, at: time, zone: str
) -> None:
    check_instants(text, start, at, zone)


@pytest.mark.parametrize("case", CASES["days"], ids=lambda case: f"{case['rule']} {case['start']}")
def test_a_rule_has_the_days_of_the_table(case: dict[str, Any]) -> None:
    rule, start = parse(case["rule"]), date.fromisoformat(case["start"])
    rules.check_start(rule, start)
    found = islice(rules.days(rule, start, date.fromisoformat(case["since"])), len(case["days"]))
    assert [day.isoformat() for day in found] == case["days"]


@pytest.mark.parametrize("text", CASES["refused"])
def test_a_rule_of_the_table_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="must"):
        parse(text)


@pytest.mark.parametrize("case", CASES["refusedStarts"], ids=lambda case: f"{case['rule']} {case['start']}")
def test_a_start_of_the_table_is_refused(case: dict[str, str]) -> None:
    with pytest.raises(ApiError) as caught:
        rules.check_start(parse(case["rule"]), date.fromisoformat(case["start"]))
    assert list((caught.value.details or {})["fields"]) == [case["field"]]


@settings(max_examples=60, deadline=None)
@given(rule_texts(), STARTS)
def test_a_start_is_accepted_exactly_if_it_is_the_first_day_of_its_rule(text: str, start: date) -> None:
    rule = parse(text)
    skips = rule.frequency == "MONTHLY" and not rule.weekdays and not rule.month_days and start.day > 28
    is_first = foreign_days(text, start, start, start) == [start]
    try:
        rules.check_start(rule, start)
    except ApiError:
        assert skips or not is_first
    else:
        assert is_first
        assert not skips


def test_a_rule_ends_with_the_calendar() -> None:
    start = date(9999, 12, 30)
    assert list(rules.days(parse("FREQ=WEEKLY;BYDAY=TH,FR,SA"), start, start)) == [start, date(9999, 12, 31)]
    assert list(rules.days(parse("FREQ=MONTHLY;BYMONTHDAY=-1"), date(9999, 12, 31), start)) == [date.max]
    assert list(rules.days(parse("FREQ=YEARLY"), start, start)) == [start]


@pytest.mark.parametrize("case", CASES["instants"], ids=lambda case: f"{case['wall']} {case['zone']}")
def test_a_wall_clock_is_an_instant_also_in_the_gaps_and_overlaps_of_a_zone(case: dict[str, Any]) -> None:
    wall, zone = datetime.fromisoformat(case["wall"]), ZoneInfo(case["zone"])
    assert rules.instant_of(wall, zone) == case["instant"]
    assert rules.is_ambiguous(wall, zone) is case["ambiguous"]


@pytest.mark.parametrize(
    "key", ["2027-03-01T9:00", "2027-03-01 09:00", "2027-02-30T09:00", "2027-03-01T09:00Z", "x", ""]
)
def test_a_key_is_a_wall_clock_in_one_spelling(key: str) -> None:
    assert rules.wall_clock(key) is None
    assert rules.wall_clock("2027-03-01T09:00") == datetime.fromisoformat("2027-03-01T09:00")
