"""The modules of the pages at other times and places than those of the machine that tests them."""

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.pages.app import node_tests

YEARS = (2026, 2027)  # those of the dates in the tests: a test that also looks at the clock fails on such a day
ZONES = ["America/St_Johns", "Europe/Paris", "Pacific/Kiritimati"]


def instants() -> list[str]:
    """Returns the instants in CLOCKS, and one on each day of the two years, at another hour each time."""
    first, end = datetime(YEARS[0], 1, 1, tzinfo=UTC), datetime(YEARS[-1] + 1, 1, 1, tzinfo=UTC)
    days = [first + timedelta(days=day, hours=day * 7 % 24) for day in range((end - first).days)]
    return [*os.environ.get("CLOCKS", "").split(), *(day.isoformat() for day in days)]


@pytest.mark.slow
@pytest.mark.parametrize("zone", ZONES)
def test_the_modules_pass_their_tests_on_each_day_in_each_zone(tmp_path: Path, zone: str) -> None:
    days = (node_tests.MODULES / "days.mjs").as_uri()
    node_tests.run(tmp_path, "--import", days, TZ=zone, PAGES_INSTANTS=json.dumps(instants()))
