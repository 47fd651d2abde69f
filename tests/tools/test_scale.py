"""Every row of `make scale` stays flat: a request costs the same with more beside what it shows or changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from infra.tools.scale import bill, changes, lists, main
from infra.tools.scale.meter import Cost, metered
from infra.tools.scale.rows import ROWS, Row
from infra.tools.scale.world import Send, World
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client, session

FEW, MANY = 12, 60
SLACK = 250
"""Bytes by which ids, instants and cursors may differ."""
MORE_CALLS = 2
"""Where the answer lists every entry, which may take another batch."""


def sign_in(email: str) -> Send:
    client = Client(session(email, given_name=None, family_name=None))

    def send(method: str, target: str, body: Any) -> str:
        url = urlsplit(target)
        response = client.call(method, url.path, body, query=url.query)
        assert response.status in {200, 201}, response.text
        return response.text

    return send


def cost(row: Row, world: World, size: int) -> Cost:
    request = row.prepare(world, size)
    request()
    with metered() as measured:
        request()
    return measured


@pytest.fixture
def _few_of_a_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps what every size of a row has in common small."""
    monkeypatch.setattr(lists, "_NOTIFIED", 4)
    monkeypatch.setattr(lists, "_MOST_LINKS", 5)
    monkeypatch.setattr(changes, "_LINKS", 3)
    monkeypatch.setattr(changes, "_LARGE_BYTES", 300)


@pytest.mark.usefixtures("store", "_few_of_a_kind")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_request_costs_the_same_whatever_there_is_beside_it(row: Row) -> None:
    world = World(sign_in, threads=1)
    few, many = cost(row, world, FEW), cost(row, world, MANY)
    more_calls = (MORE_CALLS if row.entry_bytes else 0) + row.entry_calls * (MANY - FEW)
    assert many.calls <= few.calls + more_calls
    assert many.bytes_read <= few.bytes_read + row.entry_bytes * (MANY - FEW) + SLACK
    assert many.bytes_written <= few.bytes_written + row.entry_written * (MANY - FEW) + SLACK
    assert few.calls > 0


def test_the_drafts_of_others_cost_nothing_to_list(scenario: BoardScenario) -> None:
    path, ben = f"{scenario.path}/meetings", scenario.member("ben").client
    read = []
    for number in (0, MANY // 4):
        for title in range(number):
            assert ben.post(path, {"title": str(title)}).status == 201
        with metered() as measured:
            assert scenario.owner.client.get(path, limit=3).data == []
        read.append(measured.bytes_read)
    assert read[1] <= read[0]


def test_the_bill_is_written_down_with_the_measurements_and_follows_its_counts_and_prices() -> None:
    assert main.report("", 0.0).endswith(bill.table())
    assert Path(main.__file__).with_name("scale.md").read_text(encoding="utf-8").endswith(bill.table())
