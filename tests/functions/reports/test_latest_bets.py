"""The newest figure of a bet's KPI: of published and finalized reports, at a cost that does not grow with them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from governance.deliveries.reports import figures as delivery
from governance.limits import TRANSACTION_WRITES
from governance.models.catalog.catalog import kpis
from governance.store.reports import newest_figures
from governance.store.schema.entities import FIGURE
from tests.harness import queue
from tests.harness.board_scenario import BoardScenario
from tests.harness.store_calls import StoreCalls
from tests.harness.stream import event_records, send_to_queue
from tests.harness.table_snapshot import TableSnapshot

ARR, CHURN = "revenue.arr", "customers.customer-churn-rate"


class Figures:
    """A board with reports that state figures, and a bet on one of them."""

    def __init__(self, scenario: BoardScenario) -> None:
        self.board = scenario
        self.owner = scenario.owner.client
        self.delivered: set[str] = set()

    def deliver(self, *, again: bool = False) -> None:
        """Delivers the events that were not delivered before, or all of them again."""
        records = {str(record["dynamodb"]["Keys"]): record for record in event_records(self.board.board_id)}
        assert send_to_queue([record for key, record in records.items() if again or key not in self.delivered]) == []
        self.delivered |= records.keys()
        queue.current.deliver()

    def report(self, status: str = "published") -> str:
        path = f"{self.board.path}/reports"
        path = f"{path}/{self.owner.post(path, {'title': 'R'}).data['id']}"
        for reached in ("published", "finalized"):
            if status != "draft" and self.owner.get(path).data["status"] != status:
                assert self.owner.patch(path, {"status": reached}).status == 200
        return path

    def dashboard(self, report: str, value: Any, date: str | None = "2030-01-31", **field: Any) -> str:
        body = {"dataAnchorDate": date, "fields": [figure(value, **field)]}
        created = self.owner.post(f"{report}/dashboards", {"dashboardType": "uniform", "uniform": body})
        assert created.status == 201, created.text
        return f"{report}/dashboards/{created.data['id']}"

    def bet(self, kpi: str | None = ARR) -> str:
        created = self.owner.post(f"{self.board.path}/bets", {"title": "B", "dueOn": "2031-01-31", "rogueId": kpi})
        assert created.status == 201, created.text
        return f"{self.board.path}/bets/{created.data['id']}"

    def latest(self, bet: str) -> Any:
        self.deliver()
        return self.owner.get(bet).data["latest"]

    def value(self, bet: str) -> Any:
        latest = self.latest(bet)
        return latest and latest["value"]


def figure(value: Any, *, kpi: str = ARR, stub: bool = False, order: float = 1, name: str = "f") -> dict[str, Any]:
    return {"fieldId": name, "rogueId": kpi, "isStub": stub, "label": "F", "displayOrder": order, "value": value}


@pytest.fixture(params=["one by one", "by the row of all"])
def figures(scenario: BoardScenario, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Figures:
    if request.param == "by the row of all":
        monkeypatch.setattr(newest_figures, "_FEW", 0)
        monkeypatch.setattr(delivery, "_TOGETHER_SECONDS", 0)
    return Figures(scenario)


def test_the_latest_figure_names_where_it_is_stated(figures: Figures) -> None:
    dashboard = figures.dashboard(figures.report(), 12.5)
    bet = figures.bet()
    assert figures.latest(bet) == {
        "value": 12.5,
        "dashboardId": dashboard.rpartition("/")[2],
        "fieldId": "f",
        "dataAnchorDate": "2030-01-31",
    }
    assert figures.owner.get(f"{figures.board.path}/bets").data[0]["latest"]["value"] == 12.5
    assert figures.latest(figures.bet(CHURN)) is None
    assert figures.latest(figures.bet(None)) is None


def test_the_newest_day_counts_then_the_later_publication_and_no_day_is_the_oldest(figures: Figures) -> None:
    bet = figures.bet()
    first, second = figures.report("draft"), figures.report("draft")
    figures.dashboard(first, 1, "2030-01-31")
    figures.dashboard(second, 2, "2030-01-31")
    figures.dashboard(second, 3, None)
    for report in (second, first):
        assert figures.owner.patch(report, {"status": "published"}).status == 200
    assert figures.value(bet) == 1
    figures.dashboard(second, 4, "2030-02-28")
    assert figures.value(bet) == 4


def test_drafts_state_nothing_and_what_is_finalized_goes_on(figures: Figures) -> None:
    bet, report = figures.bet(), figures.report("draft")
    figures.dashboard(report, 7)
    assert figures.value(bet) is None
    for status, expected in (("published", 7), ("draft", None), ("published", 7), ("finalized", 7)):
        assert figures.owner.patch(report, {"status": status}).status == 200
        assert figures.value(bet) == expected


def test_what_is_taken_back_is_not_shown_any_more_before_anything_is_delivered(figures: Figures) -> None:
    bet, old, new = figures.bet(), figures.report(), figures.report()
    figures.dashboard(old, 1, "2029-12-31")
    dashboard = figures.dashboard(new, 2)
    assert figures.value(bet) == 2
    assert figures.owner.patch(new, {"status": "draft"}).status == 200
    assert figures.owner.get(bet).data["latest"]["value"] == 1
    assert figures.owner.patch(new, {"status": "published"}).status == 200
    assert figures.value(bet) == 2
    for change in ({"fields": [figure(3)]}, {"dataAnchorDate": "2020-01-01"}):
        assert figures.owner.patch(dashboard, {"uniform": change}).status == 200
        assert figures.owner.get(bet).data["latest"]["value"] == 1
    assert figures.value(bet) == 1
    assert figures.owner.patch(dashboard, {"uniform": {"dataAnchorDate": "2030-01-31"}}).status == 200
    assert figures.value(bet) == 3


@pytest.mark.parametrize("whole", [True, False], ids=["the report", "the dashboard"])
def test_what_is_deleted_leaves_no_figure_and_no_row(figures: Figures, *, whole: bool) -> None:
    bet, report = figures.bet(), figures.report()
    dashboard = figures.dashboard(report, 2)
    assert figures.value(bet) == 2
    assert figures.owner.delete(report if whole else dashboard).status == 200
    assert figures.owner.get(bet).data["latest"] is None
    figures.deliver()
    assert rows() == []


def rows() -> list[str]:
    return [sort_key for _, sort_key in TableSnapshot().items if sort_key.startswith(FIGURE.sk_prefix)]


def test_reports_from_before_the_first_bet_count_too_and_without_bets_nothing_is_kept(figures: Figures) -> None:
    for number in range(12):
        figures.dashboard(figures.report(), number, f"2030-01-{number + 1:02}")
    figures.bet(None)
    figures.deliver()
    assert rows() == []
    assert figures.value(figures.bet()) == 11
    assert len(rows()) == 12
    figures.deliver(again=True)
    assert len(rows()) == 12


def test_a_dashboard_states_as_many_kpis_as_the_catalog_has(figures: Figures) -> None:
    bet, report = figures.bet(), figures.report()
    dashboard = figures.dashboard(report, 1)
    fields = [figure(number, kpi=kpi, name=kpi) for number, kpi in enumerate(sorted(kpis()))]
    assert figures.owner.patch(dashboard, {"uniform": {"fields": fields}}).status == 200
    assert figures.latest(bet)["fieldId"] == ARR
    assert figures.owner.patch(dashboard, {"uniform": {"dataAnchorDate": "2030-02-28"}}).status == 200
    figures.deliver()
    assert len(rows()) == len(fields) > TRANSACTION_WRITES
    assert all("#2030-02-28#" in row for row in rows())


def reads(calls: StoreCalls) -> dict[str, int]:
    counted = Counter(calls.sequential + calls.concurrent)
    return {name: number for name, number in counted.items() if name != "UpdateItem"}  # of the rate limit
