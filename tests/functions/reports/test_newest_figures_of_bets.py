"""The row with the newest figures of a board: a page of bets costs the same however many KPIs are on it."""

from __future__ import annotations

from typing import Any

import pytest

from governance.deliveries.reports import figures as delivery
from governance.ids import BoardId
from governance.models.catalog.catalog import kpis
from governance.models.reports.figure import StoredFigure
from governance.store.reports import figures as rows
from governance.store.reports import newest_figures
from governance.store.schema.entities import FIGURE
from governance.store.schema.keys import Item
from governance.store.transactions import transact
from governance.store.writes import Put
from tests.functions.reports.test_latest_bets import ARR, CHURN, Figures, figure, reads
from tests.harness import queue
from tests.harness.board_scenario import BoardScenario
from tests.harness.store_calls import InlinePool, count_store_calls
from tests.harness.table_snapshot import TableSnapshot
from tests.operator.commands import boardctl

_MANY = 30


@pytest.fixture
def figures(scenario: BoardScenario) -> Figures:
    return Figures(scenario)


def state_many(figures: Figures, number: int) -> list[str]:
    """Makes bets on KPIs, which one dashboard states; returns the KPIs."""
    named = sorted(kpis())[:number]
    for kpi in named:
        figures.bet(kpi)
    dashboard = figures.dashboard(figures.report(), 1)
    stated = [figure(place, kpi=kpi, name=kpi) for place, kpi in enumerate(named)]
    assert figures.owner.patch(dashboard, {"uniform": {"fields": stated}}).status == 200
    settle(figures)
    return named


def settle(figures: Figures) -> None:
    figures.deliver()
    wait()


def wait() -> None:
    queue.current.now += queue.LONG_ENOUGH
    queue.current.deliver()


def shown(figures: Figures) -> dict[str, Any]:
    page = figures.owner.call("GET", f"{figures.board.path}/bets", query="limit=100").data
    return {bet["rogueId"]: bet["latest"] and bet["latest"]["value"] for bet in page}


def figure_rows() -> list[Item]:
    return [item for (_, sort_key), item in TableSnapshot().items.items() if sort_key.startswith(FIGURE.sk_prefix)]


def of_an_earlier_release(row: Item) -> Item:
    """Returns a row of a figure as a release writes it that counts no changes."""
    return {
        name: value.replace("COUNTED_FIGURES#", "FIGURES#") if isinstance(value, str) else value
        for name, value in row.items()
    }


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(newest_figures, "_FEW", 0)


def test_a_page_of_bets_costs_the_same_on_any_number_of_kpis(figures: Figures, pool: InlinePool) -> None:
    named = state_many(figures, _MANY)
    with count_store_calls(pool) as many:
        assert shown(figures) == {kpi: place for place, kpi in enumerate(named)}
    assert reads(many) == {"BatchGetItem": 3, "Query": 2}


@pytest.mark.usefixtures("few")
def test_what_is_written_while_the_row_is_made_makes_it_void(figures: Figures, monkeypatch: pytest.MonkeyPatch) -> None:
    figures.bet()
    report = figures.report()
    figures.dashboard(report, 1)
    settle(figures)
    figures.bet(CHURN)  # after which the row is made again
    real = rows.newest

    def overtaken(*given: Any) -> Any:
        newest = real(*given)
        monkeypatch.setattr(rows, "newest", real)
        figures.dashboard(report, 2, "2030-03-31")
        figures.deliver()
        return newest

    monkeypatch.setattr(rows, "newest", overtaken)
    delivery._keep_newest(BoardId(figures.board.board_id))
    assert shown(figures) == {ARR: 2, CHURN: None}
    wait()
    assert shown(figures) == {ARR: 2, CHURN: None}


@pytest.mark.usefixtures("few")
def test_a_release_before_that_adds_a_newer_figure_is_read_right_until_and_after_migrate(
    figures: Figures, pool: InlinePool
) -> None:
    figures.bet()
    report = figures.report()
    figures.dashboard(report, 1)
    newer = figures.dashboard(report, 2, "2030-03-31")
    settle(figures)
    (row,) = [item for item in figure_rows() if item["dashboardId"] in newer]
    figures.owner.delete(newer)  # not delivered yet: the row of the first figure is made
    settle(figures)
    assert shown(figures) == {ARR: 1}
    again = figures.dashboard(report, 3, "2030-04-30")
    identity = again.rpartition("/")[2]
    stated = StoredFigure.model_validate(
        {**row, "dashboardId": identity, "dataAnchorDate": "2030-04-30", "value": "3", "payloadVersion": 1}
    )
    queue.current.messages.clear()
    transact([Put(of_an_earlier_release(rows.put(stated).item))])
    assert shown(figures) == {ARR: 3}
    assert "Would count 1 figure(s)" in boardctl("migrate", "--dry-run").output
    assert "Counted 1 figure(s)" in boardctl("migrate").output
    assert shown(figures) == {ARR: 3}
    figures.bet(ARR)
    settle(figures)
    with count_store_calls(pool) as calls:
        assert shown(figures) == {ARR: 3}
    assert reads(calls) == {"BatchGetItem": 3, "Query": 2}
    assert "figure(s)" not in boardctl("migrate").output
