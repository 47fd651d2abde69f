"""The month's bill is computed from counts that hold, at prices that name their date and sources."""

from __future__ import annotations

import json
import re

import pytest

from infra.stack.template import ROOT
from infra.tools.scale import bill
from tests.harness import live
from tests.harness.board_scenario import BoardScenario
from tests.harness.clock import Clock
from tests.harness.store_calls import requests_to


def test_a_ping_reads_and_sends_what_the_bill_says_and_writes_nothing(scenario: BoardScenario, clock: Clock) -> None:
    clock.stop()
    with live.running() as channel:
        tab = channel.open(scenario.owner.client)
        clock.move(bill.PING_MINUTES * 60)
        with requests_to("dynamodb.*") as requests:
            told = tab.say({"action": "ping"})
    keys = [key for request in requests for table in request["RequestItems"].values() for key in table["Keys"]]
    assert len(keys) == bill.PING_READS
    assert 1 + len(told) == bill.PING_MESSAGES


def test_the_pages_ping_as_often_as_the_bill_says() -> None:
    script = (ROOT / "infra/pages/app/web/lib/live-connection.js").read_text(encoding="utf-8")
    quiet = re.search(r"QUIET_MS = ([\d_]+);", script)
    assert quiet is not None
    assert int(quiet[1]) == bill.PING_MINUTES * 60_000


def test_idle_pages_of_ten_thousand_boards_cost_half_of_what_four_minutes_and_writes_did() -> None:
    (pages,) = [line for line in bill.lines() if line.what == "idle open pages"]
    assert pages.of_board * 10_000 <= 2_160 / 2


@pytest.mark.parametrize("member", ["region", "date", "sources"])
def test_the_prices_say_where_they_are_from(member: str) -> None:
    assert json.loads((ROOT / "infra/tools/scale/prices.json").read_text(encoding="utf-8"))[member]


def test_the_bill_has_a_column_for_each_size() -> None:
    head, _, *rows = bill.table().splitlines()
    assert [f"{size:,} boards" in head for size in bill.SIZES] == [True, True, True]
    assert {row.count("|") for row in rows} == {len(bill.SIZES) + 2}
