"""A meeting is in the month of its start in its own zone."""

from __future__ import annotations

import pytest

from governance.domain.planning.months import local_start
from tests.domain import samples


@pytest.mark.parametrize(
    ("start", "zone", "month"),
    [
        ("2098-03-31T22:30:00.000Z", None, 3),
        ("2098-03-31T22:30:00.000Z", "Europe/Paris", 4),
        ("2098-04-01T03:00:00.000Z", "America/New_York", 3),
    ],
)
def test_the_month_is_that_of_the_meetings_zone_in_utc_without_one(start: str, zone: str | None, month: int) -> None:
    local = local_start(samples.meeting(start_time=start, timezone=zone))
    assert local is not None
    assert local.month == month


def test_a_meeting_without_a_start_is_in_no_month() -> None:
    assert local_start(samples.meeting(start_time=None)) is None
