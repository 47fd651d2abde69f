"""The flags of a dashboard: raised, listed, dismissed for a reason, taken up again, counted, gone."""

from __future__ import annotations

import pytest

from governance.models.history.event import Event
from governance.store.reports import sections
from tests.functions.reports.test_checks import COST, PROFIT, REVENUE, Report, figure
from tests.harness.board_scenario import BoardScenario
from tests.harness.meeting_scenario import stored_events
from tests.harness.table_snapshot import TableSnapshot


@pytest.fixture
def report(scenario: BoardScenario) -> Report:
    return Report(scenario)


def test_a_dismissed_flag_stays_dismissed_while_its_values_do(report: Report, scenario: BoardScenario) -> None:
    inputs = report.create(figure(REVENUE, 100), figure(COST, 40))
    profit = report.create(figure(PROFIT, 70, field_id="p"))
    (flag,) = report.flags(profit)
    path = f"{report.path}/{profit}/flags/{flag['id']}/dismissal"
    dismissed = report.caller.put(path, {"reason": "Rounded by hand"})
    assert dismissed.status == 200
    assert (dismissed.data["status"], dismissed.data["reason"]) == ("dismissed", "Rounded by hand")
    assert dismissed.data["dismissedByUserId"] is not None
    assert report.caller.put(path, {"reason": "Rounded by hand"}).data == dismissed.data
    assert len(stored_events(scenario, "validation_flag.dismissed")) == 1
    report.change(profit, figure(PROFIT, 60, field_id="p"))
    report.change(profit, figure(PROFIT, 70, field_id="p"))
    assert report.statuses(profit) == ["dismissed"]
    again = report.caller.delete(path)
    assert (again.status, again.data["status"], again.data["reason"]) == (200, "open", None)
    assert report.caller.delete(path).status == 404
    report.caller.put(path, {"reason": "x"})
    report.delete(inputs)
    assert report.caller.delete(path).data["status"] == "corrected"


def test_the_open_flags_of_a_report_are_counted(report: Report, scenario: BoardScenario) -> None:
    report.create(figure(REVENUE, 100), figure(COST, 40))
    profit = report.create(figure(PROFIT, 70))
    assert sections.read_heads(scenario.board_id, [report.id]).open_flags(report.id) == {profit: 1}
    flag = report.flags(profit)[0]["id"]
    report.caller.put(f"{report.path}/{profit}/flags/{flag}/dismissal", {"reason": "x"})
    assert sections.read_heads(scenario.board_id, [report.id]).open_flags(report.id) == {}


def test_flags_that_a_change_raises_and_corrects_are_an_event_each(report: Report, scenario: BoardScenario) -> None:
    report.create(figure(REVENUE, 100), figure(COST, 40))
    profit = report.create(figure(PROFIT, 70, field_id="p"), figure(PROFIT, 80, field_id="q"))
    report.change(profit, figure(PROFIT, 60, field_id="p"), figure(PROFIT, 60, field_id="q"))
    for kind in (Event.VALIDATION_FLAG_RAISED, Event.VALIDATION_FLAG_CORRECTED):
        (event,) = stored_events(scenario, kind)
        assert event.refs == {"reportId": report.id}
        assert event.details == {"dashboardIds": [profit], "number": 2}


def test_a_deleted_dashboard_leaves_neither_figures_nor_flags(report: Report) -> None:
    report.create(figure(REVENUE, 100), figure(COST, 40))
    profit = report.create(figure(PROFIT, 70))
    assert [sk for _, sk in TableSnapshot().items if f"{profit}#F" in sk] != []
    report.delete(profit)
    assert [sk for _, sk in TableSnapshot().items if f"{profit}#F" in sk] == []


def test_a_change_of_no_figure_leaves_the_checks_of_a_report_alone(report: Report) -> None:
    report.create(figure(REVENUE, 100), figure(COST, 40))
    profit = report.create(figure(PROFIT, 70))
    before = TableSnapshot()
    for change in ({"title": "New"}, {"uniform": {"narrative": "Why"}}):
        assert report.caller.patch(f"{report.path}/{profit}", change).status == 200
    kinds = ("#CHECKS", "#FIGURES", "#FLAGS")
    assert not [text for text in before.changes() if any(kind in text for kind in kinds)]
