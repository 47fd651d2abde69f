"""The month's bill is computed from counts that hold, at prices that name their date and sources."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from infra.stack.template import ROOT
from infra.tools.scale import bill
from infra.tools.scale.prices import to_readers
from infra.tools.scale.writes import units
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
    assert len(keys) == bill.PING.reads
    assert 1 + len(told) == bill.PING.messages


def test_an_absence_takes_what_the_bill_says(scenario: BoardScenario, clock: Clock) -> None:
    clock.stop()
    with live.running() as channel:
        before = channel.open(scenario.owner.client)
        before.join(scenario.board_id)
        clock.move(7200)
        with requests_to("dynamodb.*") as requests:
            channel.end(before)
            told = channel.open(scenario.owner.client).join(scenario.board_id)
    assert sum(map(_reads, requests)) == bill.RETURN.reads
    assert sum(map(_writes, requests)) == bill.RETURN.writes
    assert 1 + len(told) == bill.RETURN.messages


def _reads(request: dict[str, Any]) -> int:
    """Returns the read units of a request: items are small, and a query that finds nothing takes one."""
    asked = sum(len(table["Keys"]) for table in request.get("RequestItems", {}).values())
    return asked + ("KeyConditionExpression" in request)


def _writes(request: dict[str, Any]) -> int:
    """Returns the write units of a request: twice those of each item of a transaction, and one of an update."""
    written = [(kind, write) for each in request.get("TransactItems", ()) for kind, write in each.items()]
    return 2 * sum(units({}, write["Item"]) if kind == "Put" else 1 for kind, write in written) + (
        "UpdateExpression" in request
    )


def test_an_open_idle_page_costs_two_hundred_thousandths_of_a_dollar_an_hour_at_most() -> None:
    assert bill.page_hour() <= 0.000020


def test_the_pages_ping_as_often_as_the_bill_says() -> None:
    script = (ROOT / "infra/pages/app/web/lib/live-connection.js").read_text(encoding="utf-8")
    quiet = re.search(r"QUIET_MS = ([\d_]+);", script)
    assert quiet is not None
    assert int(quiet[1]) == bill.PING_MINUTES * 60_000


def test_idle_pages_of_ten_thousand_boards_cost_half_of_what_four_minutes_and_writes_did() -> None:
    (pages,) = [line for line in bill.lines() if line.what == "idle open pages"]
    assert pages.dollars(10_000) <= 2_160 / 2


def test_every_price_says_where_it_is_from_and_when_it_was_read_there() -> None:
    prices = json.loads((ROOT / "infra/tools/scale/prices.json").read_text(encoding="utf-8"))
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", prices["date"])
    assert prices["region"] == "us-east-1"
    assert prices["note"]
    assert prices["sources"].keys() == prices["dollars"].keys() | {"GB to readers"}
    for source in prices["sources"].values():
        assert source["page"].startswith("https://")
        assert re.search(r"https://.+ \((\d{4}.*|no date)\)$", source["read"])


@pytest.mark.parametrize(
    ("gigabytes", "dollars"), [(0, 0), (400, 34), (40_000, 850 + 2_400), (400_000, 850 + 3_200 + 6_000 + 10_000)]
)
def test_files_to_readers_cost_what_each_tier_of_a_month_says(gigabytes: int, dollars: int) -> None:
    assert to_readers(gigabytes) == pytest.approx(dollars)


def test_the_bill_has_a_column_for_each_size() -> None:
    head, _, *rows = bill.table().splitlines()
    assert [f"{size:,} boards" in head for size in bill.SIZES] == [True, True, True]
    assert {row.count("|") for row in rows if row.startswith("|")} == {len(bill.SIZES) + 2}


def test_the_bill_names_what_it_assumes() -> None:
    assert f"for {bill.SHOWN_HOURS}, at" in bill.table()
    assert f"away {bill.ABSENCES} times" in bill.table()
