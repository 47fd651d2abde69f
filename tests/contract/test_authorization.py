"""Every route by every principal, held to the table in `authorization.txt`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.cast import COLUMNS, new_cast
from tests.harness.outbox import Outbox, outbox
from tests.harness.routes import ROUTE_NAMES

__all__ = ["outbox"]

_LINES = (Path(__file__).parent / "authorization.txt").read_text().splitlines()
TABLE = {
    " ".join(words[:2]): dict(zip(COLUMNS, map(int, words[2:]), strict=True))
    for words in (line.split() for line in _LINES if not line.startswith("#"))
}


def test_every_route_is_in_the_table_and_nothing_else() -> None:
    assert sorted(TABLE) == ROUTE_NAMES


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("route", sorted(TABLE))
def test_a_route_admits_whom_the_table_says(route: str, outbox: Outbox) -> None:
    del outbox
    cast, expected, found = new_cast(), TABLE[route], {}
    refused = [column for column in COLUMNS if expected[column] >= 400]
    shared = cast.request(route, "owner") if refused else None
    for column in refused:
        assert shared is not None
        found[column] = shared.by(cast.clients[column]).status
    for column in COLUMNS:
        if column not in found:
            found[column] = cast.request(route, column).by(cast.clients[column]).status
    assert found == expected
