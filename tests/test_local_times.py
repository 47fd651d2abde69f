"""Instants in the clocks of zones, also at the end of the calendar."""

from __future__ import annotations

import pytest

from governance.domain.notifications.wording import instant_in_words
from governance.instants import Instant
from governance.local_times import in_zone


@pytest.mark.parametrize(
    ("instant", "zone", "local"),
    [
        ("2027-03-01T09:00:00.000Z", "Asia/Tokyo", "2027-03-01T18:00:00+09:00"),
        ("9999-12-31T14:59:00.000Z", "Asia/Tokyo", "9999-12-31T23:59:00+09:00"),
        ("9999-12-31T15:00:00.000Z", "Asia/Tokyo", "9999-12-31T15:00:00+00:00"),
    ],
)
def test_an_instant_is_in_its_zone_or_in_utc_where_the_zone_has_no_year_for_it(
    instant: str, zone: str, local: str
) -> None:
    assert in_zone(Instant(instant), zone).isoformat() == local


def test_a_mail_names_the_last_day_of_the_calendar() -> None:
    assert "31 December 9999" in instant_in_words(Instant("9999-12-31T20:00:00.000Z"), "Asia/Tokyo", "en")
