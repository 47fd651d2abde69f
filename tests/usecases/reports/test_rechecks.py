"""A report is checked by other formulas if it exists, is open and was checked by others."""

from __future__ import annotations

import json

import pytest

from governance.domain.reports import kpi_formulas as kpi_formulas_rules
from governance.domain.reports.kpi_formulas import KpiFormulas
from governance.ids import BoardId
from governance.usecases.reports.rechecks import recheck
from tests.functions.reports.test_checks import COST, PROFIT, REVENUE, Report, figure
from tests.harness import kpi
from tests.harness.board_scenario import BoardScenario
from tests.harness.fault_injection import meanwhile
from tests.harness.table_snapshot import TableSnapshot


def formulas(version: str) -> KpiFormulas:
    return kpi_formulas_rules.from_text(json.dumps({**json.loads(kpi.released_text()), "version": version}))


@pytest.fixture
def report(scenario: BoardScenario) -> Report:
    created = Report(scenario)
    created.create(figure(REVENUE, 100), figure(COST, 40), figure(PROFIT, 60))
    return created


def test_a_report_is_checked_once_by_a_release(scenario: BoardScenario, report: Report) -> None:
    board_id, newer = BoardId(scenario.board_id), formulas("9.0.0")
    assert recheck(board_id, report.id, newer)
    before = TableSnapshot()
    assert not recheck(board_id, report.id, newer)
    assert not before.changes()
    assert recheck(board_id, report.id, formulas("9.0.1"))


@pytest.mark.parametrize("gone", ["report", "board", "figures", "openness"])
def test_what_is_not_there_or_not_open_is_not_checked(scenario: BoardScenario, report: Report, gone: str) -> None:
    report_id = report.id
    if gone == "figures":
        report_id = Report(scenario).id
    elif gone == "openness":
        for status in ("published", "finalized"):
            scenario.owner.client.patch(f"{scenario.path}/reports/{report.id}", {"status": status})
    else:
        path = scenario.path if gone == "board" else f"{scenario.path}/reports/{report.id}"
        assert scenario.owner.client.delete(path).status == 200
    before = TableSnapshot()
    assert not recheck(BoardId(scenario.board_id), report_id, formulas("9.0.0"))
    assert not before.changes()


def test_a_report_that_is_finalized_meanwhile_stays_as_it_was_checked(scenario: BoardScenario, report: Report) -> None:
    owner, path = scenario.owner.client, f"{scenario.path}/reports/{report.id}"
    assert owner.patch(path, {"status": "published"}).status == 200
    with meanwhile(lambda: owner.patch(path, {"status": "finalized"})):
        assert not recheck(BoardId(scenario.board_id), report.id, formulas("9.0.0"))
