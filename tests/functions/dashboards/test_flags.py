"""The flags of a dashboard: listed, dismissed for a reason, taken up again, counted."""

from __future__ import annotations

import pytest

from governance.store.reports import sections
from tests.functions.dashboards.test_checks import COST, PROFIT, REVENUE, Report, figure
from tests.harness.board_scenario import BoardScenario
from tests.harness.meeting_scenario import stored_events


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


def test_flags_are_listed_newest_first_page_by_page(report: Report) -> None:
    report.create(figure(REVENUE, 100), figure(COST, 40))
    profit = report.create(*(figure(PROFIT, 70 + number, field_id=str(number)) for number in range(5)))
    flags = report.flags(profit)
    assert flags == sorted(flags, key=lambda flag: (flag["createdAt"], flag["id"]), reverse=True)
    pages = list(report.caller.pages(f"{report.path}/{profit}/flags", limit=3))
    assert pages == [flags[:3], flags[3:]]
    assert list(report.caller.pages(f"{report.path}/{profit}/flags", limit=5)) == [flags]


def test_the_open_flags_of_a_report_are_counted(report: Report, scenario: BoardScenario) -> None:
    report.create(figure(REVENUE, 100), figure(COST, 40))
    profit = report.create(figure(PROFIT, 70))
    assert sections.read_heads(scenario.board_id, [report.id]).open_flags(report.id) == {profit: 1}
    flag = report.flags(profit)[0]["id"]
    report.caller.put(f"{report.path}/{profit}/flags/{flag}/dismissal", {"reason": "x"})
    assert sections.read_heads(scenario.board_id, [report.id]).open_flags(report.id) == {}


def test_a_flag_that_does_not_exist_is_not_found(report: Report) -> None:
    dashboard = report.create(figure(PROFIT, 70))
    path = f"{report.path}/{dashboard}/flags/{'0' * 24}/dismissal"
    assert report.caller.put(path, {"reason": "x"}).status == 404
    assert report.caller.put(path.replace("0" * 24, "x"), {"reason": "x"}).status == 404


def test_the_flags_of_a_finalized_report_stay_as_they_are(report: Report, scenario: BoardScenario) -> None:
    report.create(figure(REVENUE, 100), figure(COST, 40))
    profit = report.create(figure(PROFIT, 70))
    (flag,) = report.flags(profit)
    for status in ("published", "finalized"):
        scenario.owner.client.patch(f"{scenario.path}/reports/{report.id}", {"status": status})
    for method in ("PUT", "DELETE"):
        path = f"{report.path}/{profit}/flags/{flag['id']}/dismissal"
        answer = report.caller.call(method, path, {"reason": "x"} if method == "PUT" else None)
        assert (answer.status, answer.details["reason"]) == (409, "REPORT_FINALIZED")
