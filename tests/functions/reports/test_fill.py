"""A dashboard is filled from a spreadsheet: wholly or not at all, as by a change of its figures."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client
from tests.harness.history import event_items
from tests.harness.store_calls import InlinePool, count_store_calls
from tests.harness.table_snapshot import TableSnapshot

REVENUE, COST, PROFIT = "finance.revenue", "finance.cost-of-revenue", "finance.gross-profit"
TEXT = f"rogueId,value,date\n{REVENUE},820000.00,2026-09-30\n{COST},213200,2026-09-30\n"


@pytest.fixture
def dashboard(scenario: BoardScenario, report: str) -> str:
    """The path of a dashboard that states the revenue."""
    field = {"fieldId": "r", "rogueId": REVENUE, "isStub": True, "label": "Sales", "displayOrder": 4}
    return create(scenario.owner.client, report, fields=[field], narrative="N")


def create(caller: Client, report: str, **uniform: Any) -> str:
    made = caller.post(f"{report}/dashboards", {"dashboardType": "uniform", "title": "Money", "uniform": uniform})
    assert made.status == 201, made.text
    return f"{report}/dashboards/{made.data['id']}"


def fill(caller: Client, dashboard: str, text: str = TEXT) -> Any:
    return caller.put(f"{dashboard}/figures", {"csv": text})


def test_a_sheet_changes_the_figures_and_the_day_and_nothing_else(scenario: BoardScenario, dashboard: str) -> None:
    owner = scenario.owner.client
    before = owner.get(dashboard).data
    answer = fill(owner, dashboard)
    assert (answer.status, answer.data) == (200, owner.get(dashboard).data)
    assert '"value":820000.00' in answer.text
    revenue, cost = answer.data["uniform"]["fields"]
    assert (revenue["label"], revenue["isStub"], cost["label"], cost["value"]) == (
        "Sales",
        False,
        "Cost of revenue",
        213200,
    )
    fields = {"dataAnchorDate": "2026-09-30", "fields": [revenue, cost]}
    assert answer.data == {**before, "uniform": {**before["uniform"], **fields}, "updatedAt": answer.data["updatedAt"]}
    assert fill(owner, dashboard).data == answer.data


def test_a_text_with_one_mistake_changes_nothing(scenario: BoardScenario, dashboard: str) -> None:
    owner = scenario.owner.client
    before = owner.get(dashboard)
    events = len(event_items(scenario.board_id))
    refused = fill(owner, dashboard, f"{TEXT}finance.nothing,1,2026-09-30\n{PROFIT},much,2026-09-29\n")
    assert refused.failure == (400, "INVALID_REQUEST_BODY")
    assert refused.fields.keys() == {"csv.4.rogueId", "csv.5.value", "csv.5.date"}
    assert "finance.nothing" in refused.fields["csv.4.rogueId"]
    assert owner.get(dashboard).headers["etag"] == before.headers["etag"]
    assert len(event_items(scenario.board_id)) == events


def test_the_figures_are_checked_in_the_same_transaction_and_the_change_is_an_event(
    scenario: BoardScenario, dashboard: str, pool: InlinePool
) -> None:
    owner = scenario.owner.client
    with count_store_calls(pool) as calls:
        assert fill(owner, dashboard, f"{TEXT}{PROFIT},700000,2026-09-30\n").status == 200
    assert calls.sequential == ["BatchGetItem", "TransactWriteItems"]
    (flag,) = owner.get(f"{dashboard}/flags").data
    assert (flag["rogueId"], flag["status"]) == (PROFIT, "open")
    assert sorted(event["type"] for event in event_items(scenario.board_id)[-2:]) == [
        "dashboard.figures_changed",
        "validation_flag.raised",
    ]


def test_a_dry_run_shows_the_dashboard_as_it_would_be_and_changes_nothing(
    scenario: BoardScenario, dashboard: str
) -> None:
    owner = scenario.owner.client
    before, table = owner.get(dashboard), TableSnapshot()
    shown = owner.put(f"{dashboard}/figures", {"csv": TEXT, "dryRun": True})
    assert shown.status == 200
    assert [field["value"] for field in shown.data["uniform"]["fields"]] == [820000.00, 213200]
    assert table.changes() == {}
    assert owner.get(dashboard).data == before.data
    filled = fill(owner, dashboard).data
    assert {**shown.data, "updatedAt": ""} == {**filled, "updatedAt": ""}
    assert owner.put(f"{dashboard}/figures", {"csv": f"{TEXT}x", "dryRun": True}).status == 400
