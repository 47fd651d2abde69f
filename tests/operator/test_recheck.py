"""`boardctl recheck`: all reports are checked by a new release, and members are notified once per report."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

from governance.domain.reports import kpi_formulas as kpi_formulas_rules
from governance.domain.reports.kpi_formulas import KpiFormulas
from governance.store.reports import kpi_formulas, sections
from infra.operator import environment
from infra.operator.recheck import recheck
from tests.deliveries.test_announcements import deliver_all, inbox
from tests.functions.reports.test_checks import COST, PROFIT, REVENUE, Report, figure
from tests.harness import kpi
from tests.harness.board_scenario import BoardScenario


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "prepare", lambda: None)


def run() -> str:
    result = CliRunner().invoke(recheck)
    assert result.exit_code == 0, result.output
    return result.output


def release(monkeypatch: pytest.MonkeyPatch, version: str, expression: str) -> None:
    text = json.loads(kpi.released_text())
    text["version"] = version
    text["formulas"][PROFIT]["expression"] = expression
    formulas = kpi_formulas_rules.from_text(json.dumps(text))

    class Released(kpi_formulas.CurrentFormulas):
        def get(self) -> KpiFormulas:
            return formulas

    monkeypatch.setattr(kpi_formulas, "_current", Released())


def flags_told(scenario: BoardScenario) -> list[dict[str, Any]]:
    deliver_all(scenario)
    return [entry for entry in inbox(scenario.owner) if entry["type"] == "validation_flag_raised"]


@pytest.mark.usefixtures("outbox")
def test_a_new_release_is_told_once_per_report(scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch) -> None:
    reports = [Report(scenario) for _ in range(2)]
    for report in reports:
        report.create(figure(REVENUE, 100), figure(COST, 40))
        for _ in range(2):
            report.create(figure(PROFIT, 60))
    assert "Checked 0 report(s)" in run()
    release(monkeypatch, "9.0.0", "revenue + cost_of_revenue")
    assert "Checked 2 report(s) by release 9.0.0" in run()
    assert "Checked 0 report(s)" in run()
    assert {entry["reportId"]["_id"] for entry in flags_told(scenario)} == {report.id for report in reports}
    assert len(flags_told(scenario)) == 2
    for report in reports:
        assert sum(sections.read_heads(scenario.board_id, [report.id]).open_flags(report.id).values()) == 2


def test_without_formulas_it_says_what_to_do(scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch) -> None:
    del scenario
    kpi.forget(monkeypatch)
    result = CliRunner().invoke(recheck)
    assert result.exit_code == 1
    assert "publish the catalog first" in result.output
