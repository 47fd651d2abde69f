"""Figures, dashboards, checks and bets as they are stored: rows that end together and fit together when read."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from governance.limits import DASHBOARDS_PAGE_BYTES
from governance.models.reports.check import StoredFigures, StoredFlags
from governance.models.reports.dashboard import UniformHead
from governance.models.reports.figure import StoredFigure
from governance.store.paging import Window
from governance.store.reports import bets, checks, dashboards, figures, reports
from governance.store.schema.entities import DASHBOARD_COUNT, DASHBOARD_FLAGS, payload_key
from governance.store.schema.keys import key_of
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import Delete, Put, StaleRead, Write
from tests.harness.counts import count
from tests.harness.fault_injection import hooked
from tests.store.stored_items import BET, BOARD, CHECKS, DASHBOARD, FIGURE, NOW, ONE, REPORT, REPORT_ITEM, USER

pytestmark = pytest.mark.usefixtures("store")
OTHER_KPI = FIGURE.model_copy(update={"rogue_id": f"{FIGURE.rogue_id}.net", "value": "9"})
PUBLISHED = REPORT_ITEM.model_copy(update={"status": "published", "published_at": NOW})


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
    transact([reports.create(PUBLISHED)])
    state(FIGURE)
    store(figures.put(figure) for figure in (OTHER_KPI, *map(outdated, range(newer))))
    assert figures.newest(BOARD, [FIGURE.rogue_id, "churn"]) == {FIGURE.rogue_id: FIGURE}


@pytest.mark.parametrize("count", [1, 3, 30])
def test_a_kpi_of_which_all_figures_are_outdated_has_none(count: int) -> None:
    store(figures.put(outdated(number)) for number in range(count))
    assert figures.newest(BOARD, [FIGURE.rogue_id]) == {}


def test_a_figure_with_a_day_is_newer_than_any_without_one() -> None:
    transact([reports.create(PUBLISHED)])
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


(_FIRST, *_) = dashboards.create(DASHBOARD, "{}")
assert isinstance(_FIRST, Put)
KEY = key_of(_FIRST.item)
PAYLOAD = payload_key(KEY)


def test_all_rows_that_a_dashboard_is_created_with_end_with_it() -> None:
    transact(dashboards.create(DASHBOARD, "{}"))
    assert dashboards.find(BOARD, REPORT, ONE) == DASHBOARD
    transact(dashboards.delete(DASHBOARD))
    assert dashboards.find(BOARD, REPORT, ONE) is None
    assert read_one(PAYLOAD) is None
    assert count(DASHBOARD_COUNT.key_for(boardId=BOARD, reportId=REPORT)) == 0


def test_a_payload_that_is_missing_hides_its_dashboard_unless_it_is_there_when_looked_at_again() -> None:
    transact(dashboards.create(DASHBOARD, "{}"))
    row = read_one(PAYLOAD)
    assert row is not None
    assert dashboards.get_many([KEY]) == [(DASHBOARD, "{}")]
    transact([Delete(PAYLOAD)])
    assert dashboards.get_many([KEY]) == []
    with hooked("after-call.dynamodb.BatchGetItem", lambda **_: transact([Put(row)])), pytest.raises(StaleRead):
        dashboards.get_many([KEY])


@pytest.mark.parametrize(("beyond", "fitting"), [(0, 4), (1, 3)])
def test_a_page_ends_exactly_where_its_payloads_outgrow_a_response(beyond: int, fitting: int) -> None:
    quarter = DASHBOARDS_PAGE_BYTES // 4
    for number in range(4):
        size = quarter - 1 + (beyond if number == 3 else 0)
        dashboard = DASHBOARD.model_copy(update={"id": f"{number:024x}", "payload_bytes": size})
        transact(dashboards.create(dashboard, "{}"))
    keys, last = dashboards.list_keys(BOARD, REPORT, None, Window(limit=10, descending=False))
    assert len(keys) == fitting
    assert (last is None) == (fitting == 4)


FIRST, SECOND, THIRD = (StoredFlags(dashboard_id=ONE, flags=(), version=number) for number in (1, 2, 3))


def test_flags_replace_those_that_were_read_and_no_newer_ones() -> None:
    transact([checks.write_flags(CHECKS, ONE, FIRST)])
    transact([checks.replace_flags(CHECKS, FIRST, SECOND)])
    with pytest.raises(StaleRead):
        transact([checks.replace_flags(CHECKS, FIRST, THIRD)])
    stored = read_one(DASHBOARD_FLAGS.key_for(boardId=BOARD, reportId=REPORT, dashboardId=ONE))
    assert checks.flags_in(stored) == SECOND
    transact([checks.write_flags(CHECKS, ONE, None)])
    assert read_one(DASHBOARD_FLAGS.key_for(boardId=BOARD, reportId=REPORT, dashboardId=ONE)) is None


def test_rows_that_are_not_there_are_left_out_whichever_others_are() -> None:
    figures = StoredFigures(dashboard_id=ONE, data_anchor_date=None, figures="[]")
    transact([checks.write_flags(CHECKS, ONE, FIRST), checks.write_figures(CHECKS, ONE, figures)])
    other = "4" * 24
    rows = checks.read_rows(CHECKS, [ONE, other], [other, ONE])
    assert (rows.figures, rows.flags) == ({ONE: figures}, {ONE: FIRST})


def test_a_bet_ends_with_its_reminders() -> None:
    bet = BET.model_copy(update={"owner_user_id": USER})
    created = {key_of(write.item) for write in bets.create(bet) if isinstance(write, Put)}
    assert len(created) > 1
    assert {write.key for write in bets.delete(bet, NOW) if isinstance(write, Delete)} == created
