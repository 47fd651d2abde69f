"""Instants: which formats are accepted, and the one that is returned."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance import instants

ACCEPTED = {
    "2027-03-01T09:00:00Z": "2027-03-01T09:00:00.000Z",
    "2027-03-01T09:00:00.5Z": "2027-03-01T09:00:00.500Z",
    "2027-03-01T09:00:00.123456789Z": "2027-03-01T09:00:00.123Z",
    "2027-03-01T09:00:00+02:00": "2027-03-01T07:00:00.000Z",
    "2027-03-01T09:00:00-00:00": "2027-03-01T09:00:00.000Z",
    "2027-03-01T09:00:00+18:00": "2027-02-28T15:00:00.000Z",
    "1970-01-01T00:00:00Z": "1970-01-01T00:00:00.000Z",
    "1969-12-31T23:00:00-01:00": "1970-01-01T00:00:00.000Z",
    "9999-12-31T23:59:59.999Z": "9999-12-31T23:59:59.999Z",
    "2028-02-29T00:00:00Z": "2028-02-29T00:00:00.000Z",
}
REFUSED = (
    "",
    "2027-03-01",
    "2027-03-01T09:00:00",
    "2027-03-01T09:00",
    "2027-03-01 09:00:00Z",
    "2027-03-01t09:00:00Z",
    "2027-03-01T09:00:00z",
    "2027-W09-1T09:00:00Z",
    "20270301T090000Z",
    "2027-03-01T09:00:60Z",
    "2027-03-01T24:00:00Z",
    "2027-02-29T00:00:00Z",
    "2027-13-01T00:00:00Z",
    "2027-03-01T09:00:00.Z",
    "2027-03-01T09:00:00,5Z",
    "2027-03-01T09:00:00.1234567890Z",
    "2027-03-01T09:00:00+0200",
    "2027-03-01T09:00:00+02",
    "2027-03-01T09:00:00+18:01",
    "2027-03-01T09:00:00-23:59",
    "2027-03-01T09:00:00+01:60",
    "1969-12-31T23:59:59Z",
    "1970-01-01T00:00:00+01:00",
    "0001-01-01T00:00:00+01:00",
    "9999-12-31T23:59:59-01:00",
    "+2027-03-01T09:00:00Z",
    " 2027-03-01T09:00:00Z",
    "2027-03-01T09:00:00Z\n",
    "\uff12\uff10\uff12\uff17-03-01T09:00:00Z",
)


@pytest.mark.parametrize("text", ACCEPTED)
def test_an_instant_is_returned_in_one_format(text: str) -> None:
    assert instants.parse(text) == ACCEPTED[text]


@pytest.mark.parametrize("text", REFUSED)
def test_another_format_is_refused_with_our_message(text: str) -> None:
    with pytest.raises(ValueError, match=r"^must "):
        instants.parse(text)


def test_a_missing_offset_is_named_in_the_message() -> None:
    with pytest.raises(ValueError, match="must have an offset"):
        instants.parse("2027-03-01T09:00:00")


MOMENTS = st.datetimes(datetime(1970, 1, 2), datetime(9999, 12, 30)).map(lambda moment: moment.replace(tzinfo=UTC))  # noqa: DTZ001
OFFSETS = st.integers(-18 * 60, 18 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@given(MOMENTS, OFFSETS)
def test_offsets_are_normalized_and_text_order_is_time_order(moment: datetime, zone: timezone) -> None:
    canonical = instants.parse(moment.astimezone(zone).isoformat())
    assert canonical == instants.format_instant(moment)
    assert instants.to_datetime(canonical) <= moment < instants.to_datetime(canonical) + timedelta(milliseconds=1)
    assert (instants.format_instant(moment - timedelta(days=1)) < canonical) is True


@given(MOMENTS)
def test_milliseconds_and_seconds_are_exact(moment: datetime) -> None:
    elapsed = moment - datetime(1970, 1, 1, tzinfo=UTC)
    assert instants.millis(instants.format_instant(moment)) == elapsed // timedelta(milliseconds=1)
    assert instants.epoch(instants.format_instant(moment)) == elapsed // timedelta(seconds=1)


def test_days_are_those_from_one_instant_to_another_both_included() -> None:
    first, last = instants.parse("2096-02-28T23:59:59Z"), instants.parse("2096-03-01T00:00:00Z")
    assert instants.days(first, last) == ["2096-02-28", "2096-02-29", "2096-03-01"]
    assert instants.days(last, first) == []
