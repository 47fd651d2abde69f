"""Figures of KPIs as they are stored: the newest that its report still states, and rows that follow their dashboard."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from governance.models.reports.dashboard import UniformHead
from governance.models.reports.figure import StoredFigure
from governance.store.reports import dashboards, figures, reports
from governance.store.transactions import transact
from governance.store.writes import StaleRead, Write
from tests.store.stored_items import BOARD, DASHBOARD, FIGURE, NOW, REPORT_ITEM

pytestmark = pytest.mark.usefixtures("store")

OTHER_KPI = FIGURE.model_copy(update={"rogue_id": f"{FIGURE.rogue_id}.net", "value": "9"})
REPORT = REPORT_ITEM.model_copy(update={"status": "published", "published_at": NOW})


def outdated(number: int) -> StoredFigure:
    """Returns a newer figure of a dashboard that is gone."""
    return FIGURE.model_copy(update={"dashboard_id": f"{number:024}", "data_anchor_date": "2027-03-01"})


def store(writes: Iterable[Write]) -> None:
    for write in writes:
        transact([write])


def state(figure: StoredFigure) -> None:
    """Stores a figure with the dashboard that states it."""
    head = UniformHead(
        source_section_name="S", is_ad_hoc=False, review_status="working", data_anchor_date=figure.data_anchor_date
    )
    dashboard = DASHBOARD.model_copy(update={"id": figure.dashboard_id, "uniform": head})
    store([*dashboards.create(dashboard, None), figures.put(figure)])


@pytest.mark.parametrize("newer", [0, 2, 3, 28])
def test_the_newest_figure_that_is_still_stated_is_found_behind_any_number_of_outdated_ones(newer: int) -> None:
    transact([reports.create(REPORT)])
    state(FIGURE)
    store(figures.put(figure) for figure in (OTHER_KPI, *map(outdated, range(newer))))
    assert figures.newest(BOARD, [FIGURE.rogue_id, "churn"]) == {FIGURE.rogue_id: FIGURE}


@pytest.mark.parametrize("count", [1, 3, 30])
def test_a_kpi_of_which_all_figures_are_outdated_has_none(count: int) -> None:
    store(figures.put(outdated(number)) for number in range(count))
    assert figures.newest(BOARD, [FIGURE.rogue_id]) == {}


def test_a_figure_with_a_day_is_newer_than_any_without_one() -> None:
    transact([reports.create(REPORT)])
    undated = FIGURE.model_copy(update={"data_anchor_date": None})
    dated = FIGURE.model_copy(update={"data_anchor_date": "0001-01-01", "dashboard_id": "2" * 24})
    for figure in (undated, dated):
        state(figure)
        assert figures.newest(BOARD, [FIGURE.rogue_id]) == {FIGURE.rogue_id: figure}


def test_a_dashboard_has_exactly_the_rows_that_it_states() -> None:
    more = FIGURE.model_copy(update={"rogue_id": "churn"})
    for stated in ([FIGURE], [FIGURE, more], [more], []):
        store(figures.changes(BOARD, FIGURE.report_id, FIGURE.dashboard_id, stated))
        assert figures.changes(BOARD, FIGURE.report_id, FIGURE.dashboard_id, stated) == []
        assert len(list(figures.rows_of_report(BOARD, FIGURE.report_id))) == len(stated)


def test_of_two_that_begin_to_keep_figures_the_second_fails() -> None:
    assert not figures.are_kept(BOARD)
    transact(figures.keep(BOARD, None))
    assert figures.are_kept(BOARD)
    with pytest.raises(StaleRead):
        transact(figures.keep(BOARD, None))
    assert figures.keep(BOARD, {"boardId": BOARD}) == []
